/**
 * The cache behind the server's own listener:
 * 1. It answers next to pages and gRPC, over HTTP/1.1 and HTTP/2; an upload waits for "100 Continue".
 * 2. Each request is in the access log and the metrics once, with its answer's id; metrics distinguish tools and outcomes, and
 *    count entries.
 * 3. Over HTTP and gRPC, an upload may take longer than other requests; a stalled upload is cut, and leaves nothing.
 */
import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { constants } from "node:http2";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Hono } from "hono";
import { afterEach, expect, test, vi } from "vitest";
import { writeMessages } from "#cache/testing/reapi.ts";
import { openTestServer } from "#cache/testing/server.ts";
import { createGrpcHandler } from "#platform/grpc/handler.ts";
import { answerOf, openRawClient } from "#platform/grpc/raw-client.ts";
import { connectRaw } from "#platform/http/raw-client.ts";
import { createLog } from "#platform/log/create-log.ts";
import { createEdge } from "#server/edge.ts";
import { parseEnvironment } from "#server/environment.ts";
import { createGuardedServer, type GuardedServerOptions } from "#server/port/guarded-server.ts";
import { listen } from "#server/port/listen.ts";
import { observe } from "#server/operator/observe.ts";
import { grpcOf, waysOf } from "#server/room-ways.ts";
import { createCallers } from "#accounts/index.ts";
import { serveCache } from "./open-cache.ts";
import { curl } from "#server/testing/tools.ts";

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

const METRICS_TOKEN = "the-token-of-the-metrics";
const KEY = "/cache/gradle/5d2b0f1e7a6c48939be1d02f7c55a8e4";

async function start(times?: GuardedServerOptions["times"]) {
  const { cache, database, tokens, folder, close } = await openTestServer();
  const written: string[] = [];
  const log = createLog({ isPretty: false, stream: { write: (line) => void written.push(line) } });
  const env = parseEnvironment({ METRICS_TOKEN });
  const callers = createCallers(cache.accounts);
  const room = serveCache({ cache, callers, database, log });
  const { server, connections } = createGuardedServer({ ...(times && { times }) });
  const { addressOf } = createEdge();
  const { listeners, operatorApp = new Hono() } = observe({
    env,
    log,
    addressOf,
    connections,
    rooms: [room],
  });
  const app = new Hono().get("/", (context) => context.text("a page")).route("/", operatorApp);
  const { admitUpload } = connections;
  const grpc = createGrpcHandler({ ...grpcOf([room], { routes() {} }), listeners, admitUpload });
  await listen(app, "127.0.0.1", 0, {
    server,
    connections,
    grpc,
    ...waysOf([room], { listeners, admitUpload }),
  });
  cleanUps.push(() => (server.close(), server.closeAllConnections()), room.close, close);
  // A server that listens on a port has this kind of address.
  const { port } = server.address() as AddressInfo;
  const lines = () => written.map((line) => JSON.parse(line) as Record<string, unknown>);
  const url = `http://127.0.0.1:${port}`;
  const metrics = () => curl("--header", `Authorization: Bearer ${METRICS_TOKEN}`, `${url}/metrics`);
  return { port, url, tokens, folder, lines, metrics };
}

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());

