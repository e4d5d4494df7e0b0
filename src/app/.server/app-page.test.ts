/**
 * 1. Every address below `/app` answers a page of the gate or the application, never cached, with no Referer for keys in
 *    its address; an unknown asset is 404, a known one is cached permanently. The console has the application's page.
 * 2. `/device` keeps its code. 3. Other methods are refused.
 */
import { expect, test } from "vitest";
import { staticFile, type StaticFiles } from "#platform/http/static-files.ts";
import { createAppPage } from "./app-page.ts";
import { createConsolePage } from "./console-page.ts";

const files: StaticFiles = new Map([
  ["/", staticFile("index.html", Buffer.from("the gate"))],
  ["/frame", staticFile("frame.html", Buffer.from("the application"))],
  ["/assets/app-1.js", staticFile("assets/app-1.js", Buffer.from("run()"))],
]);
const app = createAppPage(files);

const GATE = ["start/4F7Q-2MXR-9KTD", "sign-in", "mail/x", "join/x", "device"].map((path) => `/app/${path}`);
const INSIDE = ["/app", "/app/", "/app/x.js", "/app/a/b/c", "/app/console", "/app/dev/components"];

test.each([...GATE.map((path) => [path, "the gate"]), ...INSIDE.map((path) => [path, "the application"])])(
  "1. %s is %s",
  async (path = "", page = "") => {
    const answer = await app.request(path);
    expect(await answer.text()).toBe(page);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
    expect(answer.headers.get("x-robots-tag")).toBe("noindex");
  },
);

test("1. assets and the console", async () => {
  const asset = await app.request("/app/assets/app-1.js");
  expect(asset.headers.get("cache-control")).toContain("immutable");
  for (const wrong of ["/app/assets/", "/app/assets/app-2.js", "/app/assets/../console"])
    expect(await (await app.request(wrong)).text()).not.toBe("run()");
  expect((await app.request("/app/assets/app-2.js")).status).toBe(404);
  for (const path of ["/console", "/console/pages", "/console/assets/x.js"])
    expect(await (await createConsolePage(files).request(path)).text()).toBe("the application");
  expect((await createAppPage(undefined).request("/app")).status).toBe(404);
});

test("2. the short address", async () => {
  for (const query of ["", "?code=WDJB-MJHT", "?code=%0d%0aX: y"]) {
    const answer = await app.request(`/device${query}`);
    expect(answer.status).toBe(302);
    expect(answer.headers.get("location")).toMatch(/^\/app\/device(\?code=\S*)?$/);
  }
});

test("3. other methods", async () => {
  for (const path of ["/app", "/app/sign-in", "/device"])
    expect((await app.request(path, { method: "POST" })).status).toBe(405);
});
