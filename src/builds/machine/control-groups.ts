/**
 * Control groups of builders: how much memory and processor time one may use. What a builder runs is in two groups, so
 * that a step that takes too much memory is ended, and not the daemon that has to say so.
 *
 *   millrace-3f9a1c20b7/            of this server's data folder
 *     prj_7q4hx2n9ds-linux-amd64/   all limits; inside the builder this is the root, because a build may name its group
 *       daemon/                     buildkitd
 *       steps/                      memory of all steps; runc makes a group for each
 *
 * Version 2 has one tree. Version 1 has one for each controller, and runc makes its groups in all of them.
 */
import { mkdir, readdir, readFile, rmdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  type AskKernel,
  askKernel,
  type Controller,
  CONTROLLERS,
  copyProcessorSets,
  findTrees,
  openTree,
  type Tree,
} from "./control-trees.ts";

const CPU_PERIOD_MICROSECONDS = 100_000;
/** Steps that fork without end stop here. */
const MOST_PROCESSES = 32_768;
/** For buildkitd, which needs 50 MB at rest, besides what steps may have. */
const DAEMON_MEMORY_BYTES = 2 * 1024 ** 3;

export interface Limits {
  cpus: number;
  memoryBytes: number;
}

export interface ControlGroup {
  /** In each tree: what the builder's first process enters, and makes its root. */
  folders: readonly string[];
  /** When the builder runs: version 2 has some of the files only then. */
  limit: (limits: Limits) => Promise<void>;
  /** Nothing may run in it any more. */
  remove: () => Promise<void>;
}

export interface ControlGroups {
  /** Why there are none or not all; null: all is there. */
  missing: string | null;
  /** @returns null where there are none */
  open: (name: string) => Promise<ControlGroup | null>;
  /** Processes that a killed server had left in its groups, and that were ended. */
  ended: number;
  close: () => Promise<void>;
}

/**
 * First removes what a killed server has left of them.
 * @param name of the group of all builders of this server
 * @param ask for tests
 */
export async function findControlGroups(name: string, ask: AskKernel = askKernel): Promise<ControlGroups> {
  const trees = await findTrees(ask);
  const folders = trees.map(({ folder }) => join(folder, name));
  const close = () => removeFolders(folders);
  let ended = 0;
  for (const folder of folders) ended += await killAll(folder);
  await close();
  const usable: Tree[] = [];
  let failure = "";
  for (const tree of trees)
    try {
      if (usable.some(({ version }) => version === 2) && tree.version === 2) continue;
      // oxlint-disable-next-line no-await-in-loop -- there are few
      usable.push(await openTree(tree, name));
    } catch (error) {
      failure = error instanceof Error ? error.message : String(error);
    }
  const lacking = CONTROLLERS.filter((each) => !usable.some(({ controllers }) => controllers.includes(each)));
  const why = failure === "" ? "the machine has no such controllers" : failure;
  return {
    missing: lacking.length === 0 ? null : `${lacking.join(", ")}: ${why}`,
    open: (builder) => openGroup(usable, join(name, builder)),
    ended,
    close,
  };
}

async function openGroup(trees: readonly Tree[], path: string): Promise<ControlGroup | null> {
  if (trees.every(({ controllers }) => controllers.length === 0)) return null;
  const folders = trees.map(({ folder }) => join(folder, path));
  const remove = () => removeFolders(folders);
  try {
    for (const folder of folders) await makeGroup(folder);
  } catch (error) {
    await remove();
    throw error;
  }
  const limit = async (limits: Limits) => {
    for (const tree of trees) await writeLimits(tree, path, limits);
  };
  return { folders, limit, remove };
}

async function makeGroup(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await copyProcessorSets(dirname(folder), folder);
  for (const each of ["daemon", "steps"]) {
    await mkdir(join(folder, each), { recursive: true });
    await copyProcessorSets(folder, join(folder, each));
  }
}

async function writeLimits(
  { folder, version, controllers }: Tree,
  path: string,
  limits: Limits,
): Promise<void> {
  const group = join(folder, path);
  const quota = Math.ceil(limits.cpus * CPU_PERIOD_MICROSECONDS);
  const memory = version === 1 ? "memory.limit_in_bytes" : "memory.max";
  const files: Readonly<Record<Controller, readonly (readonly [file: string, value: string])[]>> = {
    cpu:
      version === 1
        ? [
            ["cpu.cfs_period_us", String(CPU_PERIOD_MICROSECONDS)],
            ["cpu.cfs_quota_us", String(quota)],
          ]
        : [["cpu.max", `${quota} ${CPU_PERIOD_MICROSECONDS}`]],
    // The first also holds a step whose build has named another group.
    memory: [
      [memory, String(limits.memoryBytes + DAEMON_MEMORY_BYTES)],
      [`steps/${memory}`, String(limits.memoryBytes)],
    ],
    pids: [["pids.max", String(MOST_PROCESSES)]],
  };
  for (const each of controllers)
    for (const [file, value] of files[each])
      // oxlint-disable-next-line no-await-in-loop -- a few short files
      await writeFile(join(group, file), value);
}

/** @returns how many there were */
async function killAll(group: string): Promise<number> {
  const below = await readdir(group, { withFileTypes: true }).catch(() => []);
  let count = 0;
  for (const each of below)
    // oxlint-disable-next-line no-await-in-loop -- as above
    if (each.isDirectory()) count += await killAll(join(group, each.name));
  const processes = await readFile(join(group, "cgroup.procs"), "utf8").catch(() => "");
  for (const id of processes.split("\n").filter(Boolean))
    try {
      process.kill(Number(id), "SIGKILL");
      count += 1;
    } catch {
      // It has ended meanwhile.
    }
  return count;
}

/** How long the kernel may take to let go of what has ended. */
const REMOVAL_MS = 2_000;
const RETRY_MS = 20;

/** The innermost first: only empty groups can be removed, and their files are not files. */
async function removeFolders(folders: readonly string[]): Promise<void> {
  for (const end = performance.now() + REMOVAL_MS; ;) {
    // oxlint-disable-next-line no-await-in-loop -- asked again until they are gone
    const removed = await Promise.all(folders.map(removeTree));
    if (removed.every(Boolean) || performance.now() > end) return;
    // oxlint-disable-next-line no-await-in-loop -- as above
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

/** @returns whether it is gone */
async function removeTree(folder: string): Promise<boolean> {
  const below = await readdir(folder, { withFileTypes: true }).catch(() => null);
  if (below === null) return true;
  for (const each of below)
    // oxlint-disable-next-line no-await-in-loop -- there are few
    if (each.isDirectory()) await removeTree(join(folder, each.name));
  return rmdir(folder).then(
    () => true,
    () => false,
  );
}
