/**
 * The trees of control groups of this machine, and the part of each that this server may change.
 *
 * A server that may not change the root of version 2's tree, or finds processes in it, as in a container, uses a delegated part of
 * it (`Delegate=yes` of systemd): the group of this process. Groups with processes pass no limits on, so this process and its
 * siblings move into a group below, `millrace-server`, and builders get groups next to it.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

export const CONTROLLERS = ["cpu", "memory", "pids"] as const;
export type Controller = (typeof CONTROLLERS)[number];

export interface Tree {
  /** Where it is mounted; for version 2, also the part of it that this server may change. */
  folder: string;
  /** For version 2: the part of the tree that is mounted there. */
  root: string;
  version: 1 | 2;
  controllers: readonly Controller[];
}

/** Reads the kernel's view of this process: `/proc/self/…`. */
export type AskKernel = (file: "mountinfo" | "cgroup") => Promise<string>;

export const askKernel: AskKernel = (file) => readFile(`/proc/self/${file}`, "utf8");

/** For version 2, both candidates: only trying shows which one may be changed; a killed server may have used either. */
export async function findTrees(ask: AskKernel): Promise<Tree[]> {
  const own = parseOwnGroup(await ask("cgroup").catch(() => ""));
  const mounted = parseTrees(await ask("mountinfo").catch(() => ""));
  return mounted.flatMap((tree) => {
    const part = own === null || tree.version === 1 ? tree.folder : folderOfGroup(tree, own);
    return part === tree.folder ? [tree] : [tree, { ...tree, folder: part }];
  });
}

/** @param mounts as in `/proc/self/mountinfo` */
export function parseTrees(mounts: string): Tree[] {
  return mounts.split("\n").flatMap((line): Tree[] => {
    const [before = "", after = ""] = line.split(" - ");
    const [, , , root = "/", folder] = before.split(" ");
    const [type, , options = ""] = after.split(" ");
    if (folder === undefined || (type !== "cgroup" && type !== "cgroup2")) return [];
    const named = options.split(",");
    const controllers = type === "cgroup" ? CONTROLLERS.filter((each) => named.includes(each)) : [];
    return [{ folder, root, version: type === "cgroup" ? 1 : 2, controllers }];
  });
}

/** @param groups as in `/proc/self/cgroup`. @returns the group in version 2: `/system.slice/millrace.service` */
const parseOwnGroup = (groups: string): string | null => /^0::(\/.*)$/m.exec(groups)?.[1] ?? null;

/** Where the part of the tree that was delegated to this process is mounted. */
function folderOfGroup({ folder, root }: Tree, own: string): string {
  // This process has moved there before.
  const group = basename(own) === SERVER_GROUP ? dirname(own) : own;
  return join(folder, root !== "/" && group.startsWith(root) ? group.slice(root.length) : group);
}

/** Makes the server's own group. @throws Error when this process may not */
export async function openTree(tree: Tree, name: string): Promise<Tree> {
  const { folder, version } = tree;
  const own = join(folder, name);
  if (version === 1) {
    await mkdir(own, { recursive: true });
    await copyProcessorSets(folder, own);
    return tree;
  }
  const there = (await readFile(join(folder, "cgroup.controllers"), "utf8")).trim().split(/\s+/);
  const controllers = CONTROLLERS.filter((each) => there.includes(each));
  if (controllers.length > 0) await handOn(folder, controllers);
  // Only exists if the server has moved there: it answers all requests.
  if (controllers.includes("cpu"))
    await writeFile(join(folder, SERVER_GROUP, "cpu.weight"), SERVER_WEIGHT).catch(() => {});
  await mkdir(own, { recursive: true });
  if (controllers.length > 0) await writeFile(join(own, CHILDREN_HAVE), wordsFor(controllers));
  return { ...tree, controllers };
}

const SERVER_GROUP = "millrace-server";
/**
 * All builders together have 100.
 * @public A test compares it with what the pages say.
 */
export const SERVER_WEIGHT = "400";
const CHILDREN_HAVE = "cgroup.subtree_control";
const wordsFor = (controllers: readonly string[]) => controllers.map((each) => `+${each}`).join(" ");
/** New processes may start during a move. */
const MOVES = 10;

/** A group passes on only what its parent passes on, and nothing while it has processes: then they are moved. */
export async function handOn(folder: string, controllers: readonly Controller[]): Promise<void> {
  for (let move = 0; ; move += 1)
    try {
      return await writeFile(join(folder, CHILDREN_HAVE), wordsFor(controllers));
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EBUSY") || move === MOVES)
        throw error;
      await moveProcesses(folder, join(folder, SERVER_GROUP));
    }
}

async function moveProcesses(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  const processes = await readFile(join(from, "cgroup.procs"), "utf8");
  for (const id of processes.split("\n").filter(Boolean))
    await writeFile(join(to, "cgroup.procs"), id).catch(() => {});
}

/** A new group of this controller has no processors, and no process can enter it. */
export async function copyProcessorSets(from: string, to: string): Promise<void> {
  for (const file of ["cpuset.cpus", "cpuset.mems"]) {
    const value = await readFile(join(from, file), "utf8").catch(() => null);
    if (value !== null) await writeFile(join(to, file), value);
  }
}
