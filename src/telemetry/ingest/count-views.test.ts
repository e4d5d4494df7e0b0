/**
 * 1. HTML pages and the data of client navigations are views; assets, other methods, errors and the console are not.
 * 2. A page that has not changed (304) is a view; a prefetched page is a view only when a request comes from that page, by
 *    the same browser, within ten minutes, and then once.
 * 3. About the reader, only the browser's family and a foreign referring host are stored.
 */
import { Hono } from "hono";
import { expect, test } from "vitest";
import { connectionAddress } from "#platform/http/addresses/client-address.ts";
import type { MissingRow, ViewRow } from "../contract/types.ts";
import { createViewCounter } from "./count-views.ts";
import { createReaderKeys } from "./sender.ts";

const origin = "https://docs.example.com";

function setUp() {
  let now = 1_000_000;
  const views: ViewRow[] = [];
  const missing: MissingRow[] = [];
  const clock = () => now;
  const app = new Hono();
  app.use(
    createViewCounter({
      count: (view) => views.push(view),
      countMissing: (row) => missing.push(row),
      keyOf: createReaderKeys(connectionAddress, clock),
      addressOf: connectionAddress,
      origin,
      clock,
    }),
  );
  app.get("/unchanged", (context) => context.body(null, 304, { "Content-Type": "text/html; charset=utf-8" }));
  app.get("/missing", (context) => context.html("", 404));
  for (const path of ["/console", "/app", "/app/start/:key"]) app.get(path, (context) => context.html(""));
  app.get("/_.data", (context) => context.body("", 200, { "Content-Type": "text/x-script" }));
  app.get("/*", (context) => {
    if (context.req.path.endsWith(".data")) return context.body("", 200, { "Content-Type": "text/x-script" });
    if (context.req.path.endsWith(".js")) return context.body("", 200, { "Content-Type": "text/javascript" });
    return context.html("");
  });
  app.post("/*", (context) => context.html(""));
  const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
    app.request(new URL(path, origin), {
      method,
      headers: { host: "docs.example.com", "user-agent": "Chrome/156.0", ...headers },
    });
  const paths = () => views.splice(0).map((view) => view.path);
  return { get, views, missing, paths, wait: (milliseconds: number) => (now += milliseconds) };
}

test("1. what is a view", async () => {
  const { get, paths, missing } = setUp();
  for (const path of ["/", "/docs?q=secret", "/docs/cache.data", "/_.data"]) await get(path);
  expect(paths()).toEqual(["/", "/docs", "/docs/cache", "/"]);
  for (const path of ["/assets/a.js", "/missing", "/console", "/app", "/app/start/4F7Q"]) await get(path);
  await get("/docs", {}, "POST");
  await get("/docs", {}, "HEAD");
  expect(paths()).toEqual([]);
  expect(missing.map(({ path }) => path)).toEqual(["/missing"]);
});

test("2. unchanged, and fetched ahead", async () => {
  const { get, paths, wait } = setUp();
  await get("/unchanged");
  expect(paths()).toEqual(["/unchanged"]);
  const ahead = { "sec-purpose": "prefetch" };
  const from = (path: string) => ({ referer: `${origin}${path}` });
  await get("/docs/cache.data", ahead);
  await get("/docs/runners.data", { ...ahead, ...from("/docs") });
  expect(paths()).toEqual([]);
  await get("/assets/a.js", { ...from("/docs/cache"), "user-agent": "Firefox/140.0" });
  expect(paths()).toEqual([]);
  await get("/assets/a.js", from("/docs/cache"));
  await get("/assets/b.js", from("/docs/cache"));
  expect(paths()).toEqual(["/docs/cache"]);
  wait(11 * 60_000);
  await get("/assets/a.js", from("/docs/runners"));
  expect(paths()).toEqual([]);
});

test("3. who asked", async () => {
  const { get, views } = setUp();
  await get("/docs", { referer: "https://news.example.org/item?id=1", "user-agent": "Googlebot/2.1" });
  await get("/docs", { referer: `${origin}/` });
  expect(views.map(({ referrer, browser }) => [referrer, browser])).toEqual([
    ["news.example.org", "bot"],
    [null, "Chrome"],
  ]);
});
