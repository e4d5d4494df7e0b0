/**
 * JavaScript over the wire (brotli, cold cache; 1 KB = 1,024 bytes) that an address of the application loads before any
 * click. Speed is measured in bench/, never here.
 * 1. The address of every route is in the table below. 2. The first screen has at most 130 KB, each other one at most
 *    25 KB more; the code for plots and replays comes on top, within its own budget, and only where it is shown. 3. No
 *    screen asks for more files than its code is worth. 4. No screen asks the server for the same thing twice.
 * 5. A screen's data and its code are requested before React has loaded. 6. Failed loads are reported.
 */
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import type { Browser, Response } from "@playwright/test";
import { type Acme, askEverything, expect, PROJECTS, test } from "./acme.ts";
import { inlineScriptBytes, KB } from "./sizes.ts";

const FIRST = "/app/:org";
const FIRST_LIMIT = 130 * KB;
const MORE_LIMIT = 25 * KB;
const MOST_FILES = 24;

/** By route: an address that shows it, and chunks that it may load in addition. */
const ADDRESSES: { [route: string]: { address: string; besides?: readonly string[] } } = {
  [FIRST]: { address: "/app/acme" },
  "/app/me": { address: "/app/me" },
  "/app/api": { address: "/app/api" },
  "/app/:org/builds": { address: "/app/acme/builds" },
  // A missing build loads the code of an existing one.
  "/app/:org/builds/:build": { address: "/app/acme/builds/gone" },
  "/app/:org/projects": { address: "/app/acme/projects" },
  "/app/:org/projects/:project": { address: `/app/acme/projects/${PROJECTS.web}` },
  "/app/:org/projects/:project/settings": { address: `/app/acme/projects/${PROJECTS.web}/settings` },
  "/app/:org/images/:project": { address: "/app/acme/images/web" },
  "/app/:org/cache": { address: "/app/acme/cache" },
  "/app/:org/cache/:tool": { address: "/app/acme/cache/turbo" },
  "/app/:org/runners/builders": { address: "/app/acme/runners/builders" },
  "/app/:org/settings/members": { address: "/app/acme/settings/members" },
  "/app/:org/settings/tokens": { address: "/app/acme/settings/tokens" },
  "/app/:org/settings/trust": { address: "/app/acme/settings/trust" },
  "/app/:org/settings/audit": { address: "/app/acme/settings/audit" },
  "/app/:org/usage": { address: "/app/acme/usage" },
  "/app/:org/*": { address: "/app/acme/nothing" },
  "/console": { address: "/console", besides: ["plot"] },
  "/console/searches": { address: "/console/searches" },
  "/console/proposals": { address: "/console/proposals" },
  "/console/pages": { address: "/console/pages" },
  "/console/errors": { address: "/console/errors" },
  "/console/errors/:fingerprint": { address: "/console/errors/gone", besides: ["plot"] },
  "/console/recordings": { address: "/console/recordings" },
  "/console/recordings/:sessionId": { address: "/console/recordings/gone", besides: ["player"] },
  "/console/surveys": { address: "/console/surveys" },
  "/console/explain": { address: "/console/explain" },
  "/console/missing": { address: "/console/missing" },
  "/console/flags": { address: "/console/flags" },
  "/console/health": { address: "/console/health", besides: ["plot"] },
  "/console/*": { address: "/console/nothing" },
};

/** These redirect to others. */
const LEADS_ON = new Set(["/app", "/app/:org/images", "/app/:org/settings"]);

const BUDGETS: { [chunk: string]: number } = { plot: 24 * KB, player: 42 * KB };

test("1. every address that the routes name is measured", () => {
  const routes = new Set([
    ...routesIn("src/app/frame/frame-routes.tsx", "/app/:org"),
    ...routesIn("src/app/frame/screen-loads.ts", "/app/:org"),
    ...routesIn("src/app/screens/documentation/documentation.tsx", "/console"),
  ]);
  expect([...routes].filter((route) => !LEADS_ON.has(route)).toSorted()).toEqual(
    Object.keys(ADDRESSES).toSorted(),
  );
});

/** @param base of the paths that do not begin with `/app` */
function routesIn(file: string, base: string): string[] {
  const text = readFileSync(file, "utf8");
  const routes = [
    ...text.matchAll(/<Route\s+path="([^"]+)"\s+element=\{<(\w+)/g),
    ...text.matchAll(/\bscreen\(\s*"([^"]+)",\s*\(\) => import\("[^"]+"\),\s*"(\w+)"/g),
  ];
  return (
    routes
      // Elements with routes of their own are read separately.
      .filter(([, , element = ""]) => !/Routes$|^DocumentationScreens$/.test(element))
      .map(([, path = ""]) =>
        path.startsWith("/app") ? path : base + (path === "*" ? "/*" : path.replace(/^\/$/, "")),
      )
  );
}

