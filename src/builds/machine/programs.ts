/** Programs of the machine that builders are made of. */
import { constants } from "node:fs";
import { access, chmod, lstat } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";

/** Debian's names of the packages; others have the same or nearly the same ones. */
const PACKAGES: Readonly<Record<string, string>> = {
  ip: "iproute2",
  mount: "mount",
  nsenter: "util-linux",
  runc: "runc",
  setpriv: "util-linux",
  slirp4netns: "slirp4netns",
  unshare: "util-linux",
};
/** Of a server without root. */
const ROOTLESS_PACKAGES: Readonly<Record<string, string>> = { newgidmap: "uidmap", newuidmap: "uidmap" };

/** @param path as the environment has it. @returns the first of this name; null where there is none */
export async function findProgram(name: string, path = ""): Promise<string | null> {
  for (const folder of path.split(delimiter).filter(isAbsolute))
    // oxlint-disable-next-line no-await-in-loop -- the first one counts
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
  const stat = await lstat(path).catch(() => null);
  if (!stat?.isFile() || (stat.mode & 0o111) !== 0) return false;
  // Another user's stays as it is.
  await chmod(path, 0o700).catch(() => {});
  return isProgram(path);
}

/** A server elsewhere serves everything else. @throws Error that says where builders could run */
export function requireLinux(platform: NodeJS.Platform = process.platform): void {
  if (platform === "linux") return;
  const system = platform === "darwin" ? "macOS" : platform === "win32" ? "Windows" : platform;
  throw new Error(
    `Builders of this machine need Linux, and this server runs on ${system}. Run the server on a Linux machine, such as a virtual one here, or in a Kubernetes cluster with MILLRACE_BUILDERS=kubernetes.`,
  );
}

/** @throws Error that names all that is missing, and what to install */
export async function requirePrograms(path: string | undefined, isRoot: boolean): Promise<void> {
  const names = [...Object.keys(PACKAGES), ...(isRoot ? [] : Object.keys(ROOTLESS_PACKAGES))];
  const found = await Promise.all(names.map((name) => findProgram(name, path)));
  const missing = names.filter((_, at) => found[at] === null);
  if (missing.length > 0) throw new Error(missingMessage(missing));
}

/** What to do about a program that is not there. */
export function explainMissing(error: unknown): unknown {
  const { code, path } = (error ?? {}) as NodeJS.ErrnoException;
  return code === "ENOENT" ? new Error(missingMessage([path ?? "a program"]), { cause: error }) : error;
}

function missingMessage(names: readonly string[]): string {
  const packages = [...new Set(names.map((name) => PACKAGES[name] ?? ROOTLESS_PACKAGES[name] ?? name))];
  const what = packages.length === 1 ? "the package" : "the packages";
  return `Builders need ${names.join(", ")} on the PATH: install ${what} ${packages.join(", ")}.`;
}
