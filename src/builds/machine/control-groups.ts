/**
 * Control groups limit the memory and processor time of a builder, and of all builders of an organization together. Each builder
 * has two groups, so that a step that takes too much memory is killed, and not the daemon that has to report it.
 *
 *   millrace-3f9a1c20b7/              for this server's data folder: all of its builders
 *     org_4c8m2k7w1p/                 as much processor time as any other organization, however many builders it has
 *       prj_7q4hx2n9ds-linux-amd64/   all limits; inside the builder this is the root, because a build may name its group
 *         daemon/                     buildkitd
 *         steps/                      memory of all steps; runc makes a group for each
 *
 * As root, the first group is at the tree's root, and weighs as much as all services of the machine, or in version 1 as one process
 * without a group. In a delegated part, it is next to the server's own group, which weighs four times as much.
 *
 * Version 2 has one tree. Version 1 has one for each controller, and runc makes its groups in all of them.
 */
import { rmdirSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { totalmem } from "node:os";
import { dirname, join } from "node:path";
import {
  type AskKernel,
  askKernel,
  type Controller,
  CONTROLLERS,
  copyProcessorSets,
  findTrees,
  handOn,
  openTree,
  type Tree,
} from "./control-trees.ts";
import { MOST_MEMORY } from "./limits.ts";
import { createShares, type Share } from "./memory-shares.ts";
import { killAll, removeFolders } from "./remove-groups.ts";

const CPU_PERIOD_MICROSECONDS = 100_000;
const MEMORY = { 1: "memory.limit_in_bytes", 2: "memory.max" } as const;
/** Limits steps that fork endlessly. */
const MOST_PROCESSES = 32_768;
/** For buildkitd, which needs 50 MB at rest, in addition to the steps' memory. */
const DAEMON_MEMORY_BYTES = 2 * 1024 ** 3;

export interface Limits {
  cpus: number;
  memoryBytes: number;
}

export interface ControlGroup {
  /** In each tree: the group that the builder's first process enters and makes its root. */
  folders: readonly string[];
  /** Called once the builder runs: version 2 has some of the files only then. */
  limit: (limits: Limits) => Promise<void>;
  /** Nothing may run in it any more. */
  remove: () => Promise<void>;
}

export interface ControlGroups {
  /** Why groups are missing, or some of them; null: nothing is missing. */
  missing: string | null;
  /** @returns null if there are no control groups */
  open: (organizationId: string, builder: string) => Promise<ControlGroup | null>;
  /** Limits the memory of organizations while several of them build. */
  share: (atWork: ReadonlySet<string>) => Promise<void>;
  /** Number of processes of a killed server that were in its groups and were ended. */
  ended: number;
  close: () => Promise<void>;
}

/**
 * First removes the groups that a killed server has left.
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
      const opened = await openTree(tree, name);
      await limitAll(opened, name);
      usable.push(opened);
    } catch (error) {
      failure = error instanceof Error ? error.message : String(error);
    }
  const lacking = CONTROLLERS.filter((each) => !usable.some(({ controllers }) => controllers.includes(each)));
  const why = failure === "" ? "the machine has no such controllers" : failure;
  const groups: Groups = { trees: usable, name, organizations: new Map() };
  const shares = createShares({ find: () => findShares(groups), most: allMemory() });
  return {
    missing: lacking.length === 0 ? null : `${lacking.join(", ")}: ${why}`,
    open: (organizationId, builder) => openGroup(groups, organizationId, builder),
    share: (atWork) => shares.share(atWork),
    ended,
    async close() {
      shares.close();
      await close();
    },
  };
}

/** Limits all builders together. */
async function limitAll({ folder, version, controllers }: Tree, name: string): Promise<void> {
  if (controllers.includes("memory"))
    await writeFile(join(folder, name, MEMORY[version]), String(allMemory()));
}

const allMemory = () => Math.floor(totalmem() * MOST_MEMORY);

interface Groups {
  trees: readonly Tree[];
  name: string;
  /** Number of builders of each organization that has a group. */
  organizations: Map<string, number>;
}

async function openGroup(
  { trees, name, organizations }: Groups,
  organizationId: string,
  builder: string,
): Promise<ControlGroup | null> {
  if (trees.every(({ controllers }) => controllers.length === 0)) return null;
  organizations.set(organizationId, (organizations.get(organizationId) ?? 0) + 1);
  const parents = trees.map(({ folder }) => join(folder, name, organizationId));
  const folders = parents.map((folder) => join(folder, builder));
  const remove = async () => {
    await removeFolders(folders);
    const left = (organizations.get(organizationId) ?? 1) - 1;
    organizations.set(organizationId, left);
    if (left > 0) return;
    organizations.delete(organizationId);
    // Synchronous: a starting builder makes them anew, or has been counted.
    for (const folder of parents) tryRemove(folder);
  };
  try {
    for (const [at, folder] of folders.entries()) await makeGroup(trees[at]!, folder);
  } catch (error) {
    await remove();
    throw error;
  }
  const limit = async (limits: Limits) => {
    for (const [at, tree] of trees.entries()) await writeLimits(tree, folders[at]!, limits);
  };
  return { folders, limit, remove };
}

function tryRemove(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // The kernel has not released a builder yet: the group is removed with the server's own.
  }
}

async function makeGroup(tree: Tree, folder: string): Promise<void> {
  const parent = dirname(folder);
  await mkdir(parent, { recursive: true });
  await copyProcessorSets(dirname(parent), parent);
  if (tree.version === 2 && tree.controllers.length > 0) await handOn(parent, tree.controllers);
  for (const each of [folder, join(folder, "daemon"), join(folder, "steps")]) {
    await mkdir(each, { recursive: true });
    await copyProcessorSets(dirname(each), each);
  }
}

/** Memory limit files of organizations that have a group. */
const findShares = ({ trees, name, organizations }: Groups): Share[] =>
  trees
    .filter(({ controllers }) => controllers.includes("memory"))
    .flatMap(({ folder, version }) =>
      [...organizations.keys()].map((organizationId) => ({
        organizationId,
        file: join(folder, name, organizationId, MEMORY[version]),
      })),
    );

async function writeLimits({ version, controllers }: Tree, group: string, limits: Limits): Promise<void> {
  const quota = Math.ceil(limits.cpus * CPU_PERIOD_MICROSECONDS);
  const memory = MEMORY[version];
  const files: Readonly<Record<Controller, readonly (readonly [file: string, value: string])[]>> = {
    cpu:
      version === 1
        ? [
            ["cpu.cfs_period_us", String(CPU_PERIOD_MICROSECONDS)],
            ["cpu.cfs_quota_us", String(quota)],
          ]
        : [["cpu.max", `${quota} ${CPU_PERIOD_MICROSECONDS}`]],
    // The first limit also covers a step whose build has named another group.
    memory: [
      [memory, String(limits.memoryBytes + DAEMON_MEMORY_BYTES)],
      [`steps/${memory}`, String(limits.memoryBytes)],
    ],
    pids: [["pids.max", String(MOST_PROCESSES)]],
  };
  for (const each of controllers)
    for (const [file, value] of files[each]) await writeFile(join(group, file), value);
}
