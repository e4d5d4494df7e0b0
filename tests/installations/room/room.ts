/**
 * A machine of its own as far as a container can be one: a bare Debian whose systemd is process 1, with its own processes, files,
 * network and control groups. It goes with the test that opened it, also when that is killed; folders that are left then are
 * removed by the next one.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { existsSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { comesTrue } from "../../attack/processes.ts";
import { openShellSession, type Ran, type ShellSession } from "../../clients/shell-session.ts";
import { ENDS_WITH_TEST, type Lan, NAME_SERVER } from "./lan.ts";
import { registryFiles, registrySettings } from "./registries.ts";

const run = promisify(execFile);
const START_MS = 60_000;
const COMMAND_MS = 900_000;
const BOOT = join(import.meta.dirname, "boot.sh");
const ROOMS = "/var/tmp";
const PREFIX = "millrace-room-";
/** Copied, because builders need a file system of their own below them. */
const DISKS = ["home", "opt", "root", "srv", "var"];
const NAMESPACES = ["--mount", "--uts", "--ipc", "--net", "--pid", "--cgroup"];

export interface RoomOptions {
  name: string;
  lan: Lan;
  /** Of `findBareSystem`. */
  bare: string;
  /** Folders of this machine, to read below `/mnt` by these names. */
  given?: { [name: string]: string };
}

export interface Room {
  address: string;
  /** Process 1, as this machine counts it. */
  pid: number;
  /** A terminal of a user, in their home. */
  open: (user: string, env?: { [name: string]: string }) => ShellSession;
  /** One command of a user. @throws Error with what it printed, when it fails */
  run: (command: string, user?: string) => Promise<string>;
  write: (path: string, text: string, mode?: number) => void;
  close: () => Promise<void>;
}

/** Resolves when it has started. */
export async function openRoom({ name, lan, bare, given = {} }: RoomOptions): Promise<Room> {
  removeLeftovers();
  const folder = mkdtempSync(join(ROOMS, PREFIX));
  chmodSync(folder, 0o755);
  writeFileSync(join(folder, "owner"), String(process.pid));
  for (const each of ["given", "root", "upper", "work"]) mkdirSync(join(folder, each));
  for (const each of DISKS) await run("cp", ["-a", join(bare, each), join(folder, each)]);
  for (const [as, path] of Object.entries(given)) symlinkSync(path, join(folder, "given", as));
  const write = (path: string, text: string, mode = 0o644) => {
    const [, disk = ""] = path.split("/");
    const file = DISKS.includes(disk) ? join(folder, path) : join(folder, "upper", path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { mode });
  };
  // What a room is given belongs to another user.
  write("/etc/gitconfig", "[safe]\n\tdirectory = *\n");
  write("/etc/hostname", `${name}\n`);
  write("/etc/hosts", `127.0.0.1 localhost ${name}\n::1 localhost\n`);
  write("/etc/resolv.conf", `nameserver ${NAME_SERVER}\n`);
  for (const [path, text] of Object.entries(await registryFiles(bare))) write(path, text);
  const cgroup = makeCgroup(folder);
  const machine = boot({ name, bare, folder, cgroup });
  const pid = await findInit(machine);
  const address = await lan.connect(pid);
  const settings = await registrySettings();
  const room = makeRoom({ address, pid, settings });
  // Files below an overlay that is mounted are written from inside.
  const close = async () => {
    await end(machine);
    await comesTrue(() => !readText(join(cgroup, "cgroup.events")).includes("populated 1"), START_MS);
    removeCgroup(cgroup);
    // Many files; nobody waits for that.
    spawn("rm", ["-rf", folder], { stdio: "ignore", detached: true }).unref();
  };
  try {
    await room.run("systemctl is-system-running --wait || systemctl --failed --no-legend");
    await room.run("update-ca-certificates");
    await room.run("useradd --create-home --shell /bin/bash ada");
    // Root reaches the registries in the same way.
    const kept = `Defaults env_keep += "${Object.keys(settings).join(" ")}"`;
    room.write("/etc/sudoers.d/ada", `ada ALL=(ALL) NOPASSWD: ALL\n${kept}\n`, 0o440);
  } catch (error) {
    await close();
    throw error;
  }
  return { ...room, close };
}

interface Started {
  address: string;
  pid: number;
  settings: { [name: string]: string };
}

