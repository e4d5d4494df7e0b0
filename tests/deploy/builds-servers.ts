/** Servers with builders as processes, for tests of replicas, and builds that a stock `buildctl` asks them for. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { OWNER_TOKEN } from "../clients/builds/build-server.ts";
import type { BuildTools } from "../clients/builds/machine-stage.ts";

export interface BuildsProcess {
  port: number;
  pid: number;
  folder: string;
  output: () => string;
  /** @param method `BuildService/GetBuild` */
  // oxlint-disable-next-line typescript/no-explicit-any -- whatever the server answers
  call: (method: string, request: object) => Promise<{ status: number; body: any }>;
  /** SIGTERM. */
  stop: () => Promise<void>;
  /** SIGKILL. */
  kill: () => Promise<void>;
}

export interface Endpoint {
  address: string;
  server_name: string;
  ca_certificate: string;
  client_certificate: string;
  client_key: string;
}

/** @param folder kept, for a later server */
export async function startBuildsProcess(
  folder: string,
  env: Record<string, string>,
  path = process.env["PATH"] ?? "",
): Promise<BuildsProcess> {
  await mkdir(folder, { recursive: true });
  const program = join(import.meta.dirname, "builds-process.ts");
  const child = spawn(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", program, folder, JSON.stringify(env)],
    { env: { ...process.env, PATH: path, ...(env["BUILDKITD"] && { BUILDKITD: env["BUILDKITD"] }) } },
  );
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (text: Buffer) => (output += text.toString()));
  const port = await untilItListens(child, () => output);
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
  };
  return {
    port,
    pid: child.pid!,
    folder,
    output: () => output,
    async call(method, request) {
      const response = await fetch(`http://localhost:${port}/api/millrace.v1.${method}`, {
        method: "POST",
        headers: { authorization: `Bearer ${OWNER_TOKEN}`, "content-type": "application/json" },
        body: JSON.stringify(request),
      });
      return { status: response.status, body: await response.json() };
    },
    stop: () => end("SIGTERM"),
    kill: () => end("SIGKILL"),
  };
}

async function untilItListens(child: ChildProcess, output: () => string): Promise<number> {
  for (;;) {
    const [, port] = /^port (\d+)$/m.exec(output()) ?? [];
    if (port !== undefined) return Number(port);
    if (child.exitCode !== null) throw new Error(`The server ended before it listened:\n${output()}`);
    await Promise.race([once(child.stdout!, "data"), once(child, "exit")]);
  }
}

export interface Asked {
  child: ChildProcess;
  /** Resolves when the client has ended. */
  ended: Promise<{ code: number; output: string }>;
}

/** @param dockerfile in which `base` is the base image */
export async function askForBuild(
  { programs, base, folder }: BuildTools,
  endpoint: Endpoint,
  dockerfile: string,
): Promise<Asked> {
  const context = await mkdtemp(join(folder, "context-"));
  const texts = {
    Dockerfile: dockerfile,
    "ca.pem": endpoint.ca_certificate,
    "cert.pem": endpoint.client_certificate,
    "key.pem": endpoint.client_key,
  };
  for (const [name, text] of Object.entries(texts)) await writeFile(join(context, name), text);
  const file = (name: string) => join(context, name);
  const command = [
    ["--addr", endpoint.address, "--tlsservername", endpoint.server_name, "--tlscacert", file("ca.pem")],
    ["--tlscert", file("cert.pem"), "--tlskey", file("key.pem")],
    ["build", "--progress=plain", "--frontend", "dockerfile.v0"],
    ["--local", `context=${context}`, "--local", `dockerfile=${context}`],
    ["--oci-layout", `base=${base.folder}`, "--opt", `context:base=oci-layout://base@${base.digest}`],
  ].flat();
  const env = { PATH: process.env["PATH"] ?? "", HOME: context };
  const child = spawn(join(programs, "buildctl"), command, { env });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (text: Buffer) => (output += text.toString()));
  const ended = once(child, "close").then(([code]) => ({ code: Number(code ?? 1), output }));
  return { child, ended };
}
