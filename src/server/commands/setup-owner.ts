/** The owner of a setup's folder, and the setup as that user (decision 051). */
import { spawn } from "node:child_process";
import type { Stats } from "node:fs";
import { lstat, realpath, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { killGroup, type SystemUser, withoutControls } from "#builds/index.ts";
import { root } from "../pages/build-folders.ts";
import { UserError } from "#platform/environment/user-error.ts";

/**
 * @param folder of layer caches and programs
 * @returns the id of the user who owns the data folder; before the first start, of the owner of the folder around it
 */
export async function findOwner(dataFolder: string, folder: string): Promise<number> {
  const me = process.getuid?.() ?? 0;
  const here = await nearest(dataFolder);
  const { uid } = await stat(here);
  if (me !== 0) {
    if (here === dataFolder && uid !== me)
      throw new UserError(`${dataFolder} belongs to another user: run the command as that user, or as root.`);
    return me;
  }
  await refuseStrangers(folder, uid);
  return uid;
}

/** The owner of a part of the path can redirect root, and programs run for the folder's owner. The checkout's owner is trusted. */
async function refuseStrangers(folder: string, owner: number): Promise<void> {
  const here = await nearest(folder);
  const parts = new Set([...parents(here), ...parents(await realpath(here))]);
  const trusted = [0, owner, (await stat(root)).uid];
  for (const path of parts) {
    const { uid } = await lstat(path);
    if (!trusted.includes(uid))
      throw new UserError(
        `${path} does not belong to the same user as ${dirname(folder)}, and could lead root elsewhere: make root or the server's user the owner of all folders of that path.`,
      );
  }
}

const parents = (path: string): string[] =>
  dirname(path) === path ? [path] : [...parents(dirname(path)), path];

/** The path itself, or its nearest existing parent. */
async function nearest(path: string): Promise<string> {
  const found: Stats | null = await lstat(path).catch(() => null);
  return found !== null || dirname(path) === path ? path : nearest(dirname(path));
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/** Variables for finding, fetching and building the programs: the rest of root's environment stays private. */
const HANDED_ON =
  /^(?:PATH|LANG|LC_\w+|TZ|(?:https?|no|all)_proxy|GO\w*|NODE_\w+|SSL_CERT_\w+|BUILDKITD|MILLRACE_BUILD\w+)$/i;

interface SetupRun {
  dataFolder: string;
  /** The folder of layer caches and programs. */
  folder: string;
  /** Flags of `setup-builders`. */
  flags: readonly string[];
}

/** Installs the programs in a process of that user, without a terminal, which another process of that user could take over. */
export function getAsUser(
  { id, groupId }: SystemUser,
  { dataFolder, folder, flags }: SetupRun,
): Promise<void> {
  const main = join(root, "src/server/main.ts");
  const command = [main, "setup-builders", "--programs", "--yes", ...flags];
  const handedOn = Object.entries(process.env).filter(([name]) => HANDED_ON.test(name));
  const child = spawn(process.execPath, [...process.execArgv, ...command], {
    uid: id,
    gid: groupId,
    cwd: root,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    // Root's Go settings are not that user's; its temporary home is removed afterwards.
    env: { ...Object.fromEntries(handedOn), DATA_DIR: dataFolder, HOME: join(folder, ".setup") },
  });
  child.stdout.setEncoding("utf8").on("data", (text: string) => process.stdout.write(withoutControls(text)));
  child.stderr.setEncoding("utf8").on("data", (text: string) => process.stderr.write(withoutControls(text)));
  const stop = (signal: NodeJS.Signals) => killGroup(child.pid, signal);
  // A second signal ends this process, whatever the child does.
  for (const signal of SIGNALS) process.once(signal, stop);
  return new Promise<void>((resolve, reject) => {
    child.once("error", ({ message }) =>
      reject(
        new UserError(
          `The server's user cannot run ${process.execPath} in ${root} (${message}): make both readable for everyone.`,
        ),
      ),
    );
    child.once("close", (code) => {
      if (code === 0) return resolve();
      reject(
        new UserError(
          "The programs are not installed: fix the problem above, and run setup-builders again. It continues from here.",
        ),
      );
    });
  }).finally(() => {
    for (const signal of SIGNALS) process.off(signal, stop);
  });
}
