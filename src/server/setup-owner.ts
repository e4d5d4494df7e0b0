/** Whose folder a setup prepares, and the setup as that user (decision 051). */
import { spawn } from "node:child_process";
import type { Stats } from "node:fs";
import { lstat, realpath, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { root } from "./build-folders.ts";
import { UserError } from "./user-error.ts";

export interface Owner {
  id: number;
  groupId: number;
}

/**
 * The server's user has its data folder; before the first start, whoever has the folder around it.
 *
 * @param folder of layer caches and programs
 */
export async function findOwner(dataFolder: string, folder: string): Promise<Owner> {
  const me = { id: process.getuid?.() ?? 0, groupId: process.getgid?.() ?? 0 };
  const found = await stat(await nearest(dataFolder));
  if (me.id !== 0) {
    const isThere = (await nearest(dataFolder)) === dataFolder;
    if (isThere && found.uid !== me.id)
      throw new UserError(`${dataFolder} belongs to another user: run the command as that user, or as root.`);
    return me;
  }
  if (found.uid !== 0) return { id: found.uid, groupId: found.gid };
  await refuseStrangers(folder);
  return me;
}

/** Whoever has a part of the path can lead root elsewhere. Whoever has the program itself need not. */
async function refuseStrangers(folder: string): Promise<void> {
  const here = await nearest(folder);
  const parts = new Set([...parents(here), ...parents(await realpath(here))]);
  const { uid: trusted } = await stat(root);
  for (const path of parts) {
    // oxlint-disable-next-line no-await-in-loop -- a few
    const { uid } = await lstat(path);
    if (uid !== 0 && uid !== trusted)
      throw new UserError(
        `${path} belongs to another user, and root writes nothing below it: set DATA_DIR to a folder of the server's user, or give it to root.`,
      );
  }
}

const parents = (path: string): string[] =>
  dirname(path) === path ? [path] : [...parents(dirname(path)), path];

/** Itself, or the first folder around it that is there. */
async function nearest(path: string): Promise<string> {
  const found: Stats | null = await lstat(path).catch(() => null);
  return found !== null || dirname(path) === path ? path : nearest(dirname(path));
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Gets the programs in a process of that user, without a terminal: another process of the same user could take it over.
 *
 * @param flags of `setup-builders`
 */
export function getAsUser(
  { id, groupId }: Owner,
  { dataFolder, folder, flags }: { dataFolder: string; folder: string; flags: readonly string[] },
): Promise<void> {
  const main = join(root, "src/server/main.ts");
  const command = [main, "setup-builders", "--programs", "--yes", ...flags];
  const child = spawn(process.execPath, [...process.execArgv, ...command], {
    uid: id,
    gid: groupId,
    cwd: root,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    // Go's settings of root are not that user's; its own folder goes afterwards.
    env: { ...process.env, DATA_DIR: dataFolder, HOME: join(folder, ".setup") },
  });
  child.stdout.pipe(process.stdout, { end: false });
  child.stderr.pipe(process.stderr, { end: false });
  const stop = (signal: NodeJS.Signals) => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, signal);
  };
  for (const signal of SIGNALS) process.on(signal, stop);
  return new Promise<void>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      if (code === 0) return resolve();
      reject(
        new UserError(
          "The programs are not there: mend what is said above, and run setup-builders again. It goes on from here.",
        ),
      );
    });
  }).finally(() => {
    for (const signal of SIGNALS) process.off(signal, stop);
  });
}
