/**
 * A plugin in the place of Docker's `buildx`: builds go to the project's builder, everything else to the buildx that was there.
 * It is a shell script, so that Docker's other commands stay as fast as before, and still works after Millrace is removed.
 *
 *   docker build .   →   docker-buildx buildx build .   →   millrace __docker-buildx <settings> buildx build .
 *   docker buildx ls →   docker-buildx buildx ls        →   the user's buildx
 */
import { chmod, lstat, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findInstalledBuildx, PLUGIN_MARK, REPLACED } from "../builds/buildx-program.ts";
import { CliError, errorCode } from "../errors.ts";
import { findDockerFolder } from "../registry/docker-config.ts";

const PROGRAM = "docker-buildx";

const quoteShell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

export interface PluginSettings {
  /** The program that runs the CLI. */
  main: string;
  origin: string;
  /** For directories without a `millrace.json`; "" for none. */
  project: string;
}

const folderOf = (env: NodeJS.ProcessEnv): string => join(findDockerFolder(env), "cli-plugins");

/** @returns undefined if there is no buildx to replace. @throws CliError */
export async function installPlugin(
  env: NodeJS.ProcessEnv,
  settings: PluginSettings,
): Promise<string | undefined> {
  if (process.platform === "win32") return undefined;
  const folder = folderOf(env);
  const path = join(folder, PROGRAM);
  try {
    await mkdir(folder, { recursive: true });
    // The user's own plugin or Docker Desktop's link is renamed.
    if ((await exists(path)) && !(await isOurs(path))) await rename(path, join(folder, REPLACED));
    const real = await findInstalledBuildx(env);
    if (real === undefined) {
      if (await isOurs(path)) await rm(path);
      return undefined;
    }
    const draft = `${path}.draft-${process.pid}`;
    await writeFile(draft, script(real, settings), { flag: "wx", mode: 0o755 });
    await chmod(draft, 0o755);
    await rename(draft, path);
    return path;
  } catch (error) {
    throw new CliError(`${path} cannot be written (${errorCode(error)})`, undefined, error);
  }
}

/** @returns whether it was there */
export async function uninstallPlugin(env: NodeJS.ProcessEnv): Promise<boolean> {
  const path = join(folderOf(env), PROGRAM);
  const replaced = join(folderOf(env), REPLACED);
  const wasThere = await isOurs(path);
  try {
    if (wasThere) await rm(path);
    if ((await exists(replaced)) && !(await exists(path))) await rename(replaced, path);
    return wasThere;
  } catch (error) {
    throw new CliError(`${path} cannot be removed (${errorCode(error)})`, undefined, error);
  }
}

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

const isOurs = async (path: string): Promise<boolean> =>
  (await readFile(path, "latin1").catch(() => "")).slice(0, 200).includes(PLUGIN_MARK);

function script(real: string, { main, origin, project }: PluginSettings): string {
  return `#!/bin/sh
# ${PLUGIN_MARK}.
real=${quoteShell(real)}
node=${quoteShell(process.execPath)}
main=${quoteShell(main)}
case " $* " in
  *" build "* | *" b "* | *" bake "* | *" f "*)
    if [ -x "$node" ] && [ -f "$main" ]; then
      exec "$node" "$main" __docker-buildx "$real" ${quoteShell(origin)} ${quoteShell(project)} "$@"
    fi
    ;;
esac
exec "$real" "$@"
`;
}
