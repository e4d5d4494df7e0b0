/** One process at a time, using a file that only one process can create. */
import { randomBytes } from "node:crypto";
import { link, open, readFile, rename, stat, unlink } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { CliError, errorCode } from "./errors.ts";

const PAUSE_MS = 20;
/** The work takes milliseconds. Twenty concurrent processes on a slow disk finish long before. */
const MAX_WAIT_MS = 20_000;
const LEFTOVER_MS = 5000;

/** @throws CliError if another process holds it for too long */
export async function withLock<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  const owner = `${process.pid} ${randomBytes(8).toString("hex")}`;
  for (let waited = 0; !(await create(path, owner)); waited += PAUSE_MS) {
    if (waited > MAX_WAIT_MS)
      throw new CliError(`another millrace process holds ${path}: if there is none, remove that file`);
    await removeLeftover(path);
    await sleep(PAUSE_MS);
  }
  try {
    return await work();
  } finally {
    await unlink(path).catch(() => {});
  }
}

/** The file has its content from the start, so that no process sees a lock without an owner. */
async function create(path: string, owner: string): Promise<boolean> {
  const draft = `${path}.${owner.replace(" ", "-")}`;
  try {
    const handle = await open(draft, "wx", 0o600);
    await handle.writeFile(owner).finally(() => handle.close());
    await link(draft, path);
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  } finally {
    await unlink(draft).catch(() => {});
  }
}

/** Removes the lock of a process that has died and left it. */
async function removeLeftover(path: string): Promise<void> {
  const owner = await readOwner(path);
  if (owner === "" || isAlive(Number.parseInt(owner, 10))) return;
  // The owner may have released it and ended since. A leftover lock stays, and gets old: a process in another container,
  // which is invisible here, holds it for milliseconds.
  const age = Date.now() - ((await stat(path).catch(() => undefined))?.mtimeMs ?? Date.now());
  if (age < LEFTOVER_MS || (await readOwner(path)) !== owner) return;
  const aside = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    await rename(path, aside);
    // Another process may have removed the leftover first and locked the file: then it gets its lock back.
    if ((await readOwner(aside)) !== owner) await link(aside, path);
  } catch (error) {
    if (errorCode(error) !== "ENOENT" && errorCode(error) !== "EEXIST") throw error;
  } finally {
    await unlink(aside).catch(() => {});
  }
}

const readOwner = (path: string): Promise<string> => readFile(path, "utf8").catch(() => "");

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process exists, but belongs to another user.
    return errorCode(error) === "EPERM";
  }
}
