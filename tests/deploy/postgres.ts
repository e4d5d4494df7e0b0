/** A PostgreSQL of the test's own, from the machine's packages (Debian: `postgresql`). */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../attack/server-process.ts";

export interface RunningPostgres {
  port: number;
  /** The address with a user who has all rights. */
  url: string;
  /** Ends it as a machine's shutdown does: connections are cut. */
  stop: () => Promise<void>;
  /** Starts it again on the same port with the same data. */
  start: () => Promise<void>;
  /** Ends it and removes its data. */
  close: () => Promise<void>;
}

const PASSWORD = "of-the-tests";
const START_MS = 60_000;
const PAUSE_MS = 50;
const DEBIAN_FOLDER = "/usr/lib/postgresql";
/** Nothing in it outlives the test. */
const SETTINGS = ["fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=200"];

/** @returns null where the machine has none */
export function findPostgres(): string | null {
  const versions = existsSync(DEBIAN_FOLDER) ? readdirSync(DEBIAN_FOLDER) : [];
  const folders = versions
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(DEBIAN_FOLDER, version, "bin"));
  const named = spawnSync("sh", ["-c", "command -v initdb"], { encoding: "utf8" }).stdout.trim();
  if (named) folders.push(join(named, ".."));
  return folders.find((folder) => existsSync(join(folder, "initdb"))) ?? null;
}

/** @param settings more of `postgresql.conf`: `max_connections=5` */
export async function startPostgres(
  programs: string,
  settings: readonly string[] = [],
): Promise<RunningPostgres> {
  const folder = mkdtempSync(join(tmpdir(), "postgres-"));
  // PostgreSQL refuses to run as root.
  const user = process.getuid?.() === 0 ? userOf("postgres") : undefined;
  if (user) chownSync(folder, user.uid, user.gid);
  const [data, passwordFile] = [join(folder, "data"), join(folder, "password")];
  writeFileSync(passwordFile, PASSWORD, { mode: 0o644 });
  const made = spawnSync(
    join(programs, "initdb"),
    [
      "--pgdata",
      data,
      "--username=millrace",
      "--auth=scram-sha-256",
      `--pwfile=${passwordFile}`,
      "--encoding=UTF8",
      "--no-locale",
      "--no-sync",
    ],
    { ...user, encoding: "utf8", cwd: folder },
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  const port = await freePort();
  let child: ChildProcess;
  const start = async () => {
    const options = [...SETTINGS, ...settings].flatMap((setting) => ["-c", setting]);
    const args = ["-D", data, "-h", "127.0.0.1", "-p", String(port), "-k", folder, ...options];
    child = spawn(join(programs, "postgres"), args, {
      ...user,
      cwd: folder,
      stdio: ["ignore", "ignore", "pipe"],
    });
    let output = "";
    child.stderr?.on("data", (chunk) => (output = (output + String(chunk)).slice(-10_000)));
    const deadline = performance.now() + START_MS;
    while (!output.includes("ready to accept connections") || !(await accepts(port))) {
      if (child.exitCode !== null || performance.now() > deadline)
        throw new Error(`PostgreSQL does not start:\n${output}`);
      await sleep(PAUSE_MS);
    }
  };
  const stop = () =>
    new Promise<void>((resolve) => {
      if (child.exitCode !== null || child.signalCode !== null) return resolve();
      child.once("exit", () => resolve());
      // "Fast": it does not wait for clients.
      child.kill("SIGINT");
    });
  await start();
  const close = async () => {
    await stop();
    rmSync(folder, { recursive: true, force: true });
  };
  return { port, url: `postgres://millrace:${PASSWORD}@127.0.0.1:${port}/postgres`, start, stop, close };
}

function userOf(name: string): { uid: number; gid: number } {
  const id = (what: string) => Number(spawnSync("id", [what, name], { encoding: "utf8" }).stdout);
  return { uid: id("-u"), gid: id("-g") };
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}
