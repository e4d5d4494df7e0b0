/**
 * 1. Admin routes are off without a key on the server; searches are open.
 * 2. What is none of the protocol's addresses is left to the application around.
 */
import { Hono } from "hono";
import { expect, test } from "vitest";
import { createSearchApp } from "./app.ts";
import { wireStore } from "./test-documents.ts";
import { createSender, errorSchema } from "./test-requests.ts";

const app = createSearchApp({ store: wireStore(), adminKey: "x".repeat(20) });
const { send } = createSender(app);

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

test("2. mounted", async () => {
  const site = new Hono();
  site.route("/", app);
  site.get("*", (context) => context.text("the site"));
  for (const path of ["/", "/docs", "/search", "/settings"]) {
    expect(await (await site.request(path)).text()).toBe("the site");
  }
  expect((await site.request("/indexes")).status).toBe(404);
});
