/**
 * 1. With room for 256 open files, five times as many slow connections block no client and leave files to open.
 * 2. Readers that do not take their 4 MB answers cost some megabytes each, and other clients are answered.
 * 3. A client that is silent, sends headers or a body too slowly, is idle, or takes nothing of an answer is
 *    cut off in time; a slow reader gets the whole answer. The body of a known sender may take longer while enough bytes keep
 *    arriving, and while the server is busy with it; bytes of a body that arrive after its answer also count as slow.
 * 4. An invalid request is answered with 400, and nothing is logged.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect as connectHttp2 } from "node:http2";
import type { AddressInfo, Socket } from "node:net";
import { afterEach, expect, test, vi } from "vitest";
import type { AnyRequest, AnyResponse } from "#platform/http/connections/connection.ts";
import { connectRaw, get, type RawClient } from "#platform/http/raw-client.ts";
import { createGuardedServer, type GuardedServerOptions } from "./guarded-server.ts";
import { connectionLimits } from "../limits.ts";

const MEBIBYTE = 1024 * 1024;
const cleanUps: (() => void)[] = [];
afterEach(() => cleanUps.splice(0).forEach((cleanUp) => cleanUp()));

const source = (name: string) => JSON.stringify(new URL(name, import.meta.url).href);
/** A server like the site's with answers of any size; it reports its resource use. */
const program = `
  const { Hono } = await import(${JSON.stringify(import.meta.resolve("hono"))});
  const { listen } = await import(${source("listen.ts")});
  const { createEdge } = await import(${source("../edge.ts")});
  const { createGuardedServer } = await import(${source("guarded-server.ts")});
  const { readdirSync, readFileSync } = await import("node:fs");
  const { server, connections } = createGuardedServer();
  const edge = createEdge({ connections });
  const app = new Hono();
  app.get("/", (context) => {
    const rss = Number(/VmHWM:\\s*(\\d+)/.exec(readFileSync("/proc/self/status", "utf8"))[1]) * 1024;
    return context.json({ files: readdirSync("/proc/self/fd").length, connections: connections.size, rss });
  });
  app.use(edge.refuseWithoutRoom);
  app.get("/large", (context) => context.text(String(Math.random()).padEnd(${4 * MEBIBYTE}, "é")));
  app.get("/small", (context) => context.text("small"));
  await listen(app, "127.0.0.1", 0, { server, connections });
  console.log(server.address().port);`;

