/** Finds BuildKit's daemon: named by the operator, on the PATH, downloaded once, or in a Docker image. */
import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { type Download, downloadBuildkitd, programOf } from "./download-buildkitd.ts";
import { type DockerSource, findEngine, takeFromEngine } from "./docker-engine.ts";
import { findProgram, isKeptProgram, isProgram, systemPath } from "./programs.ts";

export interface FindOptions {
  /** The server's environment: `BUILDKITD`, `PATH`. */
  env: NodeJS.ProcessEnv;
  /** For downloads; a program that someone has put there is also found. */
  folder: string;
  /** A release, by its checksum; absent: nothing is downloaded. */
  download?: Download | undefined;
  /** Used when nothing else has it; absent: no engine is used. */
  docker?: DockerSource | undefined;
}

/** Installs nothing. @returns its path; "": it can be installed now; null: it cannot. @throws Error for a wrong name */
export async function locateBuildkitd(options: FindOptions): Promise<string | null> {
  const { folder, download, docker } = options;
  const found = await findHere(options);
  if (found !== null) return found;
  if (download && (await isKeptProgram(programOf(download, folder)))) return programOf(download, folder);
  const isOffered = download !== undefined || (docker !== undefined && (await mayAskEngine(docker.host)));
  return isOffered ? "" : null;
}

/** @returns its path. @throws Error that says where it was searched for, and how to get it */
export async function findBuildkitd(options: FindOptions): Promise<string> {
  const { folder, download, docker } = options;
  const found = await findHere(options);
  if (found !== null) return found;
  if (download) return downloadBuildkitd(download, folder);
  const engine = docker ? await findEngine(docker.host) : null;
  if (docker && engine !== null) return takeFromEngine(engine, docker.image, folder);
  throw new Error(
    `No buildkitd: it is not on the PATH and not in ${folder}, BUILDKITD and MILLRACE_BUILDKIT_URL are not set, and no Docker engine on this machine can provide it. ` +
      "Install BuildKit 0.33 or newer, or set MILLRACE_BUILDKIT_URL to the address of a release with its checksum.",
  );
}

async function findHere({ env, folder }: FindOptions): Promise<string | null> {
  const named = env["BUILDKITD"];
  if (named) {
    if (isAbsolute(named) && (await isProgram(named))) return named;
    throw new Error(
      `BUILDKITD=${named} is not a program. Set it to the absolute path of buildkitd, or unset it.`,
    );
  }
  const found = await findProgram("buildkitd", systemPath(env["PATH"]));
  if (found !== null) return found;
  const own = join(folder, "buildkitd");
  return (await isKeptProgram(own)) ? own : null;
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
