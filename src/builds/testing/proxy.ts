/** For tests: a proxy in front of a stand-in for buildkitd, and clients with certificates. */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  createServer,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type ServerHttp2Stream,
} from "node:http2";
import {
  type AddressInfo,
  connect as connectTcp,
  createServer as createTcpServer,
  type Socket,
} from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { afterAll, beforeAll } from "vitest";
import { createWebSocketStream, type WebSocket } from "ws";
import { frameMessage } from "#platform/grpc/split-messages.ts";
import { consoleLog, type Log } from "#platform/log/log.ts";
import {
  type Authority,
  type CertificateWithKey,
  makeAuthority,
  openAuthority,
} from "../certificates/certificates.ts";
import { createSeenFiles } from "../context/seen-files.ts";
import { createTunnelTokens, type TunnelTokens } from "../certificates/tunnel-tokens.ts";
import { type BuildProxy, createBuildProxy } from "../proxy/create-build-proxy.ts";
import type { ProxyBuild } from "../proxy/proxy-build.ts";

export const HOUR_MS = 60 * 60 * 1000;
const quiet: Log = { ...consoleLog, info: () => undefined, warn: () => undefined };

/** A call that reached the stand-in. */
export interface Asked {
  path: string;
  headers: IncomingHttpHeaders;
  rawHeaders: readonly string[];
  stream: ServerHttp2Stream;
}

export interface TestProxy {
  proxy: BuildProxy;
  /** Its own port. */
  port: number;
  tunnelTokens: TunnelTokens;
  authority: Authority;
  /** By build id; a test may add and remove. */
  builds: Map<string, ProxyBuild>;
  live: (more?: Partial<ProxyBuild>) => ProxyBuild;
  asked: Asked[];
  /** buildkitd's behavior; by default, it answers with an empty message. */
  behaviour: { answer: (asked: Asked) => void };
  certify: (buildId: string, until?: Date) => Promise<CertificateWithKey>;
  connect: (pair: CertificateWithKey | null, alpn?: string[]) => Promise<TLSSocket>;
  client: (buildId: string) => Promise<ClientHttp2Session>;
}

/** One proxy for the tests of a file. */
export function useTestProxy(): () => TestProxy {
  let place: TestProxy | undefined;
  let end = async () => undefined as void;
  beforeAll(async () => {
    const started = await startTestProxy();
    place = started.place;
    end = started.end;
  });
  afterAll(() => end());
  return () => {
    if (!place) throw new Error("the proxy has not been started");
    return place;
  };
}

/** Answers as its behaviour says. */
export async function startBuilder(socket: string) {
  const asked: Asked[] = [];
  const behaviour = { answer: ({ stream }: Asked) => answerMessages(stream, [Buffer.alloc(0)]) };
  const builder = createServer();
  builder.on("stream", (stream, headers, _flags, rawHeaders) => {
    stream.on("error", () => undefined);
    const each: Asked = { path: headers[":path"] ?? "", headers, rawHeaders, stream };
    asked.push(each);
    behaviour.answer(each);
  });
  builder.listen(socket);
  await once(builder, "listening");
  return { asked, behaviour, close: () => builder.close() };
}

