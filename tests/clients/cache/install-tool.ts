/**
 * Build tools in the versions that the pages name, from the package registries into the cache folder, or from Debian's
 * packages where this user may install them.
 */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { cacheFolder } from "#server/pages/build-folders.ts";

const run = promisify(execFile);
const INSTALL_MS = 600_000;
/** Written last: a folder without it is what an interrupted installation left. */
const MARK = "installed";

export const toolFolder = (name: string) => join(cacheFolder, "clients", name);

/**
 * Installs a tool once, also when its own tests and those of its page ask at the same time.
 * @returns its folder; null, with a message, when it cannot be had
 */
export async function installOnce(
  name: string,
  install: (folder: string) => Promise<unknown>,
): Promise<string | null> {
  const folder = toolFolder(name);
  const mark = join(folder, MARK);
  if (existsSync(mark)) return folder;
  await mkdir(toolFolder(""), { recursive: true });
  await using _ = await lockFile(toolFolder(`${name}.lock`));
  if (existsSync(mark)) return folder;
  try {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    await install(folder);
    await writeFile(mark, "");
    return folder;
  } catch (error) {
    return cannotHave(name, error);
  }
}

/** Ends with its owner, even when its owner is killed. */
async function lockFile(path: string): Promise<AsyncDisposable> {
  const holder = spawn("flock", [path, "sh", "-c", "echo locked; exec cat"], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = once(holder, "exit");
  await Promise.race([once(holder.stdout, "data"), ended]);
  return {
    async [Symbol.asyncDispose]() {
      holder.stdin.end();
      await ended;
    },
  };
}

export const installFromNpm = (name: string, packages: readonly string[]) =>
  installOnce(name, async (folder) => {
    await writeFile(join(folder, "package.json"), "{}");
    await run("npm", ["install", "--no-audit", "--no-fund", "--no-package-lock", ...packages], {
      cwd: folder,
      timeout: INSTALL_MS,
    });
  });

/** @param python the interpreter that the package needs */
export const installFromPip = (name: string, { python, packages }: { python: string; packages: string[] }) =>
  installOnce(name, async (folder) => {
    await run(python, ["-m", "venv", folder], { timeout: INSTALL_MS });
    await run(join(folder, "bin", "pip"), ["install", "--quiet", ...packages], { timeout: INSTALL_MS });
  });

/**
 * A program of one of Debian's packages, whose version is read from the package because the program may not know it.
 * @returns its name; null, with a message, when the machine has none or another version
 */
export async function findDebianTool(
  program: string,
  { package: name, version }: { package: string; version: string },
): Promise<string | null> {
  try {
    const found = (await packageVersion(name)) ?? (await installFromDebian(name));
    if (found.startsWith(version)) return program;
    return cannotHave(program, `this machine has version ${found}, the test knows ${version}`);
  } catch (error) {
    return cannotHave(program, error);
  }
}

/** @returns null where it is not installed */
async function packageVersion(name: string): Promise<string | null> {
  const query = ["--show", "--showformat=${db:Status-Status} ${Version}", name];
  const { stdout } = await run("dpkg-query", query).catch(() => ({ stdout: "" }));
  const [status, version = ""] = stdout.split(" ");
  return status === "installed" ? version : null;
}

async function installFromDebian(name: string): Promise<string> {
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get"))
    throw new Error(`Debian's package ${name} is not installed, and this user may not install it`);
  await mkdir(cacheFolder, { recursive: true });
  // Two test files may want something at the same time.
  const locked = (...command: string[]) =>
    run("flock", [join(cacheFolder, "apt.lock"), ...command], {
      timeout: INSTALL_MS,
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    });
  await locked("apt-get", "update");
  await locked("apt-get", "install", "-y", "--no-install-recommends", name);
  return (await packageVersion(name)) ?? "none";
}

/** @returns what a program prints, null where there is none */
export const askProgram = (program: string, ...args: string[]): Promise<string | null> =>
  run(program, args).then(
    ({ stdout }) => stdout,
    () => null,
  );

export function cannotHave(name: string, reason: unknown): null {
  const text = reason instanceof Error ? reason.message : String(reason);
  console.warn(`Not tested, because ${name} cannot be had: ${text.slice(0, 500)}`);
  return null;
}
