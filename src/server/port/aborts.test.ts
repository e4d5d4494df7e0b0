/**
 * 1. A client that leaves during its upload, before its answer or during its download is not a server error: nothing is logged or
 *    reported, and the server keeps working.
 * 2. A server error still counts as one, even if the client has not waited for the answer.
 */
import type { AddressInfo } from "node:net";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { createConsoleRoutes } from "#app/.server/console-routes.ts";
import { createSearchRoutes } from "#search-server/index.ts";
import { storeOf, wireDocuments } from "#search-server/testing/documents.ts";
import { openTelemetry } from "#telemetry/index.ts";
import { isClientAbort } from "#platform/http/connections/client-abort.ts";
import { connectRaw, get } from "#platform/http/raw-client.ts";
import { createApp } from "../app.ts";
import { createEdge } from "../edge.ts";
import { createGuardedServer } from "./guarded-server.ts";
import { listen } from "./listen.ts";
import { houseOf, type TestParts } from "../testing/house.ts";

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
  vi.restoreAllMocks();
});

async function start() {
  const failures: unknown[] = [];
  const told = (["error", "warn", "info", "log"] as const).map((level) =>
    vi.spyOn(console, level).mockImplementation((...line) => void failures.push(line)),
  );
  const telemetry = openTelemetry({
    dataDir: mkdtempSync(join(tmpdir(), "aborts-")),
    origin: "http://localhost",
    config: { retentionDays: 1, maxBytes: 1e7, analytics: true, recording: true, flags: [], surveys: [] },
    log: (line) => failures.push(line),
  });
  const consoleRoutes = createConsoleRoutes({
    telemetry,
    config: { flags: [], surveys: [] },
    checkOperator: () => Promise.resolve({ isAllowed: true }),
    origin: "http://localhost",
    root: process.cwd(),
    isWritable: false,
  });
  const rendering = new Map<string, (response: Response | Error) => void>();
  const file = {
    type: "text/plain",
    etag: '"1"',
    cacheControl: "public",
    identity: Buffer.alloc(8_000_000, "a"),
  };
  const runtime: TestParts = {
    origin: "http://localhost",
    files: new Map([["/file.txt", file]]),
    pathFor: (path) => path,
    searchRoutes: createSearchRoutes({
      store: storeOf("docs", wireDocuments()),
      publicIndexes: ["docs"],
      adminKey: "an-admin-key-of-tests",
      onError: (error) => failures.push(error),
    }),
    telemetry: {
      ...telemetry,
      reportError: (error) => failures.push(error),
    },
    consoleApp: consoleRoutes,
    render: (request) =>
      new Promise((resolve, reject) => {
        rendering.set(request.url, (response) =>
          response instanceof Error ? reject(response) : resolve(response),
        );
      }),
  };
  const { server, connections } = createGuardedServer();
  const app = createApp(houseOf(runtime), createEdge({ connections, rateLimitFactor: 0 }));
  await listen(app, "127.0.0.1", 0, { server, connections });
  cleanUps.push(
    () => (server.close(), server.closeAllConnections()),
    () => telemetry.close(),
    () => told,
  );
  const { port } = server.address() as AddressInfo;
  const renderOf = (path: string) =>
    vi.waitUntil(() => rendering.get(`http://localhost${path}`), { interval: 1, timeout: 5000 });
  const quiet = async () => {
    await vi.waitUntil(() => connections.size === 0, { interval: 1, timeout: 5000 });
    expect(await (await fetch(`http://127.0.0.1:${port}/health`)).text()).toContain("available");
    return failures;
  };
  return { port, quiet, renderOf, failures };
}

const uploads = [
  "/multi-search",
  "/indexes/docs/search",
  "/indexes/docs/facet-search",
  "/ingest/e/",
  "/ingest/s/",
  "/feedback",
  "/console/api/searches/actions",
  "/api/1/envelope/",
  "/indexes/docs/documents",
];

test("1. uploads", async () => {
  const { port, quiet } = await start();
  for (const path of uploads)
    for (const body of ["Content-Length: 100\r\n\r\n{", "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n"]) {
      const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer an-admin-key-of-tests\r\n`;
      const client = await connectRaw(port, `${head}Content-Type: application/json\r\n${body}`);
      // Half of them reset the connection, half just close it.
      if (body.startsWith("Content")) client.socket.resetAndDestroy();
      else client.socket.destroy();
    }
  expect(await quiet()).toEqual([]);
});

test("1. answers", async () => {
  const { port, quiet, renderOf } = await start();
  const page = () =>
    new Response(`<p>${"a".repeat(500_000)}${Math.random()}</p>`, {
      headers: { "Content-Type": "text/html" },
    });
  for (let at = 0; at < 10; at += 1) {
    const path = `/docs?q=${at}`;
    const encoding = at % 2 ? ["Accept-Encoding: gzip"] : [];
    const client = await connectRaw(port, get(path, ...encoding));
    const answer = await renderOf(path);
    // Before or during its answer.
    if (at < 5) client.socket.resetAndDestroy();
    answer(page());
    if (at >= 5) {
      await client.until("HTTP/1.1 200");
      client.socket.resetAndDestroy();
    }
    const download = await connectRaw(port, get("/file.txt"));
    if (at % 2) await download.until("HTTP/1.1 200");
    download.socket.resetAndDestroy();
    const search = await connectRaw(port, get("/indexes/docs/search?limit=1000"));
    search.socket.destroy();
  }
  expect(await quiet()).toEqual([]);
});

test("2. failures of ours", async () => {
  const { port, renderOf, failures } = await start();
  const patient = await connectRaw(port, get("/docs?q=bug", "Connection: close"));
  (await renderOf("/docs?q=bug"))(new Error("bug"));
  expect(await patient.ended()).toMatch(/^HTTP\/1\.1 500 /);
  expect(failures).toHaveLength(2);
});

test("2. errors without a request", () => {
  const withCode = (code: string) => Object.assign(new Error(code), { code });
  expect(isClientAbort(withCode("ECONNRESET"))).toBe(true);
  expect(isClientAbort(new Error("outer", { cause: withCode("EPIPE") }))).toBe(true);
  // An error of a server that this process has called.
  expect(isClientAbort(new TypeError("fetch failed", { cause: withCode("ECONNRESET") }))).toBe(false);
  const circle = new Error("circle");
  circle.cause = circle;
  for (const other of [circle, withCode("ENOSPC"), "ECONNRESET", null])
    expect(isClientAbort(other)).toBe(false);
});
