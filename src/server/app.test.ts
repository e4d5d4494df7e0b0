/**
 * 1. A page is answered before the community's chat has responded: no page waits for the number of people online.
 * 2. Searches and page views are counted without any reader's data; pages and searches are answered even
 *    while telemetry cannot be written.
 * 3. A bad request (body too large, wrong method, endless address) gets a client error and is neither logged
 *    nor reported as a server error.
 * 4. A site whose origin is https says so in every answer, whichever part gives it.
 * 5. An address without a page is not rendered. A rendered page has its template's policy, whatever the page
 *    contains.
 * 6. Every answer of an address that negotiates says so: HTML and Markdown, 200, 304 and 404.
 */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { expect, it, vi } from "vitest";
import { createSearchRoutes } from "#search-server/index.ts";
import { storeOf, wireDocuments } from "#search-server/testing/documents.ts";
import { openTelemetry } from "#telemetry/index.ts";
import { createApp } from "./app.ts";
import { SUGGESTIONS_PLACE } from "#site/docs/suggestions-place.ts";
import { createMissingPages } from "#site/.server/missing-pages.ts";
import { negotiatePath } from "#site/.server/page-paths.ts";
import { houseOf, type TestParts } from "./testing/house.ts";

const origin = "http://localhost:3000";

function runtimeWith(parts: Partial<TestParts> = {}): TestParts {
  const page = {
    type: "text/html; charset=utf-8",
    etag: '"1"',
    cacheControl: "public, no-cache",
    identity: Buffer.from("<p>Home</p>"),
  };
  return {
    origin,
    files: new Map([["/", page]]),
    pathFor: (path) => path,
    searchRoutes: { admin: new Hono(), public: new Hono() },
    telemetry: { app: new Hono() },
    render: () => Promise.resolve(new Response(null, { status: 404 })),
    ...parts,
  };
}

it("(1) answers a page while the chat hangs", async () => {
  let asked = 0;
  const app = createApp(
    houseOf(
      runtimeWith({
        community: {
          refresh: () => {
            asked += 1;
            return new Promise(() => {});
          },
        },
      }),
    ),
  );
  const response = await app.request(`${origin}/`);
  expect(await response.text()).toBe("<p>Home</p>");
  expect(asked).toBe(1);
});

function composed(dataDir: string) {
  const telemetry = openTelemetry({
    dataDir,
    origin,
    config: {
      retentionDays: 1,
      maxBytes: 10_000_000,
      analytics: true,
      recording: true,
      flags: [],
      surveys: [],
    },
    log: () => {},
  });
  const store = storeOf("docs", wireDocuments());
  const searchRoutes = createSearchRoutes({
    store,
    publicIndexes: ["docs"],
    onSearch: telemetry.countSearches,
  });
  const app = createApp(houseOf(runtimeWith({ telemetry, searchRoutes })));
  const search = (q: string, browser = "one") =>
    app.request(`${origin}/multi-search`, {
      method: "POST",
      headers: { "content-type": "application/json", "user-agent": browser },
      body: JSON.stringify({ queries: [{ indexUid: "docs", q }] }),
    });
  return { app, search, telemetry };
}

it("(2) counts views and searches", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "server-"));
  const { app, search, telemetry } = composed(dataDir);
  expect((await app.request(`${origin}/`)).status).toBe(200);
  for (const q of ["", "d", "do", "docker", "docker"]) expect((await search(q)).status).toBe(200);
  // Words are shown once they have been searched three times.
  for (const browser of ["two", "three"]) expect((await search("docker", browser)).status).toBe(200);
  await telemetry.close();
  const again = composed(dataDir).telemetry;
  const range = { from: 0, to: Date.now() + 1 };
  expect(await again.store.ask("overview", range)).toMatchObject({ views: 1, searches: 3 });
  const [row] = await again.store.ask("searches", { ...range, kind: "top" });
  expect(row).toMatchObject({ query: "docker", count: 3, withoutHits: 0 });
  await again.close();
});

it("(2) answers pages and searches when the folder of telemetry cannot be written", async () => {
  const file = join(mkdtempSync(join(tmpdir(), "server-")), "a-file");
  writeFileSync(file, "");
  const { app, search, telemetry } = composed(file);
  expect((await app.request(`${origin}/`)).status).toBe(200);
  expect((await search("docker")).status).toBe(200);
  await telemetry.store.flush();
  expect(telemetry.store.status().dropped).toBe(1);
  await telemetry.close();
});

