/**
 * 1. Both providers have the same routes and in-process answers for the same index.
 * 2. The server's key never comes from or goes to a reader; only the configured indexes are reachable.
 * 3. A server that fails, hangs, hangs up, sends nonsense or too much becomes a 502, 503 or 504 of the
 *    protocol.
 * 4. After several failures in a row the server is left alone for a while, then one trial decides.
 * 5. An error that the server finds in a query is passed on unchanged.
 * 6. The embedded provider opens its data folder only with an admin key, and reports files that it cannot
 *    serve.
 */
import { serve } from "@hono/node-server";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createSearchRoutes } from "./routes.ts";
import { createCircuitBreaker } from "./upstream/circuit-breaker.ts";
import {
  createMeilisearchProvider,
  IndexFileError,
  openEmbeddedProvider,
  type SearchProvider,
} from "./provider.ts";
import { PUBLIC_INDEXES, wireStore } from "./testing/documents.ts";
import { startTestServer } from "./testing/server.ts";

type Behaviour = (request: IncomingMessage, response: ServerResponse) => void;

let behave: Behaviour;
let seen: IncomingMessage[];
let standIn: Server;
let url: string;

beforeEach(async () => {
  seen = [];
  standIn = createServer((request, response) => {
    seen.push(request);
    behave(request, response);
  });
  await new Promise<void>((resolve) => standIn.listen(0, "127.0.0.1", resolve));
  // A listening TCP server has an address object.
  url = `http://127.0.0.1:${(standIn.address() as AddressInfo).port}`;
});

afterEach(async () => {
  standIn.closeAllConnections();
  await new Promise((resolve) => standIn.close(resolve));
});

function reply(status: number, body: unknown, type = "application/json"): Behaviour {
  return (_, response) => {
    response.writeHead(status, { "content-type": type });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  };
}

const body = { queries: [{ indexUid: "docs", q: "docker", limit: 2 }] };
const good = { results: [{ indexUid: "docs", hits: [], query: "docker", processingTimeMs: 1 }] };

async function ask(provider: SearchProvider, path = "/multi-search", sent: unknown = body) {
  const response = await provider.routes.public.request(path, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: "Bearer of-the-reader" },
    body: JSON.stringify(sent),
  });
  return { status: response.status, json: (await response.json()) as { code?: string; message?: string } };
}

function proxy(options: Partial<Parameters<typeof createMeilisearchProvider>[0]> = {}): SearchProvider {
  return createMeilisearchProvider({
    url,
    key: "secret-key",
    indexUids: ["docs"],
    ...options,
  });
}

function withoutTime(json: unknown): string {
  return JSON.stringify(json).replaceAll(/"processingTimeMs":\d+/g, "");
}

test("1. same answers", async () => {
  const store = wireStore();
  const server = await startTestServer(serve, createSearchRoutes({ publicIndexes: PUBLIC_INDEXES, store }));
  const embedded = await openEmbeddedProvider({ publicIndexes: PUBLIC_INDEXES, store });
  const proxied = createMeilisearchProvider({ url: server.url, indexUids: ["docs"] });
  const facet = { facetName: "section", facetQuery: "c" };
  for (const [path, sent] of [
    ["/multi-search", body],
    ["/indexes/docs/search", { q: "page" }],
    ["/indexes/docs/facet-search", facet],
  ] as const) {
    const [a, b] = [await ask(embedded, path, sent), await ask(proxied, path, sent)];
    expect(a.status).toBe(200);
    expect(withoutTime(b)).toBe(withoutTime(a));
  }
  expect(withoutTime(await proxied.search(body))).toBe(withoutTime(await embedded.search(body)));
  const viaGet = await proxied.routes.public.request("/indexes/docs/search?q=page&limit=1");
  expect(viaGet.status).toBe(200);
  for (const provider of [embedded, proxied])
    expect((await provider.routes.public.request("/health")).status).toBe(200);
  await server.close();
});

test("2. keys and indexes", async () => {
  behave = reply(200, good);
  expect(await ask(proxy())).toMatchObject({ status: 200, json: good });
  expect(seen[0]!.headers.authorization).toBe("Bearer secret-key");
  const other = await ask(proxy(), "/multi-search", { queries: [{ indexUid: "private" }] });
  expect(other).toMatchObject({ status: 404, json: { code: "index_not_found" } });
  expect((await proxy().routes.public.request("/indexes/private/search?q=x")).status).toBe(404);
  expect((await proxy().routes.admin.request("/indexes")).status).toBe(404);
  expect(seen).toHaveLength(1);
});

