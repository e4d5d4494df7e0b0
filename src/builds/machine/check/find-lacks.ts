/** What this machine lacks for builders. Each requirement is really tried if that costs little; nothing is changed. */
import { constants } from "node:fs";
import { access, readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type DiskSpace, inWords, readDiskSpace } from "#platform/files/disk-space.ts";
import { neededBytes } from "../disk.ts";
import { listPrograms, findProgram, systemPath } from "../programs.ts";
import { OLDEST_MINOR, tooOldVersion } from "./buildkit-version.ts";
import { tryRun } from "./try-run.ts";

/** A user in an image may have any id up to this. */
const MIN_USER_IDS = 65_536;

export interface Lack {
  kind: "system" | "programs" | "buildkit" | "namespaces" | "user-ids" | "tun" | "cni" | "disk";
  /** Missing things: `runc`. */
  nouns: readonly string[];
  /** Any other problem, as a part of a sentence; "": none. */
  clause: string;
  /** Whether `setup-builders` fixes it. */
  isMended: boolean;
}

export interface LackOptions {
  /** The server's environment: `PATH`. */
  env: NodeJS.ProcessEnv;
  user: { name: string; id: number };
  /** The server's data folder; it may not exist before its first start. */
  dataFolder: string;
  /** Tries as this user, which only root can. */
  as?: { uid: number; gid: number } | undefined;
  /** The path of `buildkitd`; "": the first build installs it; null: there is none. @throws Error that says what is wrong */
  locateBuildkitd: () => Promise<string | null>;
  platform?: NodeJS.Platform;
  /** For tests: `/` */
  root?: string;
}

type Asked = LackOptions & { platform: NodeJS.Platform; root: string; path: string };

/** @returns [] if builders can run */
export async function findLacks(options: LackOptions): Promise<Lack[]> {
  const asked = { platform: process.platform, root: "/", ...options, path: systemPath(options.env["PATH"]) };
  const system = lackOfSystem(asked.platform);
  if (system) return [system];
  // Namespaces are tried with these programs.
  const [programs, ...others] = await Promise.all([
    lackOfPrograms(asked),
    lackOfBuildkit(asked),
    lackOfNamespaces(asked),
    lackOfUserIds(asked),
    lackOfTun(asked),
    lackOfFolder(asked),
    lackOfDisk(asked),
  ]);
  return [programs, ...others].filter((lack) => lack !== null);
}

const missing = (kind: Lack["kind"], nouns: readonly string[], isMended = true): Lack => ({
  kind,
  nouns,
  clause: "",
  isMended,
});
const wrong = (kind: Lack["kind"], clause: string, isMended = false): Lack => ({
  kind,
  nouns: [],
  clause,
  isMended,
});

function lackOfSystem(platform: NodeJS.Platform): Lack | null {
  if (platform === "linux") return null;
  const system = platform === "darwin" ? "macOS" : platform === "win32" ? "Windows" : platform;
  return wrong(
    "system",
    `they need Linux, and this server runs on ${system}. Run the server on a Linux machine, such as a virtual machine here, or in a Kubernetes cluster with MILLRACE_BUILDERS=kubernetes`,
  );
}

async function lackOfPrograms({ path, user }: Asked): Promise<Lack | null> {
  const names = listPrograms(user.id === 0);
  const found = await Promise.all(names.map((name) => findProgram(name, path)));
  const absent = names.filter((_, at) => found[at] === null);
  return absent.length === 0 ? null : missing("programs", absent);
}

async function lackOfBuildkit(asked: Asked): Promise<Lack | null> {
  const located = await asked.locateBuildkitd().catch((error: Error) => error);
  if (located instanceof Error)
    return wrong("buildkit", "BUILDKITD in the server's environment does not name a program");
  if (located === null) return missing("buildkit", [`BuildKit 0.${OLDEST_MINOR} or newer`]);
  if (located === "") return null;
  const told = await tryRun(located, ["--version"], asked);
  if (told.error !== null) return wrong("buildkit", `its buildkitd does not run (${told.error})`, true);
  const version = tooOldVersion(told.output);
  if (version === null) return null;
  return wrong("buildkit", `BuildKit ${version} is too old, 0.${OLDEST_MINOR} or newer is needed`, true);
}

const AS_ROOT = ["--user", "--map-root-user"];
/** The options of `unshare` at each start of a builder. */
const NAMESPACES = ["--net", "--mount", "--pid", "--fork", "--mount-proc"];

