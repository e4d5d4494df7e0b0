/**
 * The credentials file: read only if no one else can read it, written whole, by one process at a time.
 *
 *   { "current": "https://build.acme.example",
 *     "servers": { "https://build.acme.example": { "token": "mr_user_…", "organization": "acme" } } }
 */
import { randomBytes } from "node:crypto";
import { chmod, lstat, mkdir, open, readlink, rename, stat, unlink } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { CliError, errorCode, EXIT_NOT_AUTHENTICATED } from "./errors.ts";
import { withLock } from "./lock-file.ts";

export interface ServerEntry {
  token: string;
  organization?: string;
  /** Stored by `docker login`, for Docker. */
  isOfDocker?: boolean;
}

export interface Credentials {
  /** Origin of the last login. */
  current?: string;
  /** By origin. */
  servers: { [origin: string]: ServerEntry };
}

const MAX_BYTES = 1024 * 1024;
const MAX_LINKS = 10;

export interface CredentialsFile {
  path: string;
  /** The path for messages: `~/.config/millrace/credentials.json`. */
  shown: string;
}

export function findCredentialsFile(
  env: NodeJS.ProcessEnv,
  platform: string = process.platform,
): CredentialsFile {
  if (platform === "win32") {
    const path = join(
      env["APPDATA"] ?? join(homedir(), "AppData", "Roaming"),
      "millrace",
      "credentials.json",
    );
    return { path, shown: path };
  }
  return {
    path: join(homedir(), ".config", "millrace", "credentials.json"),
    shown: "~/.config/millrace/credentials.json",
  };
}

/**
 * @returns undefined if there is no file
 * @throws CliError with exit code 3 if others can read it, or it is damaged
 */
export async function readCredentials(file: CredentialsFile): Promise<Credentials | undefined> {
  const text = await readPrivate(file);
  if (text === undefined) return undefined;
  const credentials = parseCredentials(text);
  if (!credentials)
    throw new CliError(
      `${file.shown} is damaged: repair it, or run millrace login, which keeps a copy of it`,
      EXIT_NOT_AUTHENTICATED,
    );
  return credentials;
}

/**
 * Reads, changes and writes under a lock, so that concurrent processes keep each other's changes. A damaged file is moved aside.
 * @returns the name of the copy of a damaged file
 */
export async function changeCredentials(
  file: CredentialsFile,
  change: (credentials: Credentials) => void,
): Promise<string | undefined> {
  try {
    const path = await followLinks(file.path);
    await makeFolder(path);
    return await withLock(`${path}.lock`, async () => {
      const text = await readPrivate({ ...file, path });
      const known = text === undefined ? { servers: {} } : parseCredentials(text);
      const copy = known ? undefined : `${path}.damaged-${randomBytes(4).toString("hex")}`;
      if (copy !== undefined) await rename(path, copy);
      const credentials = known ?? { servers: {} };
      change(credentials);
      await replaceFile(path, `${JSON.stringify(credentials, null, 2)}\n`);
      return copy;
    });
  } catch (error) {
    throw explain(error, file);
  }
}

/** Fails if the file cannot be written: before a login has made a token, not after. */
export const checkWritable = (file: CredentialsFile): Promise<unknown> => changeCredentials(file, () => {});

function explain(error: unknown, { shown }: CredentialsFile): unknown {
  const code = errorCode(error);
  if (code === "EROFS" || code === "EACCES" || code === "EPERM" || code === "ENOSPC" || code === "ENOTDIR")
    return new CliError(
      `${shown} cannot be written (${code}): set MILLRACE_TOKEN instead, or set HOME to a folder that you can write to`,
    );
  return error;
}

/** The text of the file; undefined if there is none. */
async function readPrivate({ path, shown }: CredentialsFile): Promise<string | undefined> {
  const handle = await open(path, "r").catch((error: unknown) => {
    if (errorCode(error) === "ENOENT") return undefined;
    throw new CliError(`${shown} cannot be read (${errorCode(error)})`, EXIT_NOT_AUTHENTICATED, error);
  });
  if (!handle) return undefined;
  try {
    const { mode, size } = await handle.stat();
    // Windows has no such bits: there, the user's folder is private.
    if (process.platform !== "win32" && (mode & 0o077) !== 0)
      throw new CliError(
        `${shown} can be read by other users. Run: chmod 600 ${shown}`,
        EXIT_NOT_AUTHENTICATED,
      );
    return size > MAX_BYTES ? "" : await handle.readFile("utf8");
  } finally {
    await handle.close();
  }
}

function parseCredentials(text: string): Credentials | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(value) || !isObject(value["servers"])) return undefined;
  const { current, servers } = value;
  if (current !== undefined && typeof current !== "string") return undefined;
  const areEntries = Object.values(servers).every(
    (entry) =>
      isObject(entry) &&
      typeof entry["token"] === "string" &&
      (entry["organization"] === undefined || typeof entry["organization"] === "string"),
  );
  // Every field is checked above.
  return areEntries ? (value as unknown as Credentials) : undefined;
}

const isObject = (value: unknown): value is { [key: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A link stays a link: its target is replaced. The target may not exist yet. */
async function followLinks(path: string): Promise<string> {
  let target = path;
  for (let count = 0; count < MAX_LINKS; count++) {
    const found = await lstat(target).catch(() => undefined);
    if (!found?.isSymbolicLink()) return target;
    target = resolve(dirname(target), await readlink(target));
  }
  throw new CliError(`${path} is a symbolic link that points back to itself`);
}

async function makeFolder(path: string): Promise<void> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // Anyone who can write to the folder could replace the file.
  const { mode } = await stat(folder);
  if (process.platform !== "win32" && (mode & 0o022) !== 0) await chmod(folder, mode & 0o755);
}

async function replaceFile(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    const handle = await open(draft, "wx", 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, path);
  } catch (error) {
    await unlink(draft).catch(() => {});
    throw error;
  }
}
