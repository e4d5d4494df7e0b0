/**
 * 1. An address without a page is answered with 404 from memory, without rendering: as HTML, the router's
 *    data, Markdown or text; below /docs in the documentation's frame, with suggestions, also in compressed
 *    pages.
 * 2. HEAD returns the headers only.
 * 3. Every such answer varies by Accept headers, is not cached, and is never 304.
 * 4. Addresses of pages are left to others; in different letter case they redirect to the page.
 * 5. The prerendered pages have no address of their own; a build without them is refused.
 */
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { SUGGESTIONS_PLACE } from "../docs/suggestions-place.ts";
import { createMissingPages, routePaths } from "./missing-pages.ts";
import { staticFile, type StaticFiles } from "#platform/http/static-files.ts";
import { createSuggestions } from "./suggestions.ts";

const origin = "https://docs.example.com";
const names = ["404.html", "404.data", "docs/404.html", "docs/404.data"];

function setUp() {
  const files: StaticFiles = new Map(
    names.map((name) => {
      const text = name === "docs/404.html" ? `docs/404.html${SUGGESTIONS_PLACE}!` : name;
      const file = { ...staticFile(name, Buffer.from(text)), br: Buffer.from("br"), csp: "policy" };
      return [`/${name.replace(".html", "")}`, file] as const;
    }),
  );
  const routes = new Set(["/", "/trust", "/status"]);
  const hasPage = (path: string) => path === "/docs" || path === "/docs/faq";
  const suggest = createSuggestions(
    [{ path: "/docs/faq", title: "Questions & answers", section: "Help" }],
    origin,
  );
  const answer = createMissingPages({ files, routes, hasPage, suggest, origin });
  const ask = (path: string, headers: Record<string, string> = {}, method = "GET") =>
    answer(new Request(origin + path, { headers, method }));
  return { files, ask };
}

const { ask, files } = setUp();

test.each([
  ["/nope", {}, "404.html"],
  ["/nope/", {}, "404.html"],
  ["/docsx", {}, "404.html"],
  ["//docs", {}, "404.html"],
  ["/%E0%A4%A", {}, "404.html"],
  ["/docs/nope", {}, "docs/404.html"],
  ["/docs/nope?q=x", {}, "docs/404.html"],
  ["/nope.data", {}, "404.data"],
  ["/docs/nope.data?_routes=a", {}, "docs/404.data"],
  ["/docs/nope", { accept: "text/markdown" }, /^# Page not found/],
  ["/docs/nope.md", {}, /^# Page not found/],
  ["/nope.png", { accept: "image/*" }, /^There is no page/],
])("1. %s %j", async (path, headers, body) => {
  const response = ask(path, headers);
  expect(response?.status).toBe(404);
  expect(await response?.text()).toMatch(body);
});

test("1. the documentation's suggests pages and a search", async () => {
  const link =
    '<a href="/docs/faq"><span class="hit-lvl0">Help</span><span class="hit-title">Questions &amp; answers</span>';
  const search = '<a class="text-link" href="/docs?q=guides+faqs">Search for “guides faqs”</a>';
  const plain = await ask("/docs/guides/faqs")?.text();
  expect(plain).toMatch(/^docs\/404\.html<p .*!$/);
  expect(plain).toContain(link);
  expect(plain).toContain(search);
  const packed = ask("/docs/guides/faqs", { "accept-encoding": "gzip, br" });
  expect(packed?.headers.get("content-encoding")).toBe("gzip");
  expect(gunzipSync(new Uint8Array((await packed?.arrayBuffer()) ?? new ArrayBuffer())).toString()).toBe(
    plain,
  );
  const markdown = `- [Questions & answers](${origin}/docs/faq.md)\n`;
  expect(await ask("/docs/guides/faqs.md")?.text()).toContain(markdown);
  expect(await ask("/docs/guides/faqs", { accept: "text/markdown" })?.text()).toContain(markdown);
  expect(await ask("/docs/!")?.text()).toBe("docs/404.html!");
});

test("1. a hostile address leaves no markup and no text of any length", async () => {
  const html = await ask(
    `/docs/${encodeURIComponent(`"><img src=x onerror=alert(1)>${"a".repeat(4000)}`)}`,
  )?.text();
  expect(html).not.toMatch(/<img|onerror=/);
  expect(html?.length).toBeLessThan(500);
});

test("1. the router reads the data only with its header; pages have their policy", () => {
  expect(ask("/nope.data")?.headers.get("x-remix-response")).toBe("yes");
  expect(ask("/nope")?.headers.get("content-security-policy")).toBe("policy");
  expect(ask("/nope", { "accept-encoding": "br" })?.headers.get("content-encoding")).toBe("br");
});

test("2. HEAD", async () => {
  const response = ask("/nope", {}, "HEAD");
  expect([response?.status, await response?.text(), response?.headers.get("content-length")]).toEqual([
    404,
    "",
    "8",
  ]);
});

test("3. every answer varies, is not kept, and is never 304", () => {
  for (const path of ["/nope", "/docs/nope", "/nope.data", "/docs/nope.md"])
    for (const accept of ["text/html", "text/markdown", "image/png"]) {
      const response = ask(path, { accept, "if-none-match": "*" });
      expect(response?.status).toBe(404);
      expect(response?.headers.get("vary")).toBe("Accept, Accept-Encoding");
      expect(response?.headers.get("cache-control")).toBe("no-store");
    }
});

test.each([
  "/",
  "/_.data",
  "/trust",
  "/trust.data",
  "/docs",
  "/docs.data",
  "/docs/faq",
  "/docs/faq.data?q=x",
])("4. %s is left to others", (path) => expect(ask(path)).toBeUndefined());

test.each([
  ["/Trust?a=b", "/trust?a=b"],
  ["/DOCS/faq", "/docs/faq"],
  ["/docs/faq/_.data", "/docs/faq.data"],
  ["/STATUS.data", "/status.data"],
])("4. %s leads to %s", (path, location) => {
  const response = ask(path);
  expect([response?.status, response?.headers.get("location")]).toEqual([308, location]);
});

test("4. the routes of a build", () => {
  const routes = {
    root: { id: "root", path: "" },
    layout: { id: "layout" },
    home: { id: "home", index: true },
    trust: { id: "trust", path: "trust" },
    docs: { id: "docs", path: "docs/*" },
    rest: { id: "rest", path: "*" },
  };
  const paths = routePaths({ routes } as unknown as Parameters<typeof routePaths>[0]);
  expect([...paths]).toEqual(["/", "/trust"]);
});

test("5. the prerendered pages are not at an address", () => {
  expect([...files.keys()]).toEqual([]);
  const suggest = createSuggestions([], origin);
  const build = () => createMissingPages({ files, routes: new Set(), hasPage: () => false, suggest, origin });
  expect(build).toThrow("/404");
});
