/**
 * One buildkitd in namespaces of its own (decision 033), from start to end.
 *
 *   unshare ── start-builder.sh ──ready──► uplink ──► go ──► buildkitd ──► answers at its socket
 *                                   └────► listener inside, meanwhile
 *
 * Everything in it ends with its first process, and that ends with this server's process: only its cache is left of a builder.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { readFile, symlink } from "node:fs/promises";
import { connect, type Server } from "node:net";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { type BuilderFiles, type BuilderOptions, writeFiles } from "./builder-files.ts";
import { answers } from "./ask-buildkitd.ts";
import { makeSpace } from "./disk.ts";
import { listenInside } from "./listen-inside.ts";
import { explainMissing, systemPath } from "./programs.ts";
import { asRoot, isRoot } from "./user-namespace.ts";
import { openUplink, PACKET_BYTES, type Uplink } from "./uplink.ts";

const START_MS = 30_000;
/** Clients' calls keep it from ending. */
const STOP_MS = 3_000;
const ASK_AGAIN_MS = 5;
/** Steps that run at the same time have their own addresses. */
const MOST_STEPS = 4_000;
const STEP_LOG_BYTES = 64 * 1024 * 1024;
/** Size of buildkitd's last output, for an error. */
const TOLD_CHARACTERS = 16_000;

export interface Builder {
  /** Socket of BuildKit's API, unprotected: only for this process. */
  socket: string;
  /** Resolves with its last output when it has ended. */
  ended: Promise<string>;
  stop: () => Promise<void>;
}

/** Everything that must be cleaned up. */
interface Parts {
  child: ChildProcess;
  ended: Promise<string>;
  uplink?: Uplink;
  inside?: Promise<Server>;
}

export async function startBuilder(options: BuilderOptions): Promise<Builder> {
  const files = await writeFiles(options);
  const command = [options.buildkitd, "--config", files.config];
  const child = spawnInside(options, files, command);
  const parts: Parts = { child, ended: watchEnd(child) };
  const failed = parts.ended.then((told) => {
    throw explainEnd(told);
  });
  failed.catch(() => {});
  try {
    const ready = openAll(parts, options).then(() => untilItAnswers(files.socket, child));
    await Promise.race([ready.then(() => makeSpace(files.socket, options.folder)), failed]);
    // When the uplink ends, the builder is killed: it would have no network until its next start.
    void parts.uplink?.ended.then(() => killAll(child));
    return { socket: files.socket, ended: parts.ended, stop: () => stop(parts) };
  } catch (error) {
    await stop(parts);
    throw error;
  }
}

function spawnInside(
  { groupFolders, runFolder }: BuilderOptions,
  { script, steps, temporary, seenTemporary }: BuilderFiles,
  command: readonly string[],
): ChildProcess {
  const enter = ["unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"];
  // Entering a user namespace clears the signal, so that comes first.
  const [program, ...args] = [...asRoot(), "setpriv", "--pdeathsig", "KILL", ...enter];
  return spawn(program ?? "setpriv", [...args, "sh", script, runFolder, groupFolders.join(" "), ...command], {
    stdio: ["pipe", "pipe", "pipe"],
    env: {
      ...outsideEnvironment(),
      TMPDIR: seenTemporary,
      MILLRACE_TEMPORARY: temporary,
      // runc's state folder without root.
      ...(!isRoot() && { XDG_RUNTIME_DIR: runFolder }),
      MILLRACE_STEPS: steps,
      MILLRACE_MOST_STEPS: String(MOST_STEPS),
      MILLRACE_MTU: String(PACKET_BYTES),
      // By default it cuts a step's log at 2 MiB, or when it comes faster than 200 KiB a second. It holds the log in memory.
      BUILDKIT_STEP_LOG_MAX_SIZE: String(STEP_LOG_BYTES),
      BUILDKIT_STEP_LOG_MAX_SPEED: "-1",
    },
  });
}

/** What buildkitd needs to reach other machines as this server does; it gets no other variables of this process. */
const PASSED = ["SSL_CERT_FILE", "SSL_CERT_DIR"];
const PROXIES = ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY"];