test.each(["--http1.1", "--http2-prior-knowledge"])("1. and 2. curl %s", async (version) => {
  const { url, tokens, lines, metrics } = await start();
  const folder = mkdtempSync(join(tmpdir(), "cache-body-"));
  cleanUps.push(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "body");
  const body = randomBytes(3_000_000);
  writeFileSync(file, body);
  const show = ["--output", join(folder, "answer"), "--write-out", "%{http_code} %{header_json}"];
  const bearer = ["--header", `Authorization: Bearer ${tokens.organization}`];
  const ask = async (path: string, ...more: string[]) =>
    curl(version, ...show, ...bearer, ...more, url + path);
  expect(await curl(version, `${url}/`)).toBe("a page");
  const put = ["--upload-file", file];
  expect(await ask(KEY, ...put, "--header", "Expect: 100-continue")).toMatch(/^200 /);
  const found = await ask(KEY);
  expect(found).toMatch(/^200 /);
  expect(await ask(`${KEY}0`)).toMatch(/^404 /);
  expect(await curl(version, ...show, ...put, url + KEY)).toMatch(/^401 /);
  const [, id] = /"x-request-id":\["([^"]*)"\]/.exec(found) ?? [];
  await vi.waitFor(() => expect(lines().filter(({ mount }) => mount === "cache")).toHaveLength(4));
  expect(lines().filter(({ requestId }) => requestId === id)).toEqual([
    expect.objectContaining({ method: "GET", path: KEY, status: 200, bytes: 3_000_000 }),
  ]);
  const shown = await metrics();
  for (const line of [
    'cache_requests_total{tool="gradle",outcome="hit"} 1',
    'cache_requests_total{tool="gradle",outcome="miss"} 1',
    'cache_requests_total{tool="gradle",outcome="stored"} 1',
    'cache_requests_total{tool="gradle",outcome="refused"} 1',
    'cache_bytes_total{tool="gradle",direction="in"} 3000000',
    'cache_bytes_total{tool="gradle",direction="out"} 3000000',
    'cache_entries{tool="gradle"} 1',
    'cache_entry_bytes{tool="gradle"} 3000000',
  ])
    expect(shown).toContain(`\n${line}\n`);
  expect(shown).toMatch(/http_requests_total\{mount="cache",method="PUT",status="200"/);
});

test("3. slow uploads over HTTP", { timeout: 20_000 }, async () => {
  const { port, tokens, folder, lines } = await start({ requestTimeout: 200, uploadWindowMs: 400 });
  const parts = 16;
  const head = (length: number, token: string) =>
    `PUT ${KEY} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nContent-Length: ${length}\r\n\r\n`;
  const send = async (bytes: number, token: string) => {
    const client = await connectRaw(port, head(parts * bytes, token));
    client.read();
    for (let part = 0; part < parts && !client.socket.destroyed; part += 1) {
      client.socket.write(Buffer.alloc(bytes));
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return client;
  };
  const [steady, dripping, stranger] = await Promise.all([
    send(64 * 1024, tokens.user).then((client) => client.until("\r\n\r\n")),
    send(1, tokens.user).then((client) => client.ended()),
    // Refused immediately, and cut when the rest of the body does not arrive.
    send(1, "wrong").then((client) => client.ended()),
  ]);
  expect(steady).toMatch(/^HTTP\/1\.1 200 /);
  expect(dripping).toMatch(/^HTTP\/1\.1 408 /);
  expect(stranger).toMatch(/^HTTP\/1\.1 401 /);
  expect(filesIn(folder)).toHaveLength(1);
  await vi.waitFor(() => expect(lines().filter(({ mount }) => mount === "cache")).toHaveLength(3));
});

test("3. slow uploads over gRPC", { timeout: 20_000 }, async () => {
  const { port, tokens, folder, metrics } = await start({ requestTimeout: 200, uploadWindowMs: 400 });
  const send = async (token: string, blob: Buffer, parts: number) => {
    const client = openRawClient(port, { headers: { authorization: `Bearer ${token}` } });
    cleanUps.push(client.close);
    const stream = client.open("/google.bytestream.ByteStream/Write");
    const answer = answerOf(stream);
    for (const message of writeMessages(blob, parts)) {
      if (stream.destroyed) break;
      stream.write(message);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    if (!stream.destroyed) stream.end();
    return answer;
  };
  const [steady, dripping] = await Promise.all([
    send(tokens.user, randomBytes(16 * 64 * 1024), 16),
    send(tokens.organization, randomBytes(16), 16),
  ]);
  expect(steady.code).toBe(0);
  expect([dripping.code, dripping.reset]).toEqual([null, constants.NGHTTP2_CANCEL]);
  const shown = await metrics();
  expect(shown).toContain('\ncache_requests_total{tool="bazel",outcome="stored"} 1\n');
  expect(shown).toContain('\ncache_requests_total{tool="bazel",outcome="cut"} 1\n');
  expect(filesIn(folder)).toHaveLength(1);
});
