/** `upgrade`: installs the CLI that the server hands out, in the same way as this one was installed. */
import { spawn } from "node:child_process";
import { rm } from "node:fs/promises";
import { programsFolder } from "../builds/fetch-buildx.ts";
import { download, readText } from "../download.ts";
import { CliError } from "../errors.ts";
import { archiveAt, findInstallation, type Installation } from "../installation.ts";
import { findOrigin, type Invocation } from "../session.ts";
import { offeredBy, ownVersion, readVersion } from "../version.ts";

const MAX_SCRIPT_BYTES = 256 * 1024;
const IS_WINDOWS = process.platform === "win32";

export async function upgrade(call: Invocation): Promise<void> {
  const { env, terminal } = call;
  const origin = await findOrigin(call);
  const answer = await download(env, new URL(archiveAt(origin)), { maxBytes: 0, method: "HEAD" });
  const offered = answer && offeredBy(answer.headers);
  if (offered === undefined)
    throw new CliError(
      `${origin} does not provide the CLI: it is not a Millrace server, or an older one. Update the server`,
    );
  if (offered === ownVersion()) {
    terminal.out(`millrace ${readVersion()} already matches ${origin}\n`);
    return;
  }
  const installation = await findInstallation();
  const command = installation.command(origin, offered);
  if (!installation.upgrade)
    throw new CliError(
      `this millrace belongs to a project or to npx, which determines its version: run ${command}`,
    );
  terminal.err(`Upgrading millrace ${readVersion()} to the version of ${origin}: ${command}\n`);
  const code = await run(installation.upgrade, origin, env);
  if (code !== 0) throw new CliError(`the command exited with code ${code}: ${command}`);
  // Programs that the former CLI fetched belong to its version.
  await rm(programsFolder(origin), { recursive: true, force: true });
}

async function run(
  way: NonNullable<Installation["upgrade"]>,
  origin: string,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  if ("program" in way)
    return start(way.program, [...way.args, archiveAt(origin)], { env, input: "", isShell: IS_WINDOWS });
  const script = await download(env, new URL(`/${way.script}`, origin), { maxBytes: MAX_SCRIPT_BYTES });
  if (!script) throw new CliError(`${origin} has no ${way.script}: update the server`);
  const input = await readText(script);
  const withRoot = { ...env, MILLRACE_INSTALL: way.root };
  return IS_WINDOWS
    ? start("powershell", ["-NoProfile", "-Command", "-"], { env: withRoot, input })
    : start("sh", ["-s"], { env: withRoot, input });
}

interface Start {
  env: NodeJS.ProcessEnv;
  /** Its standard input. */
  input: string;
  /** Set where npm is a shell script. */
  isShell?: boolean;
}

function start(
  program: string,
  args: readonly string[],
  { env, input, isShell = false }: Start,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env, stdio: ["pipe", "inherit", "inherit"], shell: isShell });
    child.on("error", () => reject(new CliError(`${program} cannot be run: put it on your PATH`)));
    child.on("close", (code) => resolve(code ?? 1));
    child.stdin.on("error", () => {});
    child.stdin.end(input);
  });
}