async function startTestProxy() {
  const folder = mkdtempSync(join(tmpdir(), "proxy-"));
  const socket = join(folder, "b.sock");
  const builds = new Map<string, ProxyBuild>();
  const { asked, behaviour, close } = await startBuilder(socket);
  const authority = await openAuthority(await makeAuthority(new Date()));
  const tunnelTokens = createTunnelTokens(randomBytes(32), Date.now);
  const proxy = await createBuildProxy({
    authority,
    hosts: ["localhost", "127.0.0.1"],
    tunnelTokens,
    listen: { host: "127.0.0.1", port: 0 },
    log: quiet,
    findBuild: (buildId) => builds.get(buildId) ?? null,
  });
  const port = proxy.port ?? 0;
  const sessions = new Set<ClientHttp2Session>();
  const nothing = () => undefined;
  const certify = (buildId: string, until = new Date(Date.now() + HOUR_MS)) =>
    authority.signClient(buildId, "linux/amd64", until);
  const place: TestProxy = {
    proxy,
    port,
    tunnelTokens,
    authority,
    builds,
    asked,
    behaviour,
    live: (more) => ({
      organizationId: "org_a",
      socket,
      rules: { entitlements: new Set(), mayPush: true },
      onSolve: async () => undefined,
      onFrontend: async () => undefined,
      onSecret: nothing,
      onUnread: nothing,
      onRefused: nothing,
      onConnections: nothing,
      onReceived: nothing,
      seen: createSeenFiles(),
      ...more,
    }),
    certify,
    connect: (pair, alpn) => connectAs(port, authority.certificate, { pair, alpn }),
    async client(buildId) {
      const tls = await place.connect(await certify(buildId));
      const session = connect("https://localhost", { createConnection: () => tls });
      session.on("error", () => undefined);
      sessions.add(session);
      return session;
    },
  };
  const end = async () => {
    for (const session of sessions) session.destroy();
    await proxy.close();
    close();
    rmSync(folder, { recursive: true });
  };
  return { place, end };
}

export async function connectAs(
  port: number,
  ca: string,
  { pair, alpn = [] }: { pair: CertificateWithKey | null; alpn?: string[] | undefined },
): Promise<TLSSocket> {
  const tls = connectTls({
    port,
    host: "127.0.0.1",
    servername: "localhost",
    ca,
    ...(pair && { cert: pair.certificate, key: pair.key }),
    ALPNProtocols: alpn,
  });
  // With TLS 1.3, a client learns that it is refused only after it has connected.
  tls.on("error", () => undefined);
  await once(tls, "secureConnect");
  return tls;
}

/** As in the CLI: a read from a socket is as large as a frame may be. */
export async function joinLoopback(tunnel: WebSocket): Promise<Socket> {
  const local = createTcpServer().listen(0, "127.0.0.1");
  await once(local, "listening");
  const near = connectTcp((local.address() as AddressInfo).port, "127.0.0.1");
  const [far] = (await once(local, "connection")) as [Socket];
  local.close();
  const stream = createWebSocketStream(tunnel).on("error", () => far.destroy());
  far.on("error", () => {}).once("close", () => stream.destroy());
  far.pipe(stream).pipe(far);
  return near;
}

export function answerMessages(stream: ServerHttp2Stream, messages: readonly Uint8Array[]): void {
  stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true });
  stream.once("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
  for (const message of messages) stream.write(frameMessage(message));
  stream.end();
  stream.resume();
}

export interface Answer {
  status: number;
  message: string;
  bytes: Buffer;
  resetCode: number;
}

export const CONTROL = "/moby.buildkit.v1.Control/";

export function open(client: ClientHttp2Session, path: string, headers: OutgoingHttpHeaders = {}) {
  const stream = client.request({
    ":method": "POST",
    ":path": path,
    "content-type": "application/grpc",
    te: "trailers",
    ...headers,
  });
  stream.on("error", () => undefined);
  return stream;
}

/** Resolves when the call has ended; a status of -1: it ended without one. */
export async function ended(stream: ClientHttp2Stream): Promise<Answer> {
  const parts: Buffer[] = [];
  let [status, message] = [-1, ""];
  const read = (headers: IncomingHttpHeaders) => {
    const { "grpc-status": code, "grpc-message": text } = headers;
    if (code === undefined) return;
    status = Number(code);
    message = decodeURIComponent(String(text ?? ""));
  };
  stream.on("response", read);
  stream.on("trailers", read);
  stream.on("data", (part: Buffer) => parts.push(part));
  await new Promise<void>((resolve) => {
    if (stream.destroyed) resolve();
    stream.once("close", () => resolve());
  });
  return { status, message, bytes: Buffer.concat(parts), resetCode: stream.rstCode ?? 0 };
}

/** Sends one message and returns the answer. */
export async function ask(
  client: ClientHttp2Session,
  path: string,
  message: Uint8Array = new Uint8Array(),
  headers: OutgoingHttpHeaders = {},
): Promise<Answer> {
  const stream = open(client, path, headers);
  stream.end(frameMessage(message));
  return ended(stream);
}