async function lackOfNamespaces(asked: Asked): Promise<Lack | null> {
  const { user, path, root } = asked;
  if ((await findProgram("unshare", path)) === null) return null;
  const users = user.id === 0 ? [] : AS_ROOT;
  const tried = await tryRun("unshare", [...users, ...NAMESPACES, "true"], asked);
  if (tried.error === null) return null;
  const setting = async (name: string) => (await read(join(root, "proc/sys", name))).trim();
  if (user.id !== 0 && (await setting("kernel/apparmor_restrict_unprivileged_userns")) === "1")
    return wrong("namespaces", "AppArmor lets only root create user namespaces", true);
  const isOff =
    (await setting("kernel/unprivileged_userns_clone")) === "0" ||
    (await setting("user/max_user_namespaces")) === "0";
  if (user.id !== 0 && isOff)
    return wrong("namespaces", "the kernel's settings let only root create user namespaces", true);
  return wrong(
    "namespaces",
    `this server is not allowed to create the namespaces that builders run in, as in a container without that right (${tried.error})`,
  );
}

async function lackOfUserIds(asked: Asked): Promise<Lack | null> {
  const { user, path, root } = asked;
  if (user.id === 0) return null;
  const counts = await Promise.all(
    ["etc/subuid", "etc/subgid"].map((file) => countIds(join(root, file), user)),
  );
  const range = `a range of ${MIN_USER_IDS} user ids for ${user.name}`;
  const isGiven = Math.min(...counts) >= MIN_USER_IDS;
  const known = await Promise.all(
    ["newuidmap", "newgidmap", "unshare"].map((name) => findProgram(name, path)),
  );
  // Another check reports why there are no namespaces at all.
  const canTry =
    !known.includes(null) && (await tryRun("unshare", [...AS_ROOT, "true"], asked)).error === null;
  if (!canTry) return isGiven ? null : missing("user-ids", [range]);
  const mapped = await tryRun("unshare", [...AS_ROOT, "--map-auto", "true"], asked);
  // Ranges may come from a network directory, so a missing line in the file proves nothing.
  if (mapped.error === null && (isGiven || Math.max(...counts) === 0)) return null;
  if (!isGiven) return missing("user-ids", [range]);
  const status = await read(join(root, "proc/self/status"));
  if (/^NoNewPrivs:\s*1$/m.test(status))
    return wrong("user-ids", "NoNewPrivileges disables newuidmap: remove it from the service");
  return wrong("user-ids", `newuidmap does not give this user its ids (${mapped.error})`);
}

/** Size of a user's longest range. */
async function countIds(file: string, { name, id }: Asked["user"]): Promise<number> {
  const ranges = (await read(file)).split("\n").map((line) => line.trim().split(":"));
  const own = ranges.filter(([whose]) => whose === name || whose === String(id));
  return Math.max(0, ...own.map(([, , count]) => Number.parseInt(count ?? "", 10) || 0));
}

async function lackOfTun({ root }: Asked): Promise<Lack | null> {
  const error = await access(join(root, "dev/net/tun"), constants.R_OK | constants.W_OK).then(
    () => null,
    (reason: NodeJS.ErrnoException) => reason,
  );
  if (error === null) return null;
  if (error.code === "EACCES") return wrong("tun", "this server's user is not allowed to open /dev/net/tun");
  return missing("tun", ["/dev/net/tun"]);
}

/** A builder mounts over this folder, and only root can make it. */
async function lackOfFolder({ user, root }: Asked): Promise<Lack | null> {
  if (user.id === 0) return null;
  const found = await stat(join(root, "var/lib/cni")).catch(() => null);
  return found?.isDirectory() ? null : missing("cni", ["the folder /var/lib/cni"]);
}

async function lackOfDisk({ dataFolder }: Asked): Promise<Lack | null> {
  const space = await spaceOfDisk(dataFolder);
  if (space.freeBytes >= neededBytes(space)) return null;
  return wrong(
    "disk",
    `the disk of the server's data is full (${inWords(space)}): free some space, or reset layer caches`,
  );
}

/** Reads the nearest existing folder. */
async function spaceOfDisk(folder: string): Promise<DiskSpace> {
  try {
    return await readDiskSpace(folder);
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT" && dirname(folder) !== folder;
    if (!isMissing) throw error;
    return spaceOfDisk(dirname(folder));
  }
}

const read = (path: string) => readFile(path, "utf8").catch(() => "");
