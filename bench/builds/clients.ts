/** Clients that build: buildx on a remote builder (a plain `buildkitd` or Millrace's), and `millrace build`. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { TOKEN } from "../cache/peers.ts";
import type { Answer, Server, Tools } from "./stage.ts";

const PLATFORM = process.arch === "arm64" ? "linux/arm64" : "linux/amd64";
const MOST_OUTPUT = 10_000;

export interface Client {
  /** Runs the build to its end. @throws Error with its output when it fails */
  build: (more?: readonly string[]) => Promise<void>;
  /** @param onText with all output until now */
  start: (more: readonly string[], onText: (output: string) => void) => ChildProcess;
}

interface Command {
  program: string;
  args: readonly string[];
  cwd: string;
  env: Record<string, string>;
}

/** @param context its working folder, which it sends */
function toClient({ base }: Tools, context: string, command: Omit<Command, "cwd">): Client {
  const start: Client["start"] = (more, onText) => {
    const baseImage = `base=oci-layout://${base.folder}@${base.digest}`;
    const args = [...command.args, "--progress", "plain", "--build-context", baseImage, ...more, "."];
    return watch({ ...command, args, cwd: context }, onText);
  };
  return {
    start,
    async build(more = []) {
      let output = "";
      await ended(
        start(more, (text) => (output = text)),
        () => output,
      );
    },
  };
}

function watch(
  { program, args, cwd, env }: Command,
  onText: (output: string) => void = () => {},
): ChildProcess {
  const child = spawn(program, args, {
    cwd,
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output = (output + text).slice(-MOST_OUTPUT);
      onText(output);
    });
  return child;
}

async function ended(child: ChildProcess, output: () => string): Promise<void> {
  const code = await new Promise((resolve, reject) => child.once("error", reject).once("close", resolve));
  if (code !== 0) throw new Error(`${child.spawnargs.join(" ")} ended with ${String(code)}:\n${output()}`);
}

/** @param at name of its own folder @param options `--driver-opt`, for a protected address */
export async function openBuildx(
  tools: Tools,
  context: string,
  { at, address, options }: { at: string; address: string; options?: string },
): Promise<Client> {
  const home = join(tools.folder, at);
  mkdirSync(home, { recursive: true });
  const env = { HOME: home, DOCKER_CONFIG: home, BUILDX_CONFIG: join(home, "buildx") };
  const add = ["create", "--name", "bench", "--driver", "remote"];
  const driver = options === undefined ? [] : ["--driver-opt", options];
  let output = "";
  const command = { program: tools.buildx, env, cwd: tools.folder };
  await ended(
    watch({ ...command, args: [...add, ...driver, address] }, (text) => (output = text)),
    () => output,
  );
  return toClient(tools, context, { program: tools.buildx, args: ["build", "--builder", "bench"], env });
}

interface OpenBuild {
  client: Client;
  finish: () => Promise<{ state: string }>;
}

export async function createBuild(server: Server, projectId: string): Promise<string> {
  return (await server.call("BuildService/CreateBuild", { project_id: projectId })).build.id;
}

/** Waits until the build has its place. */
export const askEndpoint = (server: Server, buildId: string): Promise<Answer> =>
  server.call("BuilderService/GetEndpoint", { build_id: buildId, platform: PLATFORM });

export async function finishBuild(server: Server, buildId: string): Promise<{ state: string }> {
  const ended = await server.call("BuildService/FinishBuild", { build_id: buildId, succeeded: true });
  return ended.build;
}

/** @returns a buildx that builds through Millrace's port */
export function addRemote(
  tools: Tools,
  context: string,
  { buildId, endpoint }: { buildId: string; endpoint: Answer },
): Promise<Client> {
  const home = join(tools.folder, buildId);
  mkdirSync(home);
  const files = { cacert: "ca_certificate", cert: "client_certificate", key: "client_key" };
  const options = Object.entries(files).map(([name, field]) => {
    writeFileSync(join(home, `${name}.pem`), endpoint[field]);
    return `${name}=${join(home, `${name}.pem`)}`;
  });
  const driver = [...options, `servername=${endpoint.server_name}`].join(",");
  return openBuildx(tools, context, { at: buildId, address: endpoint.address, options: driver });
}

export async function openThroughPort(
  tools: Tools,
  server: Server,
  { context, buildId }: { context: string; buildId: string },
): Promise<OpenBuild> {
  const endpoint = await askEndpoint(server, buildId);
  return {
    client: await addRemote(tools, context, { buildId, endpoint }),
    finish: () => finishBuild(server, buildId),
  };
}

/** @param main of the built CLI */
export function openCli(
  tools: Tools,
  server: Server,
  { main, projectId, context }: { main: string; projectId: string; context: string },
): Client {
  const home = join(tools.folder, "cli-home");
  mkdirSync(home, { recursive: true });
  const env = {
    HOME: home,
    MILLRACE_URL: server.origin,
    MILLRACE_TOKEN: TOKEN,
    MILLRACE_PROJECT: projectId,
    MILLRACE_BUILDX: tools.buildx,
  };
  return toClient(tools, context, { program: process.execPath, args: [main, "build"], env });
}
