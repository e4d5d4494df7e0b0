/** The machine's programs that builders use. */
import { constants } from "node:fs";
import { access, open } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";
import { CANNOT } from "./capability.ts";

const PROGRAMS = ["ip", "mount", "nsenter", "runc", "setpriv", "slirp4netns", "unshare"];
/** For a server without root. */
const ROOTLESS_PROGRAMS = ["newgidmap", "newuidmap"];

/** @param path as in the environment. @returns the first match; null if there is none */
export async function findProgram(name: string, path = ""): Promise<string | null> {
  for (const folder of path.split(delimiter).filter(isAbsolute))
    if (await isProgram(join(folder, name))) return join(folder, name);
  return null;
}

export const isProgram = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  );

/**
 * Checks a program in the data folder. If it is not executable, it has lost its mode and not its content: releases of November 2026
 * made every file there private at each start.
 */
export async function isKeptProgram(path: string): Promise<boolean> {
  if (await isProgram(path)) return true;
  // By file descriptor, so that no other file takes its place meanwhile.
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    () => null,
  );
  if (file === null) return false;
  try {
    const stat = await file.stat();
    // Another user's file stays as it is, even when root checks it.
    if (!stat.isFile() || (stat.mode & 0o111) !== 0 || stat.uid !== process.getuid?.()) return false;
    await file.chmod(0o700);
  } finally {
    await file.close();
  }
  return isProgram(path);
}

/** The programs that builders need. */
export const listPrograms = (isRoot: boolean): readonly string[] => [
  ...PROGRAMS,
  ...(isRoot ? [] : ROOTLESS_PROGRAMS),
];

/** Where distributions install `runc`; not on an ordinary user's `PATH`. */
const SYSTEM_FOLDERS = ["/usr/local/sbin", "/usr/sbin", "/sbin"];

/** @param path as in the environment. @returns the same, with the folders of the machine's own programs */
export const systemPath = (path = ""): string =>
  [...new Set([...path.split(delimiter).filter(Boolean), ...SYSTEM_FOLDERS])].join(delimiter);

/** For a program that was removed after the check. */
export function explainMissing(error: unknown): unknown {
  const { code, path = "a program" } = (error ?? {}) as NodeJS.ErrnoException;
  return code === "ENOENT" ? new Error(`${CANNOT}: ${path} is missing.`, { cause: error }) : error;
}
