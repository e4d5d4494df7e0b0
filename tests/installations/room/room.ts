/**
 * A machine of its own as far as a container can be one: a bare Debian whose systemd is process 1, with its own
 * processes, files, network and control groups. It goes with the test that opened it, also when the test is killed; the
 * next test removes folders that are left then.
 */
import { execFile, spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { openShellSession, type Ran, type ShellSession } from "../../clients/shell-session.ts";
import { type Lan, NAME_SERVER } from "./lan.ts";
import { bootMachine, NAMESPACES, readText, removeCgroups } from "./machine.ts";
import { registryFiles, registrySettings } from "./registries.ts";

const run = promisify(execFile);
const COMMAND_MS = 900_000;
/** Units that cannot run in a container fail, and nothing here needs them. */
const IS_RUNNING = "systemctl is-system-running --wait || systemctl --failed --no-legend";
const ROOMS = "/var/tmp";
const PREFIX = "millrace-room-";
/** Copied, because builders need a file system of their own below them. */
const DISKS = ["home", "opt", "root", "srv", "var"];

export interface RoomOptions {
  name: string;
  lan: Lan;
  /** The folder of `findBareSystem`. */
  bare: string;
  /** Folders of this machine, to read below `/mnt` by these names. */
  given?: { [name: string]: string };
}

export interface Room {
  address: string;
  /** The id of its process 1 on this machine. */
  pid: () => number;
  /** A terminal of a user, in their home. */
  open: (user: string, env?: { [name: string]: string }) => ShellSession;
  /** Runs one command of a user. @throws Error with its output, when it fails */
  run: (command: string, user?: string) => Promise<string>;
  write: (path: string, text: string, mode?: number) => void;
  /** Like a power failure. Terminals end. */
  restart: () => Promise<void>;
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
  // Folders that are given to a room belong to another user.
  write("/etc/gitconfig", "[safe]\n\tdirectory = *\n");
  write("/etc/hostname", `${name}\n`);
  write("/etc/hosts", `127.0.0.1 localhost ${name}\n::1 localhost\n`);
  write("/etc/resolv.conf", `nameserver ${NAME_SERVER}\n`);
  for (const [path, text] of Object.entries(await registryFiles(bare))) write(path, text);
  let machine = await bootMachine({ name, bare, folder });
  const address = await lan.connect(machine.pid);
  const settings = await registrySettings();
  const room = makeRoom({ address, pid: () => machine.pid, settings });
  const close = async () => {
    await machine.stop();
    // Many files, whose removal needs no wait.
    spawn("rm", ["-rf", folder], { stdio: "ignore", detached: true }).unref();
  };
  try {
    await room.run(IS_RUNNING);
    await room.run("update-ca-certificates");
    await room.run("useradd --create-home --shell /bin/bash ada");
    // Root reaches the registries in the same way.
    const kept = `Defaults env_keep += "${Object.keys(settings).join(" ")}"`;
    room.write("/etc/sudoers.d/ada", `ada ALL=(ALL) NOPASSWD: ALL\n${kept}\n`, 0o440);
  } catch (error) {
    await close();
    throw error;
  }
  const restart = async () => {
    await machine.stop();
    machine = await bootMachine({ name, bare, folder });
    await lan.connect(machine.pid, address);
    await room.run(IS_RUNNING);
  };
  return { ...room, restart, close };
}

interface Started {
  address: string;
  pid: () => number;
  settings: { [name: string]: string };
}

function makeRoom({ address, pid, settings }: Started): Omit<Room, "close" | "restart"> {
  const open: Room["open"] = (user, env = {}) => {
    const variables = Object.entries({ ...settings, LANG: "C.UTF-8", ...env });
    // A session like that of a login: with a folder below /run.
    const options = ["--quiet", "--collect", "--pipe", "--wait", `--uid=${user}`, "--property=PAMName=login"];
    return openShellSession({
      folder: "/",
      // The user's own variables are set below.
      env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" },
      commandMs: COMMAND_MS,
      program: [
        "nsenter",
        `--target=${pid()}`,
        ...NAMESPACES,
        "--",
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
    // Through process 1, whose root is the room's.
    write(path, text, mode = 0o644) {
      const file = join(`/proc/${pid()}/root`, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text, { mode });
    },
  };
}

export function succeeded(command: string, { output, exitCode }: Ran): string {
  if (exitCode !== 0) throw new Error(`$ ${command}\n${output}\nexit code ${exitCode}`);
  return output;
}

/** Removes folders of tests that were killed. */
function removeLeftovers(): void {
  for (const name of readdirSync(ROOMS).filter((each) => each.startsWith(PREFIX))) {
    const owner = readText(join(ROOMS, name, "owner"));
    if (owner === "" || existsSync(`/proc/${owner}`)) continue;
    rmSync(join(ROOMS, name), { recursive: true, force: true });
    removeCgroups(name);
  }
}
