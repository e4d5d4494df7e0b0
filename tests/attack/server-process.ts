/** The real production server as a child process, with its own data folder and the probe inside. */
import { type ChildProcess, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cacheFolder, root } from "#server/pages/build-folders.ts";
import { SERVER_ENVIRONMENT, SERVER_FLAGS } from "../../scripts/server-flags.mjs";
import { memoryOf } from "./memory.ts";
import { descendants } from "./processes.ts";
import type { ProbeReport, ProbeRequest } from "./probe.ts";

export const ADMIN_KEY = "attack-admin-key-0123456789";
/** The token of the first owner, who may read the console. */
export const OWNER_TOKEN = "mr_user_of-the-attacks-0123456789-abcdef";
/** The origin of a server on any port: the address that the build was made for. A different address would need a new build. */
export const SITE_ORIGIN = `http://localhost:${process.env["E2E_PORT"] ?? "4173"}`;
export const BUILD_DIR = join(cacheFolder, "test-build");

/** The first start may build the site. */
const START_TIMEOUT_MS = 240_000;
const STOP_TIMEOUT_MS = 30_000;
/** Characters of a server's output that are kept; a longer output repeats itself. */
const OUTPUT_LENGTH = 1_000_000;

export interface ServerOptions {
  /** Added to the usual environment; `undefined` removes a variable. */
  env?: { [name: string]: string | undefined };
  /** A folder that another server has left; by default an empty one, which is removed at the end. */
  dataDir?: string;
  /** The process's limit of open files. */
  fileLimit?: number;
  nodeFlags?: string[];
  /** A command before `node`, which gets node and its arguments as its own. */
  wrapper?: string[];
}

export interface RunningServer {
  port: number;
  pid: number;
  dataDir: string;
  /** Everything that it has printed. */
  output: () => string;
  /** Resident bytes once it has answered its first pages. */
  idleBytes: number;
  /** Asks the probe. @throws Error when it does not answer */
  probe: (ask: ProbeRequest["ask"], more?: Pick<ProbeRequest, "shiftMs">) => Promise<ProbeReport>;
  isRunning: () => boolean;
  /** SIGTERM, then SIGKILL if it does not end. @returns its exit code, null after a signal */
  stop: () => Promise<number | null>;
  /** SIGKILL. */
  kill: () => Promise<void>;
  /** How it ended. */
  ended: Promise<number | null>;
}

/** Below the ports that systems give to connections, any of which could take it before a server listens. */
const PORTS = { first: 20_000, end: 32_000 } as const;

export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(PORTS.first, PORTS.end);
    if (await canListen(port)) return port;
  }
}

function canListen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });
}

export function newDataDir(): string {
  return mkdtempSync(join(tmpdir(), "millrace-attack-"));
}

/** Builds stale parts, so that no measured server has built anything. */
export async function prepareBuild(): Promise<void> {
  const server = await startServer();
  await server.stop();
}

/** The environment of a server on `port`. */
export function serverEnvironment(
  port: number,
  dataDir: string,
  env: ServerOptions["env"] = {},
): NodeJS.ProcessEnv {
  return {
    ...process.env,
    PORT: String(port),
    HOST: "127.0.0.1",
    SITE_ORIGIN,
    BUILD_DIR,
    DATA_DIR: dataDir,
    SEARCH_ADMIN_KEY: ADMIN_KEY,
    MILLRACE_OWNER_TOKEN: OWNER_TOKEN,
    // No one reads a line for each of these requests.
    ACCESS_LOG: "off",
    // Dozens are started, each from the same code.
    NODE_COMPILE_CACHE: join(cacheFolder, "compiled"),
    ...env,
  };
}

/** Resolves when the server answers. @throws Error with what it printed when it ends before that */
export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  const port = await freePort();
  const dataDir = options.dataDir ?? newDataDir();
  const child = spawnServer(options, serverEnvironment(port, dataDir, options.env));
  let output = "";
  const ended = new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)));
  await new Promise<void>((resolve, reject) => {
    const giveUp = setTimeout(() => {
      child.kill("SIGKILL");
      reject(new Error(`The server does not answer:\n${output}`));
    }, START_TIMEOUT_MS);
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (chunk) => {
        output = (output + String(chunk)).slice(-OUTPUT_LENGTH);
        if (!output.includes("Millrace is at")) return;
        clearTimeout(giveUp);
        resolve();
      });
    void ended.then((code) => {
      clearTimeout(giveUp);
      reject(new Error(`The server ended with ${code} before it listened:\n${output}`));
    });
  });
  const pid = serverPid(child);
  await warmUp(port);
  return {
    port,
    pid,
    dataDir,
    output: () => output,
    idleBytes: memoryOf(pid)?.resident ?? 0,
    probe: createProbe(child),
    isRunning: () => child.exitCode === null && child.signalCode === null,
    ended,
    async stop() {
      child.kill("SIGTERM");
      const kill = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT_MS);
      const code = await ended;
      clearTimeout(kill);
      if (!options.dataDir) rmSync(dataDir, { recursive: true, force: true });
      return code;
    },
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

function spawnServer(options: ServerOptions, env: NodeJS.ProcessEnv): ChildProcess {
  const { fileLimit, nodeFlags = [], wrapper = [] } = options;
  const limited = fileLimit === undefined ? [] : ["bash", "-c", `ulimit -n ${fileLimit}; exec "$0" "$@"`];
  const [command = process.execPath, ...args] = [
    ...wrapper,
    ...limited,
    process.execPath,
    "--disable-warning=ExperimentalWarning",
    "--import",
    join(import.meta.dirname, "probe.ts"),
    ...SERVER_FLAGS,
    ...nodeFlags,
    "scripts/start.ts",
  ];
  const variables = { ...SERVER_ENVIRONMENT, ...env };
  return spawn(command, args, { cwd: root, env: variables, stdio: ["ignore", "pipe", "pipe", "ipc"] });
}

/** A wrapper replaces itself with the server or has it as its last descendant. */
function serverPid(child: ChildProcess): number {
  return descendants(child.pid!).at(-1) ?? child.pid!;
}

/** The first answers load everything that is only loaded once. */
async function warmUp(port: number): Promise<void> {
  const body = JSON.stringify({ queries: [{ indexUid: "docs", q: "cache" }] });
  const post = { method: "POST", headers: { "content-type": "application/json" }, body };
  for (const [path, options] of [
    ["/docs", {}],
    ["/docs?q=cache", {}],
    ["/multi-search", post],
    ["/nothing/here", {}],
  ] as const)
    await fetch(`http://127.0.0.1:${port}${path}`, options).then((answer) => answer.arrayBuffer());
}

function createProbe(child: ChildProcess): RunningServer["probe"] {
  let last = 0;
  const waiting = new Map<number, (report: ProbeReport) => void>();
  child.on("message", (message) => {
    // Only the probe sends.
    const report = message as ProbeReport;
    waiting.get(report.id)?.(report);
  });
  return (ask, more) =>
    new Promise((resolve, reject) => {
      const id = ++last;
      const giveUp = setTimeout(() => {
        waiting.delete(id);
        reject(new Error("The server's event loop does not turn: the probe got no answer in 120 s."));
      }, 120_000);
      waiting.set(id, (report) => {
        clearTimeout(giveUp);
        waiting.delete(id);
        resolve(report);
      });
      child.send({ id, ask, ...more } satisfies ProbeRequest, (error) => {
        if (!error) return;
        clearTimeout(giveUp);
        reject(error);
      });
    });
}
