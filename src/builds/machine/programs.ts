/** Programs of the machine that builders are made of. */
import { constants } from "node:fs";
import { access, open } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";
import { CANNOT } from "../capability.ts";

const PROGRAMS = ["ip", "mount", "nsenter", "runc", "setpriv", "slirp4netns", "unshare"];
/** Of a server without root. */
const ROOTLESS_PROGRAMS = ["newgidmap", "newuidmap"];

/** @param path as the environment has it. @returns the first of this name; null where there is none */
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
 * Of a program that was put into the data folder. One that nobody may run has lost its mode and not its content: releases of
 * November 2026 made every file there private at each start.
 */
export async function isKeptProgram(path: string): Promise<boolean> {
  if (await isProgram(path)) return true;
  // By its number, so that nothing else takes its place meanwhile.
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    () => null,
  );
  if (file === null) return false;
  try {
    const stat = await file.stat();
    // Another user's stays as it is, also where root looks.
    if (!stat.isFile() || (stat.mode & 0o111) !== 0 || stat.uid !== process.getuid?.()) return false;
    await file.chmod(0o700);
  } finally {
    await file.close();
  }
  return isProgram(path);
}

/** What builders are made of. */
export const listPrograms = (isRoot: boolean): readonly string[] => [
  ...PROGRAMS,
  ...(isRoot ? [] : ROOTLESS_PROGRAMS),
];

/** Where distributions put `runc`, which is not on an ordinary user's `PATH`. */
const SYSTEM_FOLDERS = ["/usr/local/sbin", "/usr/sbin", "/sbin"];

/** @param path as the environment has it. @returns the same, and where the machine's own programs are */
export const systemPath = (path = ""): string =>
  [...new Set([...path.split(delimiter).filter(Boolean), ...SYSTEM_FOLDERS])].join(delimiter);

/** Of one that has gone since the machine was looked at. */
export function explainMissing(error: unknown): unknown {
  const { code, path = "a program" } = (error ?? {}) as NodeJS.ErrnoException;
  return code === "ENOENT" ? new Error(`${CANNOT}: ${path} is missing.`, { cause: error }) : error;
}
