/** Process 1 of a room, and everything that ends with it. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { comesTrue } from "../../attack/processes.ts";
import { ENDS_WITH_TEST } from "./lan.ts";

const START_MS = 60_000;
const BOOT = join(import.meta.dirname, "boot.sh");
const TREES = ["/sys/fs/cgroup/unified", "/sys/fs/cgroup"];
export const NAMESPACES = ["--mount", "--uts", "--ipc", "--net", "--pid", "--cgroup"];

export interface Booted {
  /** The process id of systemd on this machine. */
  pid: number;
  /** Like a power failure: its files stay. */
  stop: () => Promise<void>;
}

export interface BootOptions {
  name: string;
  /** The folder of `findBareSystem`. */
  bare: string;
  /** Has the files that `boot.sh` needs. */
  folder: string;
}

/** Resolves when systemd accepts commands. */
export async function bootMachine({ name, bare, folder }: BootOptions): Promise<Booted> {
  // The kernel's note that an overlay was not written out in the end. Nothing here needs that.
  rmSync(join(folder, "work/work/incompat"), { recursive: true, force: true });
  const cgroup = makeCgroup(basename(folder));
  const unshare = `unshare ${NAMESPACES.join(" ")} --fork --kill-child`;
  const script = `echo $$ > "$1/cgroup.procs"; exec ${unshare} sh -c 'hostname "$1"; shift; exec "$@"' sh "$2" "$3" "$4" "$5"`;
  const args = ["sh", "-ec", script, "sh", cgroup, name, BOOT, bare, folder];
  const first = spawn("setpriv", [...ENDS_WITH_TEST, ...args], { stdio: ["ignore", "inherit", "inherit"] });
  const pid = await findInit(first);
  return {
    pid,
    async stop() {
      if (first.exitCode === null && first.signalCode === null) {
        const ended = once(first, "exit");
        first.kill("SIGKILL");
        await ended;
      }
      await comesTrue(() => !readText(join(cgroup, "cgroup.events")).includes("populated 1"), START_MS);
      removeCgroup(cgroup);
    },
  };
}

async function findInit(first: ChildProcess): Promise<number> {
  let pid = 0;
  const isBooted = () => {
    pid = Number(readText(`/proc/${first.pid}/task/${first.pid}/children`).trim().split(" ")[0]);
    const isInit = readText(`/proc/${pid}/comm`) === "systemd\n";
    return first.exitCode !== null || (isInit && existsSync(`/proc/${pid}/root/run/dbus/system_bus_socket`));
  };
  const isThere = await comesTrue(isBooted, START_MS);
  if (!isThere || first.exitCode !== null) throw new Error("The room's systemd does not start.");
  return pid;
}

/** In the tree of version 2; a machine may have a tree of version 1 as well. */
function makeCgroup(name: string): string {
  const tree = TREES.find((each) => existsSync(join(each, "cgroup.controllers")));
  if (tree === undefined) throw new Error("This machine has no control groups of version 2.");
  mkdirSync(join(tree, name));
  return join(tree, name);
}

/** Removes the groups of a room that has ended. */
export const removeCgroups = (name: string) => TREES.forEach((tree) => removeCgroup(join(tree, name)));

function removeCgroup(path: string): void {
  if (!existsSync(path)) return;
  for (const each of readdirSync(path, { withFileTypes: true }))
    if (each.isDirectory()) removeCgroup(join(path, each.name));
  rmdirSync(path);
}

/** @returns "" where there is none */
export function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
