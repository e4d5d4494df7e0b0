/**
 * 1. Every address has one part, whatever the order of the table; two parts with the same address are an error, and so is a table
 *    without a fallback.
 * 2. The table's own addresses lead to their part, similar addresses to the site.
 * 3. Each part answers unknown addresses and methods in its own protocol.
 * 4. Behavior of pages does not affect other parts: no redirect of a trailing slash, no page, no HTML policy.
 */
import fc from "fast-check";
import { Hono } from "hono";
import { expect, test, vi } from "vitest";
import { createEdge } from "./edge.ts";
import { createApp } from "./app.ts";
import { createMountFinder, type Part } from "./mount-table.ts";
import { createParts } from "./mounts.ts";
import { openTestRuntime } from "./testing/runtime.ts";
import { houseOf } from "./testing/house.ts";

const mount = (part: string, ...paths: string[]): Part => ({
  part,
  paths,
  takesTurns: false,
  app: new Hono(),
});

test("1. the most exact line has an address", () => {
  const table = [
    mount("rest", "/*"),
    mount("names", "/indexes/:uid/search"),
    mount("one", "/indexes/docs/search"),
    mount("all", "/indexes/*"),
    mount("page", "/your-data/erase"),
  ];
  const wanted = {
    "/": "rest",
    "/x": "rest",
    "/indexes": "all",
    "/indexes/docs": "all",
    "/indexes/shop/search": "names",
    "/indexes/docs/search": "one",
    "/indexes/docs/search/more": "all",
    "/your-data": "rest",
    "/your-data/erase": "page",
    "/your-data/erase/": "rest",
    "/indexesx": "rest",
  };
  fc.assert(
    fc.property(fc.shuffledSubarray(table, { minLength: table.length }), (shuffled) => {
      const find = createMountFinder(shuffled);
      for (const [path, part] of Object.entries(wanted))
        expect([path, find(path).part]).toEqual([path, part]);
    }),
  );
  expect(() =>
    createMountFinder([mount("rest", "/*"), mount("a", "/x/:id"), mount("b", "/x/:name")]),
  ).toThrow("/x/:name is given to a and to b.");
  expect(() => createMountFinder([mount("a", "/x")])).toThrow("/*");
});

test("1. a path without end is looked up at once", () => {
  const find = createMountFinder([mount("rest", "/*"), mount("a", "/:a/:b/:c/*"), mount("b", "/x/:b/y/*")]);
  expect(find("/x".repeat(4000)).part).toBe("a");
});

test("2. the table", async () => {
  const { runtime, close } = await openTestRuntime();
  const find = createMountFinder(createParts(houseOf(runtime).rooms, createEdge(), new Hono()));
  const parts = {
    search: ["/multi-search", "/indexes/docs/search", "/indexes/docs/facet-search", "/health"],
    "search-api": ["/search", "/search/indexes", "/search/keys/x", "/search/health"],
    mcp: ["/mcp", "/mcp/", "/mcp/sse"],
    telemetry: [
      "/ingest/e",
      "/ingest/e/",
      "/insights/1/events",
      "/errors/envelope/",
      "/feedback",
      "/your-data/erase",
    ],
    "console-api": ["/console/api/overview"],
    app: ["/app", "/app/sign-in", "/app/assets/x.js", "/device"],
    console: ["/console", "/console/pages/x"],
    site: [
      "/",
      "/docs",
      "/docs/search",
      "/your-data",
      "/keys",
      "/tasks",
      "/indexes",
      "/indexes/docs",
      "/consolex",
      "/mcpx",
      "/docs/mcp",
    ],
  };
  for (const [part, paths] of Object.entries(parts))
    for (const path of paths) expect([path, find(path).part]).toEqual([path, part]);
  await close();
});

test.each([
  ["GET", "/multi-search", 405, { code: "method_not_allowed" }],
  ["DELETE", "/indexes/docs/search", 405, { code: "method_not_allowed" }],
  ["GET", "/mcp", 405, { error: { message: expect.stringContaining("POST") } }],
  ["POST", "/mcp/nothing", 404, { error: { message: expect.any(String) } }],
  ["GET", "/ingest/nothing/", 404, { detail: expect.any(String) }],
  ["POST", "/insights/nothing", 404, { message: expect.any(String) }],
  ["POST", "/errors/nothing", 404, { message: expect.any(String) }],
  ["GET", "/feedback", 405, { message: expect.stringContaining("POST") }],
  ["PUT", "/your-data/erase", 405, { message: expect.stringContaining("POST") }],
  ["GET", "/console/api/nothing", 401, { message: expect.any(String) }],
  ["PUT", "/console/api/searches/actions", 401, { code: "unauthenticated" }],
])("3. and 4. %s %s is answered %d in JSON", async (method, path, status, body) => {
  const { runtime, origin, close } = await openTestRuntime();
  const answer = await createApp(houseOf(runtime)).request(origin + path, { method });
  expect([answer.status, answer.headers.get("content-type")]).toEqual([
    status,
    expect.stringContaining("json"),
  ]);
  expect(await answer.json()).toMatchObject(body);
  expect(answer.headers.get("content-security-policy")).toBeNull();
  expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  await close();
});

test("3. what is not a route of the search protocol", async () => {
  const { runtime, origin, close } = await openTestRuntime();
  const answer = await createApp(houseOf(runtime)).request(`${origin}/search/nothing`);
  expect([answer.status, await answer.text()]).toEqual([404, ""]);
  expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  await close();
});

test.each([
  ["GET", "/console/missing.js", 404],
  ["POST", "/console/pages", 405],
  ["POST", "/docs", 405],
  ["GET", "/keys", 404],
])("3. %s %s is answered %d in text or HTML", async (method, path, status) => {
  const { runtime, origin, close } = await openTestRuntime();
  const answer = await createApp(houseOf(runtime)).request(origin + path, { method });
  expect([answer.status, answer.headers.get("content-type")]).toEqual([
    status,
    expect.stringContaining("text/"),
  ]);
  await close();
});

test("4. a failure of one part is answered in words, logged once, and no other part's", async () => {
  const { runtime, origin, close } = await openTestRuntime({
    render: () => Promise.reject(new Error("rendered")),
  });
  const logged = vi.spyOn(console, "error").mockImplementation(() => {});
  const app = createApp(houseOf(runtime));
  expect((await app.request(`${origin}/docs`)).status).toBe(500);
  expect(logged).toHaveBeenCalledOnce();
  expect((await app.request(`${origin}/health`)).status).toBe(200);
  await close();
});