test.use({ expectedErrors: /status of 404/ });

test("2. to 4. the code of each screen", async ({ acme, browser }) => {
  test.setTimeout(120_000);
  const first = await weigh(browser, acme, ADDRESSES[FIRST]?.address ?? "");
  expect(first.bytes, first.text).toBeLessThanOrEqual(FIRST_LIMIT);
  for (const [route, { address, besides = [] }] of Object.entries(ADDRESSES)) {
    const screen = await weigh(browser, acme, address, besides);
    test
      .info()
      .annotations.push({ type: route, description: `${screen.bytes} bytes in ${screen.files} files` });
    expect.soft(screen.bytes, `${route}\n${screen.text}`).toBeLessThanOrEqual(first.bytes + MORE_LIMIT);
    expect.soft(screen.files, `${route}\n${screen.text}`).toBeLessThanOrEqual(MOST_FILES);
    expect.soft(screen.askedTwice, route).toEqual([]);
  }
});

test("5. before React has come", async ({ acme, page }) => {
  let letReactCome = () => {};
  const released = new Promise<void>((resolve) => (letReactCome = resolve));
  await askEverything(page);
  await page.route("**/app/assets/shared-*.js", (route) => released.then(() => route.continue()));
  const asked = page.waitForRequest("**/api/millrace.v1.TokenService/List");
  const code = page.waitForRequest("**/app/assets/tokens-*.js");
  await page.goto(acme.at("settings/tokens"), { waitUntil: "commit" });
  await Promise.all([asked, code]);
  await expect(page.getByRole("main")).toHaveCount(0);
  letReactCome();
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
});

test.describe("without the code", () => {
  test.use({ expectedErrors: /ERR_FAILED|preload|dynamically imported/ });

  test("6. the first", async ({ acme, page }) => {
    await page.route("**/app/assets/early-*.js", (route) => route.abort());
    await page.goto(acme.at("settings/tokens"));
    await expect(page.getByRole("main")).toHaveText(/could not be loaded.* reload the page/);
  });

  test("6. the frame's", async ({ acme, page }) => {
    await page.route("**/app/assets/shared-*.js", (route) => route.abort());
    await page.goto(acme.at("settings/tokens"));
    await expect(page.getByRole("main")).toHaveText(/could not be loaded.* reload the page/);
  });

  test("6. a screen's", async ({ acme, page }) => {
    await page.route("**/app/assets/tokens-*.js", (route) => route.abort());
    await page.goto(acme.at("settings/tokens"));
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("There is a newer version");
    await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
  });
});

/** Opens an address in a new browser and waits until it is idle. */
async function weigh(browser: Browser, acme: Acme, address: string, besides: readonly string[] = []) {
  const context = await browser.newContext();
  await acme.enter(context, "ada");
  const page = await context.newPage();
  // A pointer begins at the corner, on a menu whose code would be fetched ahead.
  await page.goto(`${acme.origin}/favicon.svg`);
  await page.mouse.move(1278, 718);
  const responses: Response[] = [];
  page.on("response", (response) => {
    if (/javascript/.test(response.headers()["content-type"] ?? "")) responses.push(response);
  });
  const asked: string[] = [];
  page.on("request", (request) => {
    // Ranges end at the present time.
    const body = request.postData()?.replaceAll(/T[\d:.]+Z/g, "") ?? "";
    if (/\/(?:api|auth)\/|\/first-run$/.test(request.url())) asked.push(`${request.url()} ${body}`.trim());
  });
  await page.goto(acme.origin + address);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.getByRole("main").locator('[aria-busy="true"]')).toHaveCount(0);
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 5000 })));
  let bytes = await inlineScriptBytes(page);
  const lines: string[] = [];
  for (const response of responses) {
    const chunk = basename(response.url()).replace(/-[\w-]{8}\.js$/, "");
    const { responseBodySize: size } = await response.request().sizes();
    lines.push(`${chunk} ${size}`);
    if (!besides.includes(chunk)) bytes += size;
    else expect.soft(size, chunk).toBeLessThanOrEqual(BUDGETS[chunk] ?? 0);
  }
  await context.close();
  const askedTwice = asked.filter((each, index) => asked.indexOf(each) !== index);
  return { bytes, files: responses.length, askedTwice, text: lines.join("\n") };
}
