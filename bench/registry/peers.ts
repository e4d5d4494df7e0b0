/**
 * Millrace and its peer, each in its own process, which ends with this one:
 *
 *   distribution     DISTRIBUTION=<file>, by default `registry` on PATH:
 *                    go install github.com/distribution/distribution/v3/cmd/registry@v3.1.2
 */
import { fork, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort, type Peer, toPeer, TOKEN, untilListening } from "../cache/peers.ts";

export interface RegistryPeer extends Peer {
  /** Accepts pushes. */
  repository: string;
  headers: Readonly<Record<string, string>>;
}

/** `PROFILE=<folder>` writes a CPU profile there. */
const profile = process.env["PROFILE"];
const profiling = profile ? ["--cpu-prof", `--cpu-prof-dir=${profile}`] : [];

export async function startMillrace(folder: string): Promise<RegistryPeer> {
  const child = fork(join(import.meta.dirname, "server.ts"), [folder, TOKEN], {
    execArgv: ["--disable-warning=ExperimentalWarning", ...profiling],
  });
  // The server sends this when it listens.
  const [{ port, repository }] = (await once(child, "message")) as [{ port: number; repository: string }];
  const headers = await logIn(port, repository);
  return { name: "Millrace", port, folder, repository, headers, ...toPeer(child) };
}

/** With the token that clients receive: for one repository, for ten minutes. */
async function logIn(port: number, repository: string): Promise<Record<string, string>> {
  const url = `http://127.0.0.1:${port}/v2/token?scope=repository:${repository}:pull,push`;
  const answer = await fetch(url, { headers: { authorization: `Bearer ${TOKEN}` } });
  const { token } = (await answer.json()) as { token: string };
  return { authorization: `Bearer ${token}` };
}

/** Without tokens: it needs another server for them. */
export async function startDistribution(folder: string): Promise<RegistryPeer | null> {
  const program = process.env["DISTRIBUTION"] ?? "registry";
  if (spawnSync(program, ["--version"]).error) return null;
  const port = await freePort();
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "config.yml");
  writeFileSync(
    file,
    `version: 0.1
log: { level: error, accesslog: { disabled: true } }
storage: { filesystem: { rootdirectory: ${folder}/data }, cache: { blobdescriptor: inmemory } }
http: { addr: "127.0.0.1:${port}" }
`,
  );
  const child = spawn(program, ["serve", file], {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, OTEL_TRACES_EXPORTER: "none" },
  });
  await untilListening(port);
  return { name: "distribution", port, folder, repository: "acme/web", headers: {}, ...toPeer(child) };
}
