/** Builds for Docker's plugin `buildx`, after `configure-docker`. Builds that Millrace cannot do are left to Docker. */
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { parseCommandLine } from "../arguments.ts";
import { isOn, type Token, valuesOf } from "../builds/split-arguments.ts";
import { CliError, endWith } from "../errors.ts";
import type { Facts } from "../facts.ts";
import { findProject } from "../project-file.ts";
import { findDockerFolder, readDockerConfig } from "../registry/docker-config.ts";
import type { Invocation } from "../session.ts";
import type { Terminal } from "../terminal.ts";
import { cleanLines } from "../text.ts";

/** The first word after Docker's own flags, and the commands that build. */
const COMMANDS: { [name: string]: "build" | "bake" } = {
  build: "build",
  b: "build",
  bake: "bake",
  f: "bake",
};

const MAX_BAKE_FILE_BYTES = 16 * 1024 * 1024;

interface PluginCall {
  facts: Facts;
  terminal: Terminal;
  env: NodeJS.ProcessEnv;
  folder: string;
}

/** @param args the original buildx, the server, a project or "", and Docker's words @returns the exit code */
export async function buildForDocker(args: readonly string[], call: PluginCall): Promise<number> {
  const [real = "", origin = "", project = "", ...words] = args;
  const { terminal } = call;
  let input: string | undefined;
  try {
    const invocation = await readBuild(words, { origin, project, real }, call);
    if (!invocation) return await pass(real, words);
    input = await readBakeFile(invocation);
    const command = await load(invocation.command.name);
    await command(input === undefined ? invocation : { ...invocation, input });
    return 0;
  } catch (error) {
    if (error instanceof CliError && error.message === "") return error.exitCode;
    const reason = error instanceof Error ? error.message : String(error);
    terminal.err(`millrace: ${cleanLines(reason)}\nmillrace: Docker builds on this machine instead\n`);
    return pass(real, words, input);
  }
}

/**
 * `docker compose build` sends its Bake file on standard input. buildx needs it twice if Docker builds in the end. A build's
 * context or Dockerfile on standard input is left alone: buildx reads it once, and it has any size.
 * @throws CliError without a message, because Docker cannot build from the rest
 */
async function readBakeFile({ command, theirs = [], terminal }: Invocation): Promise<string | undefined> {
  if (command.name !== "bake" || !valuesOf(theirs, "--file").includes("-")) return undefined;
  return terminal.readInput(MAX_BAKE_FILE_BYTES).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    terminal.err(`millrace: the Bake file cannot be read: ${cleanLines(reason)}\n`);
    throw endWith(1);
  });
}

const load = async (name: string): Promise<(call: Invocation) => Promise<void>> =>
  name === "build"
    ? (await import("../commands/build.ts")).build
    : (await import("../commands/bake.ts")).bake;

interface Settings {
  origin: string;
  project: string;
  real: string;
}

/** @returns undefined for everything left to Docker: another builder, no project, another command */
async function readBuild(
  words: readonly string[],
  { origin, project, real }: Settings,
  call: PluginCall,
): Promise<Invocation | undefined> {
  const at = words.indexOf("buildx") + 1;
  const command = COMMANDS[words[at] ?? ""];
  // Flags before the command choose another Docker.
  if (command === undefined || at > 1) return undefined;
  const parsed = parseCommandLine([command, ...words.slice(at + 1)], call.facts);
  if (parsed.kind !== "command" || !parsed.theirs) return undefined;
  const { theirs, flags } = parsed;
  const chosen = flags.text("--builder") ?? call.env["BUILDX_BUILDER"] ?? "";
  if (chosen !== "" && !(await isDocker(chosen, call.env))) return undefined;
  const named = call.env["MILLRACE_PROJECT"] || (await findProject(call.folder)) || project;
  if (named === "") return undefined;
  const env = {
    ...withoutDocker(call.env),
    MILLRACE_URL: call.env["MILLRACE_URL"] || origin,
    MILLRACE_PROJECT: named,
    MILLRACE_BUILDX: call.env["MILLRACE_BUILDX"] || real,
  };
  return { ...parsed, theirs: withLoad(theirs), ...call, env };
}

/** With these variables, buildx would act as Docker's plugin, and expect other arguments. */
function withoutDocker(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const {
    DOCKER_CLI_PLUGIN_ORIGINAL_CLI_COMMAND: _,
    DOCKER_CLI_PLUGIN_SOCKET: _socket,
    BUILDX_BUILDER: _builder,
    ...others
  } = env;
  return others;
}

/** Docker's own builder has the name of the context, and `docker build` sets the variable to it. */
async function isDocker(builder: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const { currentContext } = await readDockerConfig(findDockerFolder(env));
  return builder === "default" || builder === (env["DOCKER_CONTEXT"] || currentContext);
}

/** Users of `docker build` expect the image in Docker. */
function withLoad(tokens: readonly Token[]): readonly Token[] {
  const isElsewhere =
    ["--push", "--load", "--check", "--print"].some((flag) => isOn(tokens, flag)) ||
    ["--output", "--list"].some((flag) => valuesOf(tokens, flag).length > 0) ||
    valuesOf(tokens, "--call").some((value) => value !== "build");
  return isElsewhere ? tokens : [{ flag: "--load", value: undefined, words: ["--load"] }, ...tokens];
}

/** Runs the original buildx, as if the plugin did not exist. @param input standard input, if it has been read */
function pass(real: string, words: readonly string[], input?: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(real, words, {
      stdio: [input === undefined ? "inherit" : "pipe", "inherit", "inherit"],
    });
    // It may end before it has read everything.
    child.stdin?.on("error", () => {}).end(input);
    // The terminal sends Ctrl-C to both processes; buildx' exit code counts.
    const signals: NodeJS.Signals[] = ["SIGINT", "SIGTERM"];
    const forward = (signal: NodeJS.Signals) => void child.kill(signal);
    for (const signal of signals) process.on(signal, forward);
    child.on("error", () => reject(endWith(1)));
    child.on("close", (code, signal) => {
      for (const each of signals) process.off(each, forward);
      resolve(code ?? 128 + (constants.signals[signal ?? "SIGKILL"] ?? 9));
    });
  });
}
