/**
 * A real Docker engine: Debian's packages in a root file system and namespaces of their own, so that nothing of the
 * machine is changed. Docker Hub is not used: base images are made here, under the names of the official ones.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { execFile } from "node:child_process";
import { cannotHave, findDebianTool, installOnce } from "../clients/cache/install-tool.ts";

const run = promisify(execFile);
const SCRIPT = fileURLToPath(new URL("container-engine.sh", import.meta.url));
const ENGINE_PACKAGES = "docker.io,docker-cli,docker-compose,docker-buildx,iptables,iproute2,ca-certificates";
/** Packages of the official image of Node.js that a minimal Debian lacks. */
const NODE_PACKAGES = "libatomic1,libstdc++6";
const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
const INSTALL_MS = 600_000;
const COMMAND_MS = 400_000;
const START_MS = 180_000;
const ASK_AGAIN_MS = 200;

export interface Answered {
  code: number;
  output: string;
}

export interface Engine {
  /** Path of a folder that both sides see: here, and inside. */
  share: string;
  inside: string;
  /** Runs a program in the engine's own file system: `docker`, `docker-compose`. @returns both outputs as one */
  run: (command: readonly string[], env?: { [name: string]: string }) => Promise<Answered>;
  close: () => Promise<void>;
}

export interface Roots {
  engine: string;
  node: string;
}

/** @returns null, with a message, where they cannot be had */
export async function findRoots(): Promise<Roots | null> {
  if (process.getuid?.() !== 0) return cannotHave("a Docker engine", "it needs root");
  for (const [program, version] of [
    ["mmdebstrap", "1."],
    ["slirp4netns", "1."],
  ] as const)
    if (!(await findDebianTool(program, { package: program, version }))) return null;
  const engine = await installOnce("root-docker-trixie", (into) =>
    makeRoot(join(into, "root"), ENGINE_PACKAGES),
  );
  const node = await installOnce("root-node-trixie", (into) => makeNodeRoot(join(into, "root")));
  if (engine === null || node === null) return null;
  return { engine: join(engine, "root"), node: join(node, "root") };
}

const makeRoot = (root: string, packages: string) =>
  run("mmdebstrap", ["--variant=minbase", `--include=${packages}`, "trixie", root], { timeout: INSTALL_MS });

/** The content of `node:<version>-trixie-slim`. */
async function makeNodeRoot(root: string): Promise<void> {
  await makeRoot(root, NODE_PACKAGES);
  await run("chroot", [root, "groupadd", "--gid", "1000", "node"]);
  await run("chroot", [root, "useradd", "--uid", "1000", "--gid", "node", "--create-home", "node"]);
  copyFileSync(process.execPath, join(root, "usr/local/bin/node"));
}

/** @param nodeImage the name of the image of Node.js */
export async function startEngine(roots: Roots, nodeImage: string): Promise<Engine> {
  // Layers need a disk whose files can be laid over each other.
  const folder = mkdtempSync("/var/tmp/millrace-engine-");
  const [data, share] = [join(folder, "data"), join(folder, "share")];
  for (const each of [data, share]) mkdirSync(each);
  const group = `millrace-engine-${process.pid}`;
  const unshare = ["--net", "--mount", "--pid", "--ipc", "--fork", "--kill-child"];
  // It ends with this process, however this process ends.
  const engine = spawn(
    "setpriv",
    ["--pdeathsig", "KILL", "unshare", ...unshare, "sh", SCRIPT, roots.engine, data, share, group],
    {
      stdio: ["pipe", "pipe", "ignore"],
      // Only this variable of the process: its folder for temporary files does not exist there.
      env: { PATH },
    },
  );
  const uplink = await connectEngine(engine);
  const enter = [
    "--target",
    String(firstOf(engine)),
    "--net",
    "--mount",
    "--pid",
    "--ipc",
    "--root",
    "--wd=/",
  ];
  const command: Engine["run"] = (words, env = {}) => collect("nsenter", [...enter, ...words], env);
  const close = async () => {
    // `unshare` ends with its child, and the child with all processes that it has started.
    for (const each of [engine, uplink]) await end(each);
    removeGroups(group);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await until(async () => (await command(["docker", "info"])).code === 0);
    const tar = `tar --create --directory ${roots.node} . | nsenter ${enter.join(" ")} docker import --change 'CMD ["node"]' - ${nodeImage}`;
    await run("sh", ["-c", tar], { timeout: COMMAND_MS });
  } catch (error) {
    await close();
    throw error;
  }
  return { share, inside: "/mnt/share", run: command, close };
}

/** @returns the process that connects it with the machine's network */
async function connectEngine(engine: ChildProcess): Promise<ChildProcess> {
  if (!engine.stdout) throw new Error("The engine has no output.");
  await once(engine.stdout, "data");
  const uplink = spawn(
    "slirp4netns",
    [
      "--configure",
      "--mtu=65520",
      "--disable-host-loopback",
      "--ready-fd=3",
      String(firstOf(engine)),
      "tap0",
    ],
    { stdio: ["ignore", "ignore", "ignore", "pipe"] },
  );
  const ready = uplink.stdio[3];
  if (ready) await once(ready, "data");
  engine.stdin?.end("go\n");
  return uplink;
}

const firstOf = ({ pid }: ChildProcess) =>
  Number.parseInt(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8"), 10);

const collect = (
  program: string,
  args: readonly string[],
  env: { [name: string]: string },
): Promise<Answered> =>
  new Promise((resolve) =>
    execFile(
      program,
      args,
      {
        env: { PATH, HOME: "/root", ...env },
        timeout: COMMAND_MS,
        killSignal: "SIGKILL",
        maxBuffer: 64 * 1024 ** 2,
      },
      (error, out, told) => resolve({ code: error ? Number(error.code) || 1 : 0, output: `${out}${told}` }),
    ),
  );

/** @throws Error after START_MS */
export async function until(holds: () => Promise<boolean>): Promise<void> {
  for (const last = performance.now() + START_MS; performance.now() < last;) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
  }
  throw new Error(`It did not come true in ${START_MS / 1000} seconds: ${holds.toString()}`);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}

/** Removes the group in each tree, when nothing runs in it any more. */
function removeGroups(name: string): void {
  const mounts = readFileSync("/proc/self/mountinfo", "utf8").split("\n");
  for (const line of mounts.filter((each) => / - cgroup2? /.test(each)))
    removeGroup(join(line.split(" ")[4] ?? "", name));
}

function removeGroup(folder: string): void {
  if (!existsSync(folder)) return;
  for (const each of readdirSync(folder, { withFileTypes: true }))
    if (each.isDirectory()) removeGroup(join(folder, each.name));
  try {
    rmdirSync(folder);
  } catch {
    // Its processes are just ending; an empty group costs nothing.
  }
}
