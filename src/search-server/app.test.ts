/**
 * 1. Admin routes are off without a key on the server; searches are open.
 * 2. A wrong body is answered with the protocol's status, code and message, and never with a 5xx.
 * 3. Unknown fields are refused with the known ones, and a near one is suggested.
 * 4. Limits: body size with and without a declared length, number of queries, filter size and depth, words.
 * 5. Mistakes inside one query of several say in which.
 * 6. An answer from the cache is the same answer, and a replaced index is seen at once.
 * 7. An answer of more than a kilobyte is compressed for who accepts it, and is the same answer.
 * 8. What is none of the protocol's addresses is left to the application around.
 */
import { gunzipSync } from "node:zlib";
import { Hono } from "hono";
import * as z from "zod";
import { describe, expect, test } from "vitest";
import { buildIndex, defaultSettings } from "#search/index.ts";
import { createSearchApp } from "./app.ts";
import { storeOf, wireDocuments, wireStore } from "./test-documents.ts";

const store = wireStore();
const app = createSearchApp({ store, adminKey: "x".repeat(20) });

const errorSchema = z.strictObject({
  message: z.string().min(1),
  code: z.string().regex(/^[a-z_]+$/),
  type: z.enum(["invalid_request", "auth", "internal", "system"]),
  link: z.string().startsWith("https://"),
});

