/** Builds of a running server, as its clients make them: with a certificate for each, and stock `buildctl` where it is there. */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { type ClientHttp2Session, connect, type OutgoingHttpHeaders } from "node:http2";
import { join } from "node:path";
import { connect as connectTls, type TLSSocket } from "node:tls";
import type { Stage } from "./attack.ts";
import { findBuildKit } from "../clients/registry/tools.ts";
import { json, send } from "./requests.ts";
import { freePort, type RunningServer, type ServerOptions } from "./server-process.ts";
import { asOwner } from "./sign-in.ts";

const BUILD_MS = 60_000;
const CONNECT_MS = 20_000;

export interface Endpoint {
  buildId: string;
  ca: string;
  certificate: string;
  key: string;
}

export interface AttackedBuilders {
  /** The builders' port. */
  port: number;
  /** A build with its certificate; null: there is no BuildKit here. */
  begin: (project: string) => Promise<Endpoint | null>;
  finish: (endpoint: Endpoint) => Promise<void>;
  /** The outcome of an ordinary client's build, from begin to end: "succeeded", or what went wrong. */
  build: (project: string) => Promise<string>;
}

/** A server of the attack's own, with builders where BuildKit can be had and is wanted. */
export async function openBuilders(
  stage: Pick<Stage, "server" | "dataDir">,
  more: ServerOptions["env"] = {},
  isWanted = true,
): Promise<{ server: RunningServer; builders: AttackedBuilders }> {
  const [programs, port] = [isWanted ? await findBuildKit() : null, await freePort()];
  const folder = stage.dataDir();
  const server = await stage.server({
    env: {
      ...more,
      MILLRACE_BUILDER_PORT: String(port),
      ...(programs !== null && { BUILDKITD: join(programs, "buildkitd") }),
    },
  });
  const projects = new Map<string, string>();
  const call = (method: string, body: object) => ask(server, method, body);
  async function begin(project: string): Promise<Endpoint | null> {
    if (programs === null) return null;
    const projectId =
      projects.get(project) ?? (await call("ProjectService/Create", { name: project })).project.id;
    projects.set(project, projectId);
    const { build } = await call("BuildService/CreateBuild", { project_id: projectId });
    const made = await call("BuilderService/GetEndpoint", { build_id: build.id, platform: "linux/amd64" });
    return {
      buildId: build.id,
      ca: made.ca_certificate,
      certificate: made.client_certificate,
      key: made.client_key,
    };
  }
  const finish = (endpoint: Endpoint, succeeded = false) =>
    call("BuildService/FinishBuild", { build_id: endpoint.buildId, succeeded }).then(() => undefined);
  const builders: AttackedBuilders = {
    port,
    begin,
    finish,
    async build(project) {
      const endpoint = await begin(project);
      if (!endpoint || programs === null) return "there is no BuildKit";
      const output = await runBuildctl(
        programs,
        { port, folder: mkdtempSync(join(folder, "build-")) },
        endpoint,
      );
      await finish(endpoint, output === "");
      const { build } = await call("BuildService/GetBuild", { build_id: endpoint.buildId });
      return build.state === "succeeded" ? "succeeded" : `${build.state}: ${output.slice(-1000)}`;
    },
  };
  return { server, builders };
}

// oxlint-disable-next-line typescript/no-explicit-any -- whatever the server answers
async function ask(server: RunningServer, method: string, body: object): Promise<any> {
  const answer = await send(server.port, json(`/api/millrace.v1.${method}`, body, { headers: asOwner }));
  if (answer.status !== 200) throw new Error(`${method}: ${answer.status} ${answer.body.toString()}`);
  return JSON.parse(answer.body.toString());
}

/** New files each time. @returns "" or what it printed */
function runBuildctl(
  programs: string,
  { port, folder }: { port: number; folder: string },
  { ca, certificate, key }: Endpoint,
): Promise<string> {
  const context = join(folder, "context");
  mkdirSync(context);
  writeFileSync(join(context, "Dockerfile"), "FROM scratch\nCOPY . /\n");
  writeFileSync(join(context, "file"), folder);
  const save = (name: string, text: string) => {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    return join(folder, name);
  };
  const args = [
    `--addr=tcp://127.0.0.1:${port}`,
    "--tlsservername=localhost",
    `--tlscacert=${save("ca.pem", ca)}`,
    `--tlscert=${save("cert.pem", certificate)}`,
    `--tlskey=${save("key.pem", key)}`,
    "build",
    "--progress=plain",
    "--frontend=dockerfile.v0",
    `--local=context=${context}`,
    `--local=dockerfile=${context}`,
  ];
  return new Promise((resolve) =>
    execFile(join(programs, "buildctl"), args, { timeout: BUILD_MS }, (error, out, told) =>
      resolve(error ? `${error.message} ${out}${told}` : ""),
    ),
  );
}

/** @returns null when the port refuses the certificate */
export async function openTls(
  port: number,
  pair: Pick<Endpoint, "certificate" | "key"> | null,
): Promise<TLSSocket | null> {
  const tls = connectTls({
    port,
    host: "127.0.0.1",
    // The server's identity does not matter to an attacker.
    rejectUnauthorized: false,
    ALPNProtocols: ["h2"],
    ...(pair && { cert: pair.certificate, key: pair.key }),
  });
  tls.on("error", () => undefined);
  const over = once(tls, "close").then(() => null);
  const connected = await Promise.race([once(tls, "secureConnect"), over]);
  return connected ? tls : null;
}

export async function openClient(port: number, endpoint: Endpoint): Promise<ClientHttp2Session> {
  const tls = await openTls(port, endpoint);
  if (!tls) throw new Error("the port refuses a certificate that it has just given");
  const session = connect("https://localhost", { createConnection: () => tls });
  session.on("error", () => undefined);
  return session;
}

export const CONTROL = "/moby.buildkit.v1.Control/";

export function openCall(client: ClientHttp2Session, path: string, headers: OutgoingHttpHeaders = {}) {
  const stream = client.request({
    ":method": "POST",
    ":path": path,
    "content-type": "application/grpc",
    te: "trailers",
    ...headers,
  });
  stream.on("error", () => undefined);
  stream.resume();
  return stream;
}

/** @returns the status of gRPC; -1: without one, also when the connection ends */
export async function askBuilder(
  client: ClientHttp2Session,
  path: string,
  message: Uint8Array = new Uint8Array(),
): Promise<number> {
  if (client.destroyed) return -1;
  const stream = openCall(client, path);
  let status = -1;
  for (const event of ["response", "trailers"])
    stream.on(event, (headers: Record<string, unknown>) => {
      status = Number(headers["grpc-status"] ?? status);
    });
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  stream.end(Buffer.concat([head, message]));
  await Promise.race([
    new Promise((resolve) => stream.once("close", resolve)),
    new Promise((resolve) => setTimeout(resolve, CONNECT_MS).unref()),
  ]);
  return status;
}