async function startChild(files: number): Promise<number> {
  const command = `ulimit -n ${files}; exec "$0" --disable-warning=ExperimentalWarning --input-type=module -e "$1"`;
  const child = spawn("bash", ["-c", command, process.execPath, program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  cleanUps.push(() => child.kill("SIGKILL"));
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  return Number(line.toString());
}

interface Usage {
  files: number;
  connections: number;
  rss: number;
}

async function askUsage(port: number): Promise<Usage> {
  const client = await connectRaw(port, get("/", "Connection: close"));
  const text = await client.ended();
  expect(text).toMatch(/^HTTP\/1\.1 200 /);
  // The body's only line, in one chunk.
  return JSON.parse(/\{.*\}/.exec(text)![0]) as Usage;
}

test.skipIf(process.platform !== "linux")(
  "1. many slow connections, few files",
  { timeout: 30_000 },
  async () => {
    const port = await startChild(256);
    const slow: RawClient[] = [];
    for (let round = 0; round < 5; round += 1) {
      const sent = [
        "",
        "GET / HTTP/1.1\r\nX: ",
        "POST /small HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n1",
      ];
      const clients = Array.from({ length: 256 }, (_, at) => connectRaw(port, sent[at % sent.length]));
      slow.push(...(await Promise.all(clients)));
      const { files, connections } = await askUsage(port);
      expect(files).toBeLessThan(256 - 32);
      expect(connections).toBeGreaterThan(50);
    }
    for (const { socket } of slow) socket.destroy();
  },
);

test.skipIf(process.platform !== "linux")("2. readers that take nothing", { timeout: 30_000 }, async () => {
  const port = await startChild(1024);
  const before = await askUsage(port);
  const readers: RawClient[] = [];
  for (let round = 0; round < 3; round += 1)
    for (let at = 0; at < 24; at += 1)
      readers.push(await connectRaw(port, get("/large"), { from: `127.0.0.${2 + (at % 12)}` }));
  const after = await askUsage(port);
  // Unbounded: 72 answers of 8 MiB in memory. If garbage collection is late, some texts of 4 MiB are also still there.
  expect(after.rss - before.rss).toBeLessThan(300 * MEBIBYTE);
  const refusals = await Promise.all(readers.slice(-24).map((reader) => reader.until("\r\n\r\n")));
  expect(refusals.filter((text) => /^HTTP\/1\.1 503 [^]*retry-after: 5/i.test(text)).length).toBeGreaterThan(
    0,
  );
  for (const { socket } of readers) socket.destroy();
  await vi.waitUntil(async () =>
    /200 OK/.test(await (await connectRaw(port, get("/small", "Connection: close"))).ended()),
  );
});

async function startHere(times: GuardedServerOptions["times"]) {
  const { server, connections } = createGuardedServer({ times });
  server.http1.on("request", (request, response) => {
    if (!connections.admit(request, response)) return;
    if (request.method === "POST") request.resume().on("end", () => response.end("taken"));
    else response.end(Buffer.alloc(request.url === "/large" ? 30 * MEBIBYTE : 5, "a"));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  cleanUps.push(() => (server.close(), server.closeAllConnections()));
  return { server, port: (server.address() as AddressInfo).port };
}

test("3. headers, bodies, idle connections", async () => {
  const short = {
    headersTimeout: 50,
    requestTimeout: 50,
    connectionsCheckingInterval: 10,
    keepAliveTimeout: 50,
  };
  const { port } = await startHere(short);
  for (const sent of [
    "",
    "GET / HTTP/1.1\r\nX: ",
    "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n1",
  ])
    expect(await (await connectRaw(port, sent)).ended()).toMatch(/^HTTP\/1\.1 408 /);
  expect(await (await connectRaw(port, get("/"))).ended()).toMatch(/aaaaa$/);
});

/** A server that answers `/early` before the body has arrived, and knows the senders of `/known` and `/held`. */
async function startUploads(times: GuardedServerOptions["times"]) {
  const { server, connections } = createGuardedServer({ times });
  const onRequest = (request: AnyRequest, response: AnyResponse) => {
    if (!connections.admit(request, response)) return;
    if (request.url === "/early") return void response.end("early");
    const pace = request.url === "/unknown" ? null : connections.admitUpload(request);
    if (pace) pace.isHeld = request.url === "/held";
    request.on("data", (chunk: Buffer) => pace && (pace.receivedBytes += chunk.length));
    request.on("end", () => response.end("taken"));
  };
  server.http1.on("request", onRequest);
  server.http2.on("request", onRequest);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  cleanUps.push(() => (server.close(), server.closeAllConnections()));
  return { connections, port: (server.address() as AddressInfo).port };
}

const post = (path: string, bytes: number) =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: ${bytes}\r\n\r\n`;
const ofUploads = { requestTimeout: 100, uploadWindowMs: 1000, uploadMs: 10_000 };

/** Sends parts until all are sent, or the connection ends. */
async function sendParts(port: number, path: string, [parts, bytes]: readonly [number, number]) {
  const client = await connectRaw(port, post(path, parts * bytes));
  client.read();
  for (let part = 0; part < parts && !client.socket.destroyed; part += 1) {
    client.socket.write(Buffer.alloc(bytes));
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return client;
}

test("3. uploads of HTTP/1.1", { timeout: 20_000 }, async () => {
  const { port, connections } = await startUploads(ofUploads);
  const outcomes = await Promise.all([
    // 40 parts take 2 s, twenty times the limit of other requests.
    sendParts(port, "/known", [40, 64 * 1024]).then((client) => client.until("taken")),
    sendParts(port, "/held", [40, 1]).then((client) => client.until("taken")),
    sendParts(port, "/unknown", [40, 64 * 1024]).then((client) => client.ended()),
    sendParts(port, "/known", [40, 1]).then((client) => client.ended()),
    sendParts(port, "/early", [40, 1]).then((client) => client.ended()),
  ]);
  const [known, held, unknown, slow, early] = outcomes;
  expect(known).toMatch(/^HTTP\/1\.1 200 [^]*taken$/);
  expect(held).toMatch(/^HTTP\/1\.1 200 [^]*taken$/);
  expect(unknown).toMatch(/^HTTP\/1\.1 408 /);
  expect(slow).toMatch(/^HTTP\/1\.1 408 /);
  expect(early).toMatch(/^HTTP\/1\.1 200 [^]*early$/);
  await vi.waitFor(() => expect(connections.requests).toBe(0));
});

test("3. uploads of HTTP/2", { timeout: 20_000 }, async () => {
  const { port } = await startUploads(ofUploads);
  const session = connectHttp2(`http://127.0.0.1:${port}`);
  cleanUps.push(() => session.destroy());
  const send = async (path: string, bytes: number) => {
    const stream = session.request({ ":method": "POST", ":path": path });
    let answer = "";
    stream.setEncoding("utf8").on("data", (text: string) => (answer += text));
    const ended = new Promise((resolve) => stream.on("error", () => {}).once("close", resolve));
    for (let part = 0; part < 40 && !stream.destroyed; part += 1) {
      stream.write(Buffer.alloc(bytes));
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    if (!stream.destroyed) stream.end();
    await ended;
    return answer;
  };
  const answers = await Promise.all([
    send("/known", 64 * 1024),
    send("/held", 1),
    send("/unknown", 64 * 1024),
    send("/known", 1),
  ]);
  expect(answers).toEqual(["taken", "taken", "", ""]);
});

test("3. readers", { timeout: 20_000 }, async () => {
  const { port, server } = await startHere({ unreadMs: 1000 });
  const accepted: Socket[] = [];
  server.on("connection", (socket) => accepted.push(socket));
  const stalled = await connectRaw(port, get("/large"));
  const slow = await connectRaw(port, get("/large"));
  let taken = 0;
  const isCut = () => accepted[0]?.destroyed ?? false;
  slow.socket.on("data", (chunk: Buffer) => {
    taken += chunk.length;
    if (isCut()) return;
    slow.socket.pause();
    setTimeout(() => slow.socket.resume(), 20);
  });
  // Sending does not make up for not reading.
  await vi.waitUntil(() => (stalled.socket.write(get("/")), isCut()), { timeout: 15_000 });
  await vi.waitUntil(() => taken > 30 * MEBIBYTE, { timeout: 10_000 });
  stalled.socket.destroy();
});

test("4. no request", async () => {
  const logged = vi.spyOn(console, "error");
  const { port } = await startHere({});
  for (const sent of [
    "\0\r\n\r\n",
    "GET / HTTP/9\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n",
  ])
    expect(await (await connectRaw(port, sent)).ended()).toMatch(/^HTTP\/1\.1 400 /);
  expect(await (await connectRaw(port, get("/", `X: ${"a".repeat(20_000)}`))).ended()).toMatch(
    /^HTTP\/1\.1 431 /,
  );
  expect(logged).not.toHaveBeenCalled();
});

test("1. as many connections as files allow", () => {
  const connectionsOf = (files: number | null, open: number | null) =>
    connectionLimits(files, open).connections;
  expect([
    connectionsOf(Number.POSITIVE_INFINITY, 30),
    connectionsOf(20_000, 30),
    connectionsOf(1024, 40),
    connectionsOf(256, 40),
    connectionsOf(16, 40),
  ]).toEqual([4096, 4096, 856, 152, 8]);
  expect(connectionsOf(null, null)).toBeGreaterThan(64);
});