async function send(path: string, body: unknown, headers: { [name: string]: string } = {}) {
  const response = await app.request(path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  return { status: response.status, json: (await response.json()) as unknown };
}

async function errorOf(path: string, body: unknown, headers?: { [name: string]: string }) {
  const { status, json } = await send(path, body, headers);
  return { status, ...errorSchema.parse(json) };
}

test("1. keys", async () => {
  const withoutContent = await app.request("/indexes", {
    headers: { authorization: `Bearer ${"x".repeat(20)}` },
  });
  expect(withoutContent.status).toBe(404);
  expect(errorSchema.parse(await withoutContent.json()).message).toContain("SEARCH_ADMIN_KEY");
  for (const [method, path] of [
    ["GET", "/tasks"],
    ["DELETE", "/indexes/docs"],
    ["POST", "/indexes/docs/documents"],
    ["PATCH", "/indexes/docs/settings"],
    ["GET", "/keys"],
  ] as const) {
    expect((await app.request(path, { method })).status).toBe(404);
  }
  expect((await send("/indexes/docs/search", { q: "docker" }, { authorization: "Bearer" })).status).toBe(200);
  expect((await app.request("/indexes/docs/search?q=docker&limit=1")).status).toBe(200);
});

describe("2. wrong bodies", () => {
  test.each<[string, unknown, number, string, string]>([
    ["/multi-search", "{", 400, "malformed_payload", "The json payload provided is malformed."],
    ["/multi-search", "", 400, "missing_payload", "A json payload is missing."],
    ["/multi-search", "null", 400, "bad_request", "Invalid value type: expected an object, but found null"],
    ["/multi-search", [], 400, "bad_request", "expected an object, but found an array: `[]`"],
    ["/multi-search", {}, 400, "bad_request", "Missing field `queries`"],
    [
      "/multi-search",
      { queries: [{}] },
      400,
      "missing_index_uid",
      "Missing field `indexUid` inside `.queries[0]`",
    ],
    [
      "/multi-search",
      { queries: [{ indexUid: "docs", limit: "x" }] },
      400,
      "invalid_search_limit",
      'Invalid value type at `.queries[0].limit`: expected a positive integer, but found a string: `"x"`',
    ],
    [
      "/indexes/docs/search",
      { offset: -1 },
      400,
      "invalid_search_offset",
      "Invalid value type at `.offset`: expected a positive integer, but found a negative integer: `-1`",
    ],
    [
      "/indexes/docs/search",
      { q: 1 },
      400,
      "invalid_search_q",
      "expected a string, but found a positive integer: `1`",
    ],
    [
      "/indexes/docs/search",
      { matchingStrategy: "first" },
      400,
      "invalid_search_matching_strategy",
      "Unknown value `first` at `.matchingStrategy`: expected one of `last`, `all`, `frequency`",
    ],
    [
      "/indexes/docs/search",
      { filter: 3 },
      400,
      "invalid_search_filter",
      "at `.filter`: expected a string or an array",
    ],
    [
      "/indexes/docs/search",
      { filter: "a" },
      400,
      "invalid_search_filter",
      "Index `docs`: Was expecting an operation",
    ],
    [
      "/indexes/docs/search",
      { facets: ["title"] },
      400,
      "invalid_search_facets",
      "`title` is not filterable",
    ],
    [
      "/indexes/docs/search",
      { rankingScoreThreshold: 2 },
      400,
      "invalid_search_ranking_score_threshold",
      "between",
    ],
    [
      "/indexes/docs/search",
      { vector: [1] },
      400,
      "feature_not_enabled",
      "`vector` asks for a semantic search",
    ],
    ["/indexes/none/search", {}, 404, "index_not_found", "Index `none` not found."],
    ["/indexes/a%20b/search", {}, 400, "invalid_index_uid", "`a b` is not a valid index uid"],
    ["/indexes/docs/facet-search", {}, 400, "missing_facet_search_facet_name", "Missing field `facetName`"],
    [
      "/indexes/docs/facet-search",
      { facetName: "title" },
      400,
      "invalid_facet_search_facet_name",
      "not facet-searchable",
    ],
    [
      "/indexes/docs/facet-search",
      { facetName: 1 },
      400,
      "invalid_facet_search_facet_name",
      "expected a string",
    ],
  ])("%s %j", async (path, body, status, code, message) => {
    const error = await errorOf(path, body);
    expect(error).toMatchObject({ status, code, link: `https://docs.meilisearch.com/errors#${code}` });
    expect(error.message).toContain(message);
  });

  test("content type", async () => {
    expect(await errorOf("/multi-search", {}, { "content-type": "text/plain" })).toMatchObject({
      status: 415,
      code: "invalid_content_type",
    });
    const none = await app.request("/multi-search", { method: "POST" });
    expect(none.status).toBe(415);
    const withCharset = { "content-type": "application/json; charset=utf-8" };
    expect((await send("/multi-search", { queries: [] }, withCharset)).json).toEqual({ results: [] });
  });

  test("GET parameters", async () => {
    const get = async (query: string) => {
      const response = await app.request(`/indexes/docs/search?${query}`);
      return { status: response.status, ...errorSchema.parse(await response.json()) };
    };
    expect(await get("limit=x")).toMatchObject({
      status: 400,
      code: "invalid_search_limit",
      message: "Invalid value in parameter `limit`: could not parse `x` as a positive integer",
    });
    expect((await get("qq=x")).message).toContain("Unknown parameter `qq`: expected one of `q`, ");
    for (const path of ["/multi-search", "/indexes/docs/facet-search"]) {
      expect((await app.request(path)).status).toBe(405);
    }
  });
});

test("3. unknown fields", async () => {
  const error = await errorOf("/multi-search", { queries: [{ indexUid: "docs", limits: 3 }] });
  expect(error.code).toBe("bad_request");
  expect(error.message).toMatch(
    /^Unknown field `limits` inside `\.queries\[0\]`: did you mean `limit`\? expected one of `indexUid`, `q`, /,
  );
  expect((await errorOf("/indexes/docs/search", { color: 1 })).message).toMatch(
    /^Unknown field `color`: expected one of `q`/,
  );
  expect((await errorOf("/multi-search", { queries: [], x: 1 })).message).toBe(
    "Unknown field `x`: expected one of `federation`, `queries`",
  );
});

describe("4. limits", () => {
  const small = createSearchApp({
    store,
    limits: { searchBodyBytes: 1000, queriesPerRequest: 2, filterLength: 50 },
  });
  const post = (body: BodyInit, headers: { [name: string]: string } = {}) =>
    small.request("/multi-search", {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body,
      duplex: "half",
    } as RequestInit);

  test("bodies", async () => {
    const long = JSON.stringify({ queries: [{ indexUid: "docs", q: "x".repeat(2000) }] });
    const declared = await post(long, { "content-length": String(long.length) });
    expect(declared.status).toBe(413);
    const chunks = new ReadableStream({
      start(controller) {
        for (let at = 0; at < long.length; at += 100) {
          controller.enqueue(new TextEncoder().encode(long.slice(at, at + 100)));
        }
        controller.close();
      },
    });
    const streamed = await post(chunks);
    expect(streamed.status).toBe(413);
    expect(errorSchema.parse(await streamed.json()).code).toBe("payload_too_large");
  });

  test("queries, filters, words", async () => {
    const query = { indexUid: "docs", limit: 1 };
    const many = await post(JSON.stringify({ queries: [query, query, query] }));
    expect(errorSchema.parse(await many.json()).message).toContain("at most 2");
    const filter = `section = "${"x".repeat(60)}"`;
    const long = await post(JSON.stringify({ queries: [{ ...query, filter }] }));
    expect(errorSchema.parse(await long.json()).code).toBe("invalid_search_filter");
    let time = 0;
    const slow = createSearchApp({ store, limits: { requestMs: 10 }, now: () => (time += 8) });
    const late = await slow.request("/multi-search", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ queries: [query, query, query] }),
    });
    expect(late.status).toBe(503);
    expect(errorSchema.parse(await late.json()).message).toMatch(/^Inside `\.queries\[1\]`: .*10 ms/);
    const deep = await errorOf("/indexes/docs/search", { filter: "(".repeat(5000) });
    expect(deep.message).toContain("maximum depth");
    const { status } = await send("/indexes/docs/search", { q: "docker ".repeat(5000) });
    expect(status).toBe(200);
  });
});

