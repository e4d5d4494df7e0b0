/**
 * 1. Without a key on the server everything but health and searches of public indexes is off, and no index that is not
 *    public is told apart from one that does not exist.
 * 2. What is none of the protocol's addresses is left to the application around.
 */
import { Hono } from "hono";
import { expect, test } from "vitest";
import { createSearchApp } from "./app.ts";
import { wireStore } from "./test-documents.ts";
import { createSender, errorSchema } from "./test-requests.ts";

const app = createSearchApp({ publicIndexes: ["docs"], store: wireStore(), adminKey: "x".repeat(20) });
const { send, errorOf } = createSender(app);

test("1. without keys", async () => {
  const authorization = `Bearer ${"x".repeat(20)}`;
  for (const [method, path] of [
    ["GET", "/indexes"],
    ["GET", "/tasks"],
    ["DELETE", "/indexes/docs"],
    ["POST", "/indexes/docs/documents"],
    ["PATCH", "/indexes/docs/settings"],
    ["GET", "/keys"],
    ["GET", "/stats"],
    ["GET", "/version"],
  ] as const) {
    const response = await app.request(path, { method, headers: { authorization } });
    expect([path, response.status]).toEqual([path, 404]);
    expect(errorSchema.parse(await response.json()).message).toContain("SEARCH_ADMIN_KEY");
  }
  expect((await send("/indexes/docs/search", { q: "docker" }, { authorization: "Bearer" })).status).toBe(200);
  expect((await app.request("/indexes/docs/search?q=docker&limit=1")).status).toBe(200);
  expect((await app.request("/health")).status).toBe(200);
  for (const uid of ["blog", "nowhere"]) {
    const message = `Index \`${uid}\` not found.`;
    expect(await errorOf(`/indexes/${uid}/search`, {})).toMatchObject({ status: 404, message });
    expect(await errorOf("/multi-search", { queries: [{ indexUid: uid }] })).toMatchObject({
      status: 404,
      message: `Inside \`.queries[0]\`: ${message}`,
    });
  }
});

test("2. mounted", async () => {
  const site = new Hono();
  site.route("/", app);
  site.get("*", (context) => context.text("the site"));
  for (const path of ["/", "/docs", "/search", "/settings"]) {
    expect(await (await site.request(path)).text()).toBe("the site");
  }
  expect((await site.request("/indexes")).status).toBe(404);
});
