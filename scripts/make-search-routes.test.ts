/**
 * 1. The output of `npm run generate` matches the search server's routes, so that the documentation's table is correct.
 * 2. The table says of each route what the server does: a route that is left out is refused by name, every other is not.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createSearchStore, openEmbeddedProvider, ROUTES } from "#search-server/index.ts";
import { root } from "#server/pages/build-folders.ts";
import { makeSearchRoutes, SEARCH_ROUTES_FILE } from "./make-search-routes.ts";

test("1. the table is that of the server", async () => {
  expect(readFileSync(join(root, SEARCH_ROUTES_FILE), "utf8")).toBe(await makeSearchRoutes());
});

test("2. what the table says is so", async () => {
  const adminKey = "the-key-of-an-administrator";
  const provider = await openEmbeddedProvider({ store: createSearchStore(), publicIndexes: [], adminKey });
  const send = async (method: string, path: string, body = "{}") =>
    provider.routes.admin.request(path.replace(":setting", "synonyms").replaceAll(/:\w+|\*/g, "0"), {
      method: method === "ALL" ? "POST" : method,
      headers: { authorization: `Bearer ${adminKey}`, "content-type": "application/json" },
      ...(["POST", "PUT", "PATCH", "ALL"].includes(method) && { body }),
    });
  const features = ROUTES.find(({ method, path }) => method === "PATCH" && /experimental/.test(path))!;
  await send("PATCH", features.path, '{"dynamicSearchRules": true, "renderRoute": true}');
  for (const { method, path, leftOut } of ROUTES) {
    const response = await send(method, path);
    const text = await response.text();
    const { code = "" } = (text === "" ? {} : JSON.parse(text)) as { code?: string };
    const isRefused = code === "feature_not_enabled";
    expect([method, path, isRefused, code === "not_found"]).toEqual([
      method,
      path,
      leftOut !== undefined,
      false,
    ]);
  }
  await provider.close();
});
