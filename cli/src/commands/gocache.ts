/** `gocache`: the program of `GOCACHEPROG`. Whatever fails on the server or the disk, the build continues. */
import { devNull, homedir } from "node:os";
import { join, resolve } from "node:path";
import { CliError, usageError } from "../errors.ts";
import { openLocalStore, makeFolder } from "../gocache/local-store.ts";
import type { RemoteStore } from "../gocache/remote-store.ts";
import { serveGo } from "../gocache/serve.ts";
import { findCredential, type Invocation } from "../session.ts";
import { cleanText } from "../text.ts";

export async function serveGoCache(call: Invocation): Promise<void> {
  const { flags, terminal } = call;
  if (process.stdin.isTTY)
    throw usageError('Go starts this command: run go env -w GOCACHEPROG="millrace gocache", then go build');
  const warn = (line: string) => terminal.err(`gocache: ${cleanText(line)}\n`);
  const note = flags.isSet("--verbose") ? warn : () => {};
  const folder = findFolder(flags.text("--dir"), call.env);
  const store = openLocalStore(folder, warn);
  makeFolder(folder);
  try {
    // Standard input has no encoding, so it yields buffers.
    const input = process.stdin as AsyncIterable<Buffer>;
    const openServer = () => openRemote(call, { warn, note });
    await serveGo({ input, answer: terminal.out, store, openRemote: openServer, note });
    const { trim } = await import("../gocache/trim.ts");
    await trim(folder);
  } finally {
    store.close();
  }
}

/** Go passes the words of GOCACHEPROG unchanged: no shell has replaced the `~`. */
function findFolder(given: string | undefined, env: NodeJS.ProcessEnv): string {
  if (given !== undefined) return resolve(given.replace(/^~(?=\/|$)/, findHome));
  if (process.platform === "win32" && env["LOCALAPPDATA"])
    return join(env["LOCALAPPDATA"], "millrace", "gocache");
  return join(findHome(), ".cache", "millrace", "gocache");
}

function findHome(): string {
  try {
    return homedir();
  } catch {
    // The user has no home: this folder cannot be created, so a temporary one takes its place.
    return devNull;
  }
}

async function openRemote(
  call: Invocation,
  say: { warn: (line: string) => void; note: (line: string) => void },
): Promise<RemoteStore | undefined> {
  try {
    const credential = await findCredential(call);
    const { openRemoteStore } = await import("../gocache/remote-store.ts");
    return await openRemoteStore({ ...credential, ...say, env: call.env });
  } catch (error) {
    const reason = error instanceof CliError ? error.message : String(error);
    say.warn(`using the local directory: ${reason}`);
    return undefined;
  }
}
