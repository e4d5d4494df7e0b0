/**
 * Builds a program from the source of its release, which is a Go module: Go downloads it from its proxy, or from the one that
 * GOPROXY names, and checks it against the public database of checksums. A Go that is too old for the source gets a newer Go in the
 * same way.
 */
import { execFile } from "node:child_process";
import { chmod, readdir, statfs } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { findProgram } from "../machine/programs.ts";
import { runCommand, SetupError, type Told } from "./run-command.ts";
import { BUILDKIT_VERSION, BUILDX_VERSION } from "./versions.ts";

const run = promisify(execFile);
const ASK_MS = 10 * 60_000;
const MAX_ANSWER_BYTES = 16 * 1024 ** 2;
/** For sources, packages and a newer Go: 2 GB were measured. */
const NEEDED_BYTES = 4 * 1024 ** 3;
/** The first version that downloads a newer Go on its own. */
const FIRST_WITH_TOOLCHAINS = 21;
/** For sources that require it, with a Go that does not download it on its own. */
const TOOLCHAIN = "1.26.3";
/** Higher parallelism would use up the memory of a small machine. */
const AT_ONCE = 2;

export interface Source {
  module: string;
  version: string;
  program: string;
}

export const BUILDKIT_SOURCE: Source = {
  module: "github.com/moby/buildkit",
  version: BUILDKIT_VERSION,
  program: "buildkitd",
};
export const BUILDX_SOURCE: Source = {
  module: "github.com/docker/buildx",
  version: BUILDX_VERSION,
  program: "buildx",
};

export interface GoPlace {
  /** For everything that Go stores; removed afterwards. */
  work: string;
  path: string;
}

/** Includes the folder of Go's own installer. */
const goPath = (path: string): string => `${path}:/usr/local/go/bin`;

export const findGo = (path: string): Promise<string | null> => findProgram("go", goPath(path));

/** As shown before they run. */
export function goCommands(source: Source, place: GoPlace): Told[] {
  const env = goEnvironment(place);
  const { module, version } = source;
  return [
    { args: ["go", "mod", "download", "-modcacherw", `${module}@v${version}`], env },
    buildCommand(source, join(place.work, source.program)),
  ];
}

/** Existing settings are kept. */
function goEnvironment({ work }: GoPlace): Record<string, string> {
  const wanted = {
    GOMODCACHE: join(work, "modules"),
    GOCACHE: join(work, "objects"),
    GOTOOLCHAIN: "auto",
    CGO_ENABLED: "0",
  };
  return Object.fromEntries(Object.entries(wanted).filter(([name]) => process.env[name] === undefined));
}

const buildCommand = ({ module, version, program }: Source, to: string): Told => ({
  args: `go build -modcacherw -mod=mod -p ${AT_ONCE} -trimpath -ldflags`
    .split(" ")
    .concat(`-s -w -X ${module}/version.Version=v${version}`, "-o", to, `./cmd/${program}`),
});

/** @returns the program's path. @throws SetupError */
export async function buildFromSource(source: Source, place: GoPlace): Promise<string> {
  const { bavail, bsize } = await statfs(place.work);
  if (bavail * bsize < NEEDED_BYTES)
    throw new SetupError(
      `Building ${source.program} needs ${NEEDED_BYTES / 1024 ** 3} GB of free disk space at ${place.work} for a while: free some space, or name a folder that has the programs with --from.`,
    );
  const env = goEnvironment(place);
  const go = await findNewGo({ ...place, path: goPath(place.path) }, env);
  const folder = await download(go, `${source.module}@v${source.version}`, { ...place, env });
  const to = join(place.work, source.program);
  const { args } = buildCommand(source, to);
  await runCommand({ args: [go, ...args.slice(1)], env, cwd: folder }, goPath(place.path));
  return to;
}

interface Asked extends GoPlace {
  env: Record<string, string>;
}

/** @returns a Go that can build current sources */
async function findNewGo(place: GoPlace, env: Record<string, string>): Promise<string> {
  const go = await findGo(place.path);
  if (go === null)
    throw new SetupError(
      "Go is not installed on this machine: install its package, or name a folder that has the programs with --from.",
    );
  const { stdout } = await run(go, ["env", "GOVERSION", "GOHOSTARCH"], { env: { ...process.env, ...env } });
  const [version = "", arch = ""] = stdout.split("\n");
  const minor = Number(/^go1\.(\d+)/.exec(version)?.[1] ?? FIRST_WITH_TOOLCHAINS);
  if (minor >= FIRST_WITH_TOOLCHAINS) return go;
  const folder = await download(go, `golang.org/toolchain@v0.0.1-go${TOOLCHAIN}.linux-${arch}`, {
    ...place,
    env,
  });
  // A module's files have no modes; current Go versions set them on their own.
  for (const inner of ["bin", `pkg/tool/linux_${arch}`])
    for (const name of await readdir(join(folder, inner))) await chmod(join(folder, inner, name), 0o755);
  return join(folder, "bin/go");
}

/** @returns the folder of its source */
async function download(go: string, module: string, { work, path, env }: Asked): Promise<string> {
  const args = ["mod", "download", "-modcacherw", "-json", module];
  try {
    const { stdout } = await run(go, args, {
      cwd: work,
      env: { ...process.env, PATH: path, ...env },
      timeout: ASK_MS,
      maxBuffer: MAX_ANSWER_BYTES,
    });
    return String((JSON.parse(stdout) as { Dir?: string }).Dir);
  } catch (error) {
    throw new SetupError(
      `Go could not get ${module}: ${whyNot(error)}. Check the network and GOPROXY, and run setup-builders again.`,
      { cause: error },
    );
  }
}

/** Go reports the error as JSON, or in its last line. */
function whyNot(error: unknown): string {
  const {
    stdout = "",
    stderr = "",
    message = "",
  } = error as { stdout?: string; stderr?: string; message?: string };
  const said = /"Error": "((?:[^"\\]|\\.)*)"/.exec(stdout)?.[1] ?? stderr.trim().split("\n").at(-1);
  return (said || message).slice(0, 300).replace(/\.$/, "");
}
