/** Sources of `buildkitd` and buildx: a folder, the operator's settings, a Docker engine, their releases, their source code. */
import { join } from "node:path";
import { rm } from "node:fs/promises";
import { downloadRelease, isReachable } from "./download-release.ts";
import { type FindOptions, findBuildkitd, locateBuildkitd } from "../machine/find-buildkitd.ts";
import { isProgram } from "../machine/programs.ts";
import {
  BUILDKIT_SOURCE,
  buildFromSource,
  BUILDX_SOURCE,
  goCommands,
  type GoPlace,
  type Source,
} from "./go-source.ts";
import { putProgram, type Wanted } from "./put-program.ts";
import { SetupError, showCommand } from "./run-command.ts";
import { BUILDKIT_RELEASES, BUILDX_RELEASES, type Release } from "./versions.ts";

export interface ProgramsOptions {
  /** The server's `BUILDKITD`, downloads and engines. */
  sources: FindOptions;
  /** Target path of buildx. */
  buildx: string;
  /** A folder with the programs. */
  from?: string | undefined;
  /** Builds them from source, even if there are releases. */
  isFromSource: boolean;
  /** Go's name of this machine's architecture; undefined: there are no releases for it. */
  arch: string | undefined;
}

/** A way to get one program. */
export interface Way {
  title: string;
  /** Its steps, shown before they run. */
  show: (place: GoPlace) => readonly string[];
  needsGo: boolean;
  get: (place: GoPlace) => Promise<void>;
}

interface Program {
  source: Source;
  wanted: Wanted;
  release: Release | undefined;
  /** The file in its release's archive; absent: the release is the program. */
  inside?: string;
  to: string;
  /** File names in the operator's folder. */
  names: readonly string[];
}

/** @throws SetupError when a folder does not have them */
export async function findWays(options: ProgramsOptions, needsBuildkit: boolean): Promise<Way[]> {
  const { sources, buildx, arch = "" } = options;
  const wanted = (name: string, args: readonly string[], { version }: Source): Wanted => ({
    name,
    args,
    version,
  });
  const buildkitd: Program = {
    source: BUILDKIT_SOURCE,
    wanted: wanted("buildkitd", ["--version"], BUILDKIT_SOURCE),
    release: BUILDKIT_RELEASES[arch],
    inside: "bin/buildkitd",
    to: join(sources.folder, "buildkitd"),
    names: ["buildkitd", "bin/buildkitd"],
  };
  const helper: Program = {
    source: BUILDX_SOURCE,
    wanted: wanted("buildx", ["version"], BUILDX_SOURCE),
    release: BUILDX_RELEASES[arch],
    to: buildx,
    names: ["docker-buildx", "buildx", `buildx-linux-${arch}`],
  };
  const ways: Way[] = [];
  if (needsBuildkit) ways.push((await fromServersSource(options)) ?? (await findWay(buildkitd, options)));
  if (!(await isProgram(buildx))) ways.push(await findWay(helper, options));
  return ways;
}

/** The way that the server would use at its first build. */
async function fromServersSource({ sources, from }: ProgramsOptions): Promise<Way | null> {
  if (from !== undefined || (await locateBuildkitd(sources)) !== "") return null;
  const shown = sources.download
    ? `download ${sources.download.url}`
    : `take it from the image ${sources.docker?.image} with this machine's Docker engine`;
  return {
    title: "buildkitd",
    show: () => [shown],
    needsGo: false,
    async get() {
      await findBuildkitd(sources).catch((error: Error) => {
        throw new SetupError(error.message, { cause: error });
      });
    },
  };
}

async function findWay(program: Program, { from, isFromSource }: ProgramsOptions): Promise<Way> {
  const { source, wanted, release, to, names, inside } = program;
  const title = `${wanted.name} ${source.version}, into ${to}`;
  const put = (file: string) => putProgram(file, to, wanted);
  if (from !== undefined) {
    const found = await findIn(from, names);
    if (found !== null)
      return { title, show: () => [`copy ${found}`], needsGo: false, get: () => put(found) };
    if (wanted.name === "buildkitd")
      throw new SetupError(
        `${from} has no buildkitd that the server's user can read and run: name a folder that has one, such as the folder of a BuildKit release.`,
      );
  }
  if (release && !isFromSource && (await isReachable(release.url)))
    return {
      title,
      show: () => [`download ${release.url}`, `keep it only if its SHA-256 is ${release.sha256}`],
      needsGo: false,
      async get({ work }) {
        await put(await downloadRelease(release, work, inside));
      },
    };
  return {
    title,
    show: (place) => goCommands(source, place).map((told) => `$ ${showCommand(told)}`),
    needsGo: true,
    async get(place) {
      const built = await buildFromSource(source, place);
      await put(built);
      await rm(built);
    },
  };
}

async function findIn(folder: string, names: readonly string[]): Promise<string | null> {
  for (const name of names) if (await isProgram(join(folder, name))) return join(folder, name);
  return null;
}