function makeRoom({ address, pid, settings }: Started): Omit<Room, "close"> {
  const enter = ["nsenter", "--target", String(pid), ...NAMESPACES, "--"];
  const open: Room["open"] = (user, env = {}) => {
    const variables = Object.entries({ ...settings, LANG: "C.UTF-8", ...env });
    // A session as of someone who logs in: with a folder below /run.
    const options = ["--quiet", "--collect", "--pipe", "--wait", `--uid=${user}`, "--property=PAMName=login"];
    return openShellSession({
      folder: "/",
      // What the session gives to the user is set below.
      env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" },
      commandMs: COMMAND_MS,
      program: [
        ...enter,
        "systemd-run",
        ...options,
        ...variables.map(([key, value]) => `--setenv=${key}=${value}`),
        "bash",
        "-c",
        "cd && exec bash --norc --noprofile",
      ],
    });
  };
  return {
    address,
    pid,
    open,
    async run(command, user = "root") {
      const shell = open(user);
      const ran = await shell.run(command);
      await shell.end();
      return succeeded(command, ran);
    },
    // Through process 1, whose root this is.
    write(path, text, mode = 0o644) {
      const file = join(`/proc/${pid}/root`, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text, { mode });
    },
  };
}

export function succeeded(command: string, { output, exitCode }: Ran): string {
  if (exitCode !== 0) throw new Error(`$ ${command}\n${output}\nexit code ${exitCode}`);
  return output;
}

interface Booted {
  name: string;
  bare: string;
  folder: string;
  cgroup: string;
}

function boot({ name, bare, folder, cgroup }: Booted): ChildProcess {
  const unshare = `unshare ${NAMESPACES.join(" ")} --fork --kill-child`;
  const script = `echo $$ > "$1/cgroup.procs"; exec ${unshare} sh -c 'hostname "$1"; shift; exec "$@"' sh "$2" "$3" "$4" "$5"`;
  const args = ["sh", "-ec", script, "sh", cgroup, name, BOOT, bare, folder];
  return spawn("setpriv", [...ENDS_WITH_TEST, ...args], { stdio: ["ignore", "inherit", "inherit"] });
}

async function findInit(machine: ChildProcess): Promise<number> {
  let pid = 0;
  const isBooted = () => {
    pid = Number(readText(`/proc/${machine.pid}/task/${machine.pid}/children`).trim().split(" ")[0]);
    const isInit = readText(`/proc/${pid}/comm`) === "systemd\n";
    // Where it takes commands.
    return (
      machine.exitCode !== null || (isInit && existsSync(`/proc/${pid}/root/run/dbus/system_bus_socket`))
    );
  };
  const isThere = await comesTrue(isBooted, START_MS);
  if (!isThere || machine.exitCode !== null) throw new Error("The room's systemd does not start.");
  return pid;
}

/** The tree of version 2, beside which a machine may have that of version 1. */
function makeCgroup(folder: string): string {
  const tree = ["/sys/fs/cgroup/unified", "/sys/fs/cgroup"].find((each) =>
    existsSync(join(each, "cgroup.controllers")),
  );
  if (tree === undefined) throw new Error("This machine has no control groups of version 2.");
  const cgroup = join(tree, folder.slice(folder.lastIndexOf("/") + 1));
  mkdirSync(cgroup);
  return cgroup;
}

function removeCgroup(path: string): void {
  if (!existsSync(path)) return;
  for (const each of readdirSync(path, { withFileTypes: true }))
    if (each.isDirectory()) removeCgroup(join(path, each.name));
  rmdirSync(path);
}

/** Of tests that were killed. */
function removeLeftovers(): void {
  for (const name of readdirSync(ROOMS).filter((each) => each.startsWith(PREFIX))) {
    const owner = readText(join(ROOMS, name, "owner"));
    if (owner === "" || existsSync(`/proc/${owner}`)) continue;
    rmSync(join(ROOMS, name), { recursive: true, force: true });
    removeCgroup(join("/sys/fs/cgroup/unified", name));
    removeCgroup(join("/sys/fs/cgroup", name));
  }
}

async function end(machine: ChildProcess): Promise<void> {
  if (machine.exitCode !== null || machine.signalCode !== null) return;
  const ended = once(machine, "exit");
  machine.kill("SIGKILL");
  await ended;
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