describe("3. a bad server", () => {
  test.each<[string, Behaviour, number, string, string]>([
    ["fails", reply(500, { message: "boom", code: "internal" }), 502, "remote_bad_response", "status 500"],
    ["answers HTML", reply(200, "<h1>welcome</h1>", "text/html"), 502, "remote_bad_response", "not JSON"],
    [
      "answers something else",
      reply(200, { ok: true }),
      502,
      "remote_bad_response",
      "not return a Meilisearch response",
    ],
    ["answers half", reply(200, '{"results":[{"hits":'), 502, "remote_bad_response", "not JSON"],
    [
      "refuses the key",
      reply(403, { message: "no", code: "invalid_api_key" }),
      502,
      "remote_bad_response",
      "MEILISEARCH_KEY",
    ],
    [
      "redirects",
      (_, response) => response.writeHead(302, { location: "http://127.0.0.1:1/" }).end(),
      502,
      "remote_could_not_send_request",
      "cannot be reached",
    ],
    ["hangs", () => undefined, 504, "remote_timeout", "within 50 ms"],
    [
      "hangs in the middle",
      (_, response) => void response.writeHead(200).write("{"),
      504,
      "remote_timeout",
      "within 50 ms",
    ],
    [
      "hangs up",
      (request) => void request.socket.destroy(),
      502,
      "remote_could_not_send_request",
      "cannot be reached",
    ],
    ["talks too much", reply(200, `{"x":"${"y".repeat(5000)}"}`), 502, "remote_bad_response", "too long"],
  ])("%s", async (_, behaviour, status, code, message) => {
    behave = behaviour;
    const errors: unknown[] = [];
    // Short only for servers that never answer, so that a busy machine does not make the others late.
    const timeoutMs = status === 504 ? 50 : 10_000;
    const { status: got, json } = await ask(
      proxy({ timeoutMs, maxAnswerBytes: 4000, onError: (error) => errors.push(error) }),
    );
    expect({ status: got, code: json.code }).toEqual({ status, code });
    expect(json.message).toContain(message);
    expect(JSON.stringify(json)).not.toContain("secret-key");
    expect(errors).toHaveLength(1);
  });

  test("lies below a path", async () => {
    behave = reply(200, good);
    await proxy({ url: `${url}/below/it/` }).search(body);
    expect(seen.map((request) => request.url)).toEqual(["/below/it/multi-search"]);
  });

  test("is not there", async () => {
    expect(await ask(proxy({ url: "http://127.0.0.1:1" }))).toMatchObject({ status: 502 });
    await expect(proxy({ url: "http://127.0.0.1:1" }).search(body)).rejects.toThrow("cannot be reached");
  });

  test("is overloaded", async () => {
    behave = () => undefined;
    const busy = proxy({ maxInFlight: 1, timeoutMs: 50 });
    const first = ask(busy);
    expect(await ask(busy)).toMatchObject({ status: 503, json: { code: "too_many_search_requests" } });
    expect((await first).status).toBe(504);
  });
});

test("4. left alone after failures", async () => {
  let time = 0;
  behave = reply(500, {});
  const provider = proxy({ failures: 3, coolDownMs: 1000, now: () => time });
  for (let count = 0; count < 3; count++) expect((await ask(provider)).status).toBe(502);
  const refused = await ask(provider);
  expect(refused).toMatchObject({ status: 503, json: { code: "search_unavailable" } });
  expect(refused.json.message).toContain("Try again in 1 s");
  expect(seen).toHaveLength(3);
  time = 1001;
  expect((await ask(provider)).status).toBe(502);
  expect((await ask(provider)).status).toBe(503);
  time = 2002;
  behave = reply(200, good);
  expect((await ask(provider)).status).toBe(200);
  expect((await ask(provider)).status).toBe(200);
  expect(seen).toHaveLength(6);

  const breaker = createCircuitBreaker({ failures: 1, coolDownMs: 10, now: () => time });
  breaker.failed();
  time += 11;
  expect(breaker.waitMs()).toBe(0);
  // The trial is in progress; no other request is sent.
  expect(breaker.waitMs()).toBe(10);
});

test("5. a reader's mistake", async () => {
  const error = {
    message: "Index `docs`: bad",
    code: "invalid_search_filter",
    type: "invalid_request",
    link: "",
  };
  behave = reply(400, error);
  const provider = proxy({ failures: 1 });
  for (let count = 0; count < 3; count++) {
    expect(await ask(provider)).toMatchObject({
      status: 400,
      json: { message: error.message, code: error.code },
    });
  }
  // Errors that can be found here are not sent at all.
  seen = [];
  expect(await ask(provider, "/multi-search", { queries: [{ indexUid: "docs", limit: "x" }] })).toMatchObject(
    { status: 400 },
  );
  expect(seen).toHaveLength(0);
});

test("6. the data folder", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "provider-"));
  await writeFile(join(dataDir, "old.index"), "of another time");
  const problems: unknown[] = [];
  const options = { dataDir, onError: (error: unknown) => problems.push(error) };
  const closed = await openEmbeddedProvider({
    publicIndexes: PUBLIC_INDEXES,
    ...options,
    store: wireStore(),
  });
  expect((await closed.routes.admin.request("/indexes")).status).toBe(404);
  expect(problems).toEqual([]);

  const adminKey = "the-key-of-the-test";
  const opened = await openEmbeddedProvider({
    publicIndexes: PUBLIC_INDEXES,
    ...options,
    store: wireStore(),
    adminKey,
  });
  expect(problems[0]).toBeInstanceOf(IndexFileError);
  expect(String(problems[0])).toMatch(
    /old\.index: The index `old` cannot be used: it is not an index file of this version/,
  );
  const headers = { authorization: `Bearer ${adminKey}` };
  const answer: unknown = await (await opened.routes.admin.request("/indexes", { headers })).json();
  expect(answer).toMatchObject({ results: [{ uid: "blog" }, { uid: "docs" }, { uid: "old" }], total: 3 });
  await opened.close();
  await rm(dataDir, { recursive: true });
});
