/** Installs `docker-credential-millrace` and names it in Docker's configuration, or removes both. */
import { randomBytes } from "node:crypto";
import {
  access,
  chmod,
  constants,
  lstat,
  mkdir,
  readFile,
  realpath,
  rename,
  rm,
  writeFile,
} from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { CliError, errorCode } from "../errors.ts";
import { findDockerFolder, isFields, readDockerConfig } from "../registry/docker-config.ts";
import { withLock } from "../lock-file.ts";
import { HELPER } from "./credential-helper.ts";

const IS_WINDOWS = process.platform === "win32";
const PROGRAM = `docker-credential-${HELPER}${IS_WINDOWS ? ".cmd" : ""}`;
/** Identifies files that this command has written. */
const MARK = "Written by millrace configure-docker";

export interface InstalledHelper {
  /** The program's path. */
  path: string;
  /** Whether Docker finds it there. */
  isOnPath: boolean;
}

/** @param main the program that runs the CLI */
export async function installHelper(
  env: NodeJS.ProcessEnv,
  host: string,
  main: string,
): Promise<InstalledHelper> {
  const { folder, isOnPath } = await chooseFolder(env);
  const path = join(folder, PROGRAM);
  const known = await readFile(path, "utf8").catch(() => undefined);
  if (known !== undefined && !known.includes(MARK))
    throw new CliError(`${path} already exists and was not written by this command: remove it first`);
  await mkdir(folder, { recursive: true });
  await replaceFile(path, IS_WINDOWS ? windowsProgram(main) : shellProgram(main), 0o755);
  await changeDockerConfig(env, (helpers) => ({ ...helpers, [host]: HELPER }));
  return { path, isOnPath };
}

/** @returns whether it was there */
export async function uninstallHelper(env: NodeJS.ProcessEnv, host: string): Promise<boolean> {
  let wasThere = false;
  let isLast = true;
  await changeDockerConfig(env, ({ [host]: helper, ...others }) => {
    wasThere = helper === HELPER;
    isLast = !Object.values(others).includes(HELPER);
    return wasThere || helper === undefined ? others : { ...others, [host]: helper };
  });
  if (isLast) for (const folder of foldersOf(env)) await removeProgram(join(folder, PROGRAM));
  return wasThere;
}

async function removeProgram(path: string): Promise<void> {
  const text = await readFile(path, "utf8").catch(() => "");
  if (text.includes(MARK)) await rm(path, { force: true });
}

const quoteShell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const shellProgram = (main: string): string =>
  `#!/bin/sh\n# ${MARK}.\nexec ${quoteShell(process.execPath)} ${quoteShell(main)} __docker-credential "$@"\n`;

const windowsProgram = (main: string): string =>
  `@rem ${MARK}.\r\n@"${process.execPath}" "${main}" __docker-credential %*\r\n`;

/** Folders of programs: those on the PATH, and the user's own. */
function foldersOf(env: NodeJS.ProcessEnv): string[] {
  const onPath = (env["PATH"] ?? env["Path"] ?? "").split(delimiter).filter((folder) => folder !== "");
  return [...new Set([...onPath, ownFolder()])];
}

const ownFolder = (): string => join(homedir(), ".local", "bin");

async function chooseFolder(env: NodeJS.ProcessEnv): Promise<{ folder: string; isOnPath: boolean }> {
  const folders = foldersOf(env);
  const onPath = (env["PATH"] ?? env["Path"] ?? "").split(delimiter);
  const home = homedir();
  const wanted = [
    ...folders.filter((folder) => folder.startsWith(home)),
    "/usr/local/bin",
    // npm's folder for programs.
    ...(await foldersWith(folders, "millrace")),
  ].filter((folder) => onPath.includes(folder));
  for (const folder of wanted) if (await canWrite(folder)) return { folder, isOnPath: true };
  return { folder: ownFolder(), isOnPath: onPath.includes(ownFolder()) };
}

async function foldersWith(folders: readonly string[], program: string): Promise<string[]> {
  const found = await Promise.all(
    folders.map((folder) => lstat(join(folder, program)).catch(() => undefined)),
  );
  return folders.filter((_, at) => found[at] !== undefined);
}

const canWrite = (folder: string): Promise<boolean> =>
  access(folder, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );

/** Keeps everything else in the file, in its order. */
async function changeDockerConfig(
  env: NodeJS.ProcessEnv,
  change: (helpers: { [host: string]: unknown }) => { [host: string]: unknown },
): Promise<void> {
  const folder = findDockerFolder(env);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // A link stays a link.
    const path = await realpath(join(folder, "config.json")).catch(() => join(folder, "config.json"));
    await withLock(`${path}.millrace-lock`, async () => {
      const config = await readDockerConfig(folder);
      const { credHelpers } = config;
      const changed = change(isFields(credHelpers) ? credHelpers : {});
      if (Object.keys(changed).length === 0) delete config["credHelpers"];
      else config["credHelpers"] = changed;
      await replaceFile(path, `${JSON.stringify(config, null, "\t")}\n`, 0o600);
    });
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError(
      `Docker's configuration in ${folder} cannot be written (${errorCode(error)})`,
      undefined,
      error,
    );
  }
}

async function replaceFile(path: string, text: string, mode: number): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    await writeFile(draft, text, { flag: "wx", mode });
    await chmod(draft, mode);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw new CliError(`${path} cannot be written (${errorCode(error)})`, undefined, error);
  }
}