function outsideEnvironment(): NodeJS.ProcessEnv {
  const names = [...PASSED, ...PROXIES, ...PROXIES.map((name) => name.toLowerCase())];
  const passed = Object.fromEntries(names.map((name) => [name, process.env[name]]));
  return { ...passed, PATH: systemPath(process.env["PATH"]) };
}

/** @returns when buildkitd was started, and its listener is open */
async function openAll(parts: Parts, { runFolder, registryHost, listen }: BuilderOptions): Promise<void> {
  await untilItSays(parts.child);
  // Leftovers are found by this path, because it names the folder.
  const network = join(runFolder, "network");
  const first = await findFirst(parts.child);
  await symlink(`/proc/${first}/ns/net`, network);
  const users = isRoot() ? null : `/proc/${first}/ns/user`;
  parts.inside = listenInside(
    [...(users === null ? [] : [`--user=${users}`]), `--net=${network}`],
    portOf(registryHost),
  );
  parts.inside.then(listen, () => {});
  parts.uplink = await openUplink(network, users);
  parts.child.stdin?.end("go\n");
  await parts.inside;
}

const portOf = (host: string) => Number(new URL(`http://${host}`).port || 80);

/** If it ends before that, `ended` reports it. */
const untilItSays = (child: ChildProcess) =>
  new Promise<void>((resolve) => child.stdout?.once("data", () => resolve()));

/** The first process of the namespaces, by its id on this machine: signals to `unshare` would not reach it. */
async function findFirst({ pid }: ChildProcess): Promise<number> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8");
  const first = Number.parseInt(children, 10);
  if (!Number.isSafeInteger(first)) throw new Error(`unshare (process ${pid}) has no child`);
  return first;
}

function watchEnd(child: ChildProcess): Promise<string> {
  let told = "";
  child.stderr?.on("data", (text: Buffer) => (told = (told + text.toString()).slice(-TOLD_CHARACTERS)));
  // It may have ended before it gets "go".
  child.stdin?.on("error", () => {});
  return new Promise((resolve) => {
    child.once("error", (error) => resolve(String(explainMissing(error))));
    // `close`: after all of its output.
    child.once("close", () => resolve(told.trim()));
  });
}

/** buildkitd prints its error in one line, followed by a stack trace. */
const lastWords = (told: string) =>
  (/^buildkitd: .*$/m.exec(told)?.[0] ?? told.split("\n").at(-1) ?? "").slice(0, 500);

/** Explains startup errors of buildkitd that people can fix. */
function explainEnd(told: string): Error {
  if (told.includes("no space left on device"))
    return new Error(
      "The builder cannot start: the disk of DATA_DIR is full. Free some space, or reset layer caches.",
    );
  if (told.includes("could not lock") && told.includes("buildkitd.lock"))
    return new Error("The builder cannot start: another process uses its layer cache.");
  return new Error(`The builder ended before it responded: ${lastWords(told) || "no output"}`);
}

/** It listens before it can answer. @throws Error after START_MS */
async function untilItAnswers(socket: string, child: ChildProcess): Promise<void> {
  for (const end = performance.now() + START_MS; performance.now() < end;) {
    // The reason for its end is reported elsewhere.
    if (child.exitCode !== null || child.signalCode !== null) return;
    if ((await listens(socket)) && (await answers(socket))) return;
    await wait(ASK_AGAIN_MS);
  }
  throw new Error(`buildkitd does not respond at ${socket} after ${START_MS / 1000} seconds`);
}

const listens = (path: string) =>
  new Promise<boolean>((resolve) => {
    const connection = connect(path);
    connection.once("connect", () => resolve(true)).once("error", () => resolve(false));
    connection.once("connect", () => connection.destroy());
  });

/** `unshare` takes its child along. */
const killAll = (child: ChildProcess) => child.kill("SIGKILL");

/** buildkitd ends its steps; what does not end in time is killed. */
async function stop({ child, ended, uplink, inside }: Parts): Promise<void> {
  const first = await findFirst(child).catch(() => null);
  if (first === null || !tryKill(first)) killAll(child);
  const timer = setTimeout(() => killAll(child), STOP_MS);
  await ended;
  clearTimeout(timer);
  await inside?.then(
    (server) => server.close(),
    () => {},
  );
  await uplink?.close();
}

function tryKill(id: number): boolean {
  try {
    return process.kill(id, "SIGTERM");
  } catch {
    return false;
  }
}
