/**
 * Finds BuildKit's daemon: named by the operator, on the PATH, in the data folder, downloaded once, or in a Docker image. Programs
 * that are too old are passed over, unless the operator has named one: a distribution may have put one on the PATH.
 */
import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";
import { OLDEST_MINOR, tooOldVersion } from "./check/buildkit-version.ts";
import { tryRun } from "./check/try-run.ts";
import { type Download, downloadBuildkitd, programOf } from "./download-buildkitd.ts";
import { type DockerSource, findEngine, takeFromEngine } from "./docker-engine.ts";
import { isKeptProgram, isProgram, systemPath } from "./programs.ts";

export interface FindOptions {
  /** The server's environment: `BUILDKITD`, `PATH`. */
  env: NodeJS.ProcessEnv;
  /** For downloads; a program that someone has put there is also found. */
  folder: string;
  /** A release, by its checksum; absent: nothing is downloaded. */
  download?: Download | undefined;
  /** Used when nothing else has it; absent: no engine is used. */
  docker?: DockerSource | undefined;
  /** Asks programs for their version as this user, which only root can. */
  as?: { uid: number; gid: number } | undefined;
}

interface Found {
  path: string;
  /** Too old, or it does not run: used only if there is no other, so that the server says what is wrong with it. */
  isUnfit: boolean;
}

/** Installs nothing. @returns its path; "": it can be installed now; null: it cannot. @throws Error for a wrong name */
export async function locateBuildkitd(options: FindOptions): Promise<string | null> {
  const { folder, download, docker } = options;
  const found = await findHere(options);
  if (found && !found.isUnfit) return found.path;
  if (download && (await isKeptProgram(programOf(download, folder)))) return programOf(download, folder);
  const isOffered = download !== undefined || (docker !== undefined && (await mayAskEngine(docker.host)));
  return isOffered ? "" : (found?.path ?? null);
}

/** @returns its path. @throws Error that says where it was searched for, and how to get it */
export async function findBuildkitd(options: FindOptions): Promise<string> {
  const { folder, download, docker } = options;
  const found = await findHere(options);
  if (found && !found.isUnfit) return found.path;
  if (download) return downloadBuildkitd(download, folder);
  const engine = docker ? await findEngine(docker.host) : null;
  if (docker && engine !== null) return takeFromEngine(engine, docker.image, folder);
  if (found) return found.path;
  throw new Error(
    `No buildkitd: it is not on the PATH and not in ${folder}, BUILDKITD and MILLRACE_BUILDKIT_URL are not set, and no Docker engine on this machine can provide it. ` +
      `Install BuildKit 0.${OLDEST_MINOR} or newer, or set MILLRACE_BUILDKIT_URL to the address of a release with its checksum.`,
  );
}

async function findHere({ env, folder, as }: FindOptions): Promise<Found | null> {
  const named = env["BUILDKITD"];
  if (named) {
    if (isAbsolute(named) && (await isProgram(named))) return { path: named, isUnfit: false };
    throw new Error(
      `BUILDKITD=${named} is not a program. Set it to the absolute path of buildkitd, or unset it.`,
    );
  }
  const path = systemPath(env["PATH"]);
  let unfit: string | null = null;
  for (const each of path.split(delimiter).filter(isAbsolute)) {
    const program = join(each, "buildkitd");
    if (!(await isProgram(program))) continue;
    if (await isFit(program, { path, as })) return { path: program, isUnfit: false };
    unfit ??= program;
  }
  const own = join(folder, "buildkitd");
  if ((await isKeptProgram(own)) && (unfit === null || (await isFit(own, { path, as }))))
    return { path: own, isUnfit: false };
  return unfit === null ? null : { path: unfit, isUnfit: true };
}

async function isFit(program: string, options: Parameters<typeof tryRun>[2]): Promise<boolean> {
  const told = await tryRun(program, ["--version"], options);
  return told.error === null && tooOldVersion(told.output) === null;
}

/** Whether this user may use an engine. */
async function mayAskEngine(host: string | undefined): Promise<boolean> {
  const socket = await findEngine(host);
  if (socket === null) return false;
  return access(socket, constants.W_OK).then(
    () => true,
    () => false,
  );
}
