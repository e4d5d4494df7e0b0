/** Finds buildx: the user's own, so that it has the flags they know, or the server's. */
import { constants } from "node:fs";
import { access, open } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { CliError } from "../errors.ts";
import { findDockerFolder, readDockerConfig } from "../registry/docker-config.ts";
import { findOrigin, type Invocation } from "../session.ts";

/** Identifies the plugin that `configure-docker` writes, in its first bytes. */
export const PLUGIN_MARK = "Written by millrace configure-docker";
/** The name of the plugin that ours replaced. Docker looks only for names that begin with `docker-`. */
export const REPLACED = "before-millrace-docker-buildx";

const IS_WINDOWS = process.platform === "win32";
const EXTENSION = IS_WINDOWS ? ".exe" : "";
const MARK_BYTES = 200;
/** https://github.com/docker/cli/blob/master/cli-plugins/manager/manager_unix.go */
const SYSTEM_FOLDERS = [
  "/usr/local/lib/docker/cli-plugins",
  "/usr/local/libexec/docker/cli-plugins",
  "/usr/lib/docker/cli-plugins",
  "/usr/libexec/docker/cli-plugins",
  // Docker Desktop and Homebrew.
  "/Applications/Docker.app/Contents/Resources/cli-plugins",
  "/opt/homebrew/lib/docker/cli-plugins",
];

function pluginFolders(env: NodeJS.ProcessEnv, extra: readonly string[]): string[] {
  const system = IS_WINDOWS
    ? ["ProgramData", "ProgramFiles"].map((name) => join(env[name] ?? "C:\\", "Docker", "cli-plugins"))
    : SYSTEM_FOLDERS;
  return [join(findDockerFolder(env), "cli-plugins"), ...extra, ...system];
}

/** @throws CliError if neither this machine nor the server has one */
export async function findBuildx(call: Pick<Invocation, "env" | "flags" | "terminal">): Promise<string> {
  const { env, terminal } = call;
  const chosen = env["MILLRACE_BUILDX"];
  if (chosen) {
    if (await isProgram(chosen)) return chosen;
    throw new CliError(`MILLRACE_BUILDX is not an executable: ${chosen}`);
  }
  const installed = await findInstalledBuildx(env);
  if (installed !== undefined) return installed;
  const origin = await findOrigin(call);
  const { fetchBuildx, fetchedBuildx } = await import("./fetch-buildx.ts");
  const fetched = fetchedBuildx(origin);
  return (await isProgram(fetched)) ? fetched : fetchBuildx(env, origin, terminal.err);
}

/** In Docker's folders, then on the PATH. */
export async function findInstalledBuildx(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const { cliPluginsExtraDirs: extra } = await readDockerConfig(findDockerFolder(env));
  const extraFolders = Array.isArray(extra) ? extra.filter((each) => typeof each === "string") : [];
  const plugins = pluginFolders(env, extraFolders);
  const onPath = (env["PATH"] ?? env["Path"] ?? "").split(delimiter).filter((folder) => folder !== "");
  const candidates = [
    ...plugins.flatMap((folder) => [
      join(folder, `docker-buildx${EXTENSION}`),
      join(folder, REPLACED + EXTENSION),
    ]),
    ...onPath.flatMap((folder) => [
      join(folder, `docker-buildx${EXTENSION}`),
      join(folder, `buildx${EXTENSION}`),
    ]),
  ];
  for (const path of candidates) if ((await isProgram(path)) && !(await isOurs(path))) return path;
  return undefined;
}

const isProgram = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  );

async function isOurs(path: string): Promise<boolean> {
  const file = await open(path).catch(() => undefined);
  if (!file) return false;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MARK_BYTES), 0, MARK_BYTES, 0);
    return buffer.toString("latin1", 0, bytesRead).includes(PLUGIN_MARK);
  } finally {
    await file.close();
  }
}