test("5. which query", async () => {
  const queries = [{ indexUid: "docs" }, { indexUid: "docs", filter: "title = x" }];
  expect((await errorOf("/multi-search", { queries })).message).toMatch(
    /^Inside `\.queries\[1\]`: Index `docs`: Attribute `title` is not filterable\./,
  );
  expect((await errorOf("/multi-search", { queries: [{ indexUid: "none" }] })).message).toBe(
    "Inside `.queries[0]`: Index `none` not found.",
  );
  const paged = { federation: {}, queries: [{ indexUid: "docs", limit: 3 }] };
  expect((await errorOf("/multi-search", paged)).code).toBe("invalid_multi_search_query_pagination");
  const weighted = { queries: [{ indexUid: "docs", federationOptions: { weight: 2 } }] };
  expect((await errorOf("/multi-search", weighted)).code).toBe("invalid_multi_search_federation_options");
});

test("6. cached answers", async () => {
  const own = storeOf("docs", wireDocuments());
  const cached = createSearchApp({ store: own });
  const ask = async () => {
    const response = await cached.request("/multi-search", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ queries: [{ indexUid: "docs", q: "docker", limit: 3 }] }),
    });
    return response.text();
  };
  const first = await ask();
  expect(await ask()).toBe(first);
  own.replace("docs", buildIndex([{ id: 1, title: "docker" }], { ...defaultSettings(), primaryKey: "id" }));
  expect(JSON.parse(await ask())).toMatchObject({ results: [{ hits: [{ id: 1 }], estimatedTotalHits: 1 }] });
});

function ask(encoding: string, limit: number): Response | Promise<Response> {
  return app.request("/multi-search", {
    method: "POST",
    headers: { "content-type": "application/json", "accept-encoding": encoding },
    body: JSON.stringify({ queries: [{ indexUid: "docs", q: "docker", limit }] }),
  });
}

test("7. compressed answers", async () => {
  const plain = await ask("identity", 20);
  expect(plain.headers.get("content-encoding")).toBeNull();
  const text = await plain.text();
  for (const encoding of ["gzip", "deflate, gzip;q=1.0, br"]) {
    const packed = await ask(encoding, 20);
    expect(packed.headers.get("content-encoding")).toBe("gzip");
    expect(packed.headers.get("vary")).toBe("Accept-Encoding");
    expect(gunzipSync(await packed.arrayBuffer()).toString()).toBe(text);
  }
  expect((await ask("gzip;q=0", 20)).headers.get("content-encoding")).toBeNull();
  expect((await ask("gzip", 1)).headers.get("content-encoding")).toBeNull();
});

test("8. mounted", async () => {
  const site = new Hono();
  site.route("/", app);
  site.get("*", (context) => context.text("the site"));
  for (const path of ["/", "/docs", "/search", "/settings"]) {
    expect(await (await site.request(path)).text()).toBe("the site");
  }
  expect((await site.request("/indexes")).status).toBe(404);
});