it("(3) answers a mistake of the request's as one", async () => {
  const reported: unknown[] = [];
  const telemetryApp = new Hono().post("/feedback", bodyLimit({ maxSize: 3 }), (context) =>
    context.text("taken"),
  );
  const runtime = runtimeWith({
    telemetry: {
      app: telemetryApp,
      reportError: (error) => reported.push(error),
    },
    render: () => Promise.reject(new Error("rendered")),
  });
  const app = createApp(houseOf(runtime));
  const logged = vi.spyOn(console, "error").mockImplementation(() => {});
  const large = await app.request(`${origin}/feedback`, { method: "POST", body: "12345" });
  expect(large.status).toBe(413);
  for (const method of ["POST", "PUT", "DELETE", "OPTIONS"]) {
    const refused = await app.request(`${origin}/docs`, { method });
    expect([refused.status, refused.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  }
  expect([reported, logged.mock.calls]).toEqual([[], []]);
  expect((await app.request(`${origin}/docs`)).status).toBe(500);
  expect(reported).toHaveLength(1);
});

const sized = (length: number) => `/docs/${"a".repeat(length - "/docs/".length)}`;

it("(3) refuses an address without end before anything reads it", async () => {
  const read: string[] = [];
  const app = createApp(
    houseOf(
      runtimeWith({
        pathFor: (path) => {
          read.push(path);
          return path;
        },
      }),
    ),
  );
  for (const path of [sized(8193), `/docs?q=${"a".repeat(100_000)}`])
    expect((await app.request(origin + path)).status).toBe(414);
  expect(read).toEqual([]);
  expect((await app.request(origin + sized(8192))).status).toBe(404);
});

it("(4) says HSTS with every answer of an https site, never otherwise", async () => {
  const render = () => Promise.reject(new Error("rendered"));
  vi.spyOn(console, "error").mockImplementation(() => {});
  for (const [own, expected] of [
    ["https://docs.example.com", "max-age=31536000"],
    [origin, null],
  ] as const) {
    const app = createApp(houseOf(runtimeWith({ origin: own, render })));
    const statuses = new Set<number>();
    for (const [method, path] of [
      ["GET", "/"],
      ["POST", "/"],
      ["GET", "/x/"],
      ["GET", "/fails"],
      ["GET", sized(9000)],
    ] as const) {
      const response = await app.request(own + path, { method });
      statuses.add(response.status);
      expect(response.headers.get("strict-transport-security"), path).toBe(expected);
    }
    expect([...statuses]).toEqual([200, 405, 308, 500, 414]);
  }
});

it("(5) renders pages only, with the template's policy", async () => {
  const rendered: string[] = [];
  const hostile = "<script>alert(1)</script>";
  const app = createApp(
    houseOf(
      runtimeWith({
        csp: "policy",
        missing: ({ url }) => (url.endsWith("/nope") ? new Response("absent", { status: 404 }) : undefined),
        render: ({ url }) => {
          rendered.push(url);
          return Promise.resolve(new Response(hostile, { headers: { "Content-Type": "text/html" } }));
        },
      }),
    ),
  );
  const missing = await app.request(`${origin}/nope`);
  expect([missing.status, await missing.text()]).toEqual([404, "absent"]);
  const page = await app.request(`${origin}/docs?q=x`);
  expect([await page.text(), page.headers.get("content-security-policy")]).toEqual([hostile, "policy"]);
  expect(rendered).toEqual([`${origin}/docs?q=x`]);
});

it("(6) says where it negotiates", async () => {
  const file = (type: string) => ({
    type,
    etag: '"1"',
    cacheControl: "public, no-cache",
    identity: Buffer.from(type),
  });
  const files = new Map([
    ["/docs/x", file("text/html")],
    ["/docs/x.md", file("text/markdown")],
    ["/trust", file("text/html")],
    ["/404", file("text/html")],
    ["/404.data", file("text/x-script")],
    ["/docs/404", { ...file("text/html"), identity: Buffer.from(SUGGESTIONS_PLACE) }],
    ["/docs/404.data", file("text/x-script")],
  ]);
  const suggest = () => ({ html: "", markdown: "" });
  const missing = createMissingPages({
    files,
    routes: new Set(["/"]),
    hasPage: () => false,
    suggest,
    origin,
  });
  const app = createApp(houseOf(runtimeWith({ files, missing, pathFor: negotiatePath })));
  for (const path of ["/docs/x", "/docs/absent"])
    for (const accept of ["text/html", "text/markdown"])
      for (const known of ["", '"1"']) {
        const headers = { accept, "if-none-match": known };
        const response = await app.request(origin + path, { headers });
        expect(response.status).toBe(path === "/docs/absent" ? 404 : known ? 304 : 200);
        expect(response.headers.get("vary")).toBe("Accept, Accept-Encoding");
        if (response.body) expect(response.headers.get("content-type")).toContain(accept);
      }
  for (const path of ["/trust", "/docs/x.md"])
    expect((await app.request(origin + path)).headers.get("vary")).toBe("Accept-Encoding");
});
