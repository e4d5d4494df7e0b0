/** Where the machine has BuildKit's daemon: named by the operator, on the PATH, downloaded once, or in an image of Docker. */
import { isAbsolute, join } from "node:path";
import { type Download, downloadBuildkitd } from "./download-buildkitd.ts";
import { type DockerSource, findEngine, takeFromEngine } from "./docker-engine.ts";
import { findProgram, isKeptProgram, isProgram } from "./programs.ts";

export interface FindOptions {
  /** Of the server: `BUILDKITD`, `PATH`. */
  env: NodeJS.ProcessEnv;
  /** For downloads; a program that somebody has put there is found, too. */
  folder: string;
  /** A release, by its checksum; absent: nothing is downloaded. */
  download?: Download | undefined;
  /** Asked when nothing else has it; absent: no engine is. */
  docker?: DockerSource | undefined;
}

/** @returns its path. @throws Error that says where it was looked for, and how to get it */
export async function findBuildkitd({ env, folder, download, docker }: FindOptions): Promise<string> {
  const named = env["BUILDKITD"];
  if (named) {
    if (isAbsolute(named) && (await isProgram(named))) return named;
    throw new Error(`BUILDKITD=${named} is no program. Give the absolute path of buildkitd, or unset it.`);
  }
  const found = await findProgram("buildkitd", env["PATH"]);
  if (found !== null) return found;
  const own = join(folder, "buildkitd");
  if (await isKeptProgram(own)) return own;
  if (download) return downloadBuildkitd(download, folder);
  const engine = docker ? await findEngine(docker.host) : null;
  if (docker && engine !== null) return takeFromEngine(engine, docker.image, folder);
  throw new Error(
    `No buildkitd: it is not on the PATH, not in ${folder}, BUILDKITD and MILLRACE_BUILDKIT_URL are not set, and no Docker engine of this machine could be asked for it. ` +
      "Install BuildKit 0.33 or newer, or set MILLRACE_BUILDKIT_URL to the address of a release with its checksum.",
  );
}
