/**
 * A page's content is inert, however it got there: the policy allows the template's scripts and nothing else.
 * 1. Markup in records, highlights, titles and texts of a page does not run, neither in the HTML nor after React
 *    renders it.
 * 2. Markup written into the HTML itself does not run, wherever it is, even if it looks like the router's
 *    scripts or the boot script's text; no file but the build's is loaded.
 * 3. The policy of a page is the same whatever the page contains. 4. A query is repeated only as far as the engine
 *    reads it.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { expect, origin as builtFor, test as base } from "./fixtures.ts";
import { hostileTexts } from "./hostile-markup.ts";
import { hydrate } from "./hydrate.ts";
import { freePort, startProcess } from "./providers/site-copy.ts";

/** The browser's messages about each attempt. */
const refusals = ["Content Security Policy", "may not be used as base URLs", "status of 404"];
/** A client with foreign data is not started; a client whose page has more than React rendered says so (418). */
const notStarted = [
  "^uncaught: (data:text/javascript,)?top\\.hostile='client-",
  "^uncaught: \\S*/upload\\.js$",
  "^uncaught: Unexpected end of JSON input$",
  "^uncaught: Minified React error #418;",
];

async function openHostile() {
  const dataDir = mkdtempSync(join(tmpdir(), "hostile-"));
  const port = await freePort();
  const server = startProcess("tests/e2e/hostile-server.ts", {
    PORT: String(port),
    HOST: "localhost",
    SITE_ORIGIN: builtFor,
    BUILD_DIR: ".cache/test-build",
    DATA_DIR: dataDir,
  });
  await server.printed(/listening/);
  const close = async () => {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { origin: `http://localhost:${port}`, close };
}

let started: ReturnType<typeof openHostile> | undefined;

const test = base.extend<{ hostile: string }>({
  hostile: [
    async ({ keep }, use) => {
      started ??= keep(openHostile());
      await use((await started).origin);
    },
    { timeout: 60_000 },
  ],
  baseURL: ({ hostile }, use) => use(hostile),
  expectedErrors: new RegExp([...refusals, ...notStarted].join("|")),
});

const whatRan = (page: Page) => page.evaluate(() => (window as { hostile?: string }).hostile ?? "nothing");

/** Runs everything that a reader's movement could trigger, and then every waiting task. */
async function provoke(page: Page) {
  await page.mouse.move(300, 300);
  await page.dispatchEvent("body", "pointerover");
  await page.evaluate(() =>
    document.querySelectorAll<HTMLElement>("#hostile-link").forEach((link) => link.click()),
  );
  await page.waitForLoadState("networkidle");
}

for (const path of ["/docs", "/docs?q=x", "/docs/cache/overview?q=x"])
  test(`1. hostile content of ${path} is text`, async ({ page, hostile }) => {
    await page.goto(hostile + path);
    await hydrate(page);
    await provoke(page);
    if (path.includes("?")) {
      await expect(page.getByRole("option").first()).toContainText("<script>");
      await page.getByRole("option").first().click();
    }
    expect(await whatRan(page)).toBe("nothing");
  });

test("1. hostile content of the page that a reader goes on to is text", async ({ page, hostile }) => {
  await page.goto(`${hostile}/docs`);
  await hydrate(page);
  await page.getByRole("navigation", { name: "Documentation" }).getByRole("link", { name: "FAQs" }).click();
  await expect(page).toHaveURL(/\/docs\/faq$/);
  await provoke(page);
  expect(await whatRan(page)).toBe("nothing");
});

test("2. hostile HTML does not run", async ({ page, hostile }) => {
  test.setTimeout(60_000);
  const loaded: string[] = [];
  page.on("response", (response) => loaded.push(new URL(response.url()).pathname));
  for (const name of Object.keys(hostileTexts))
    await test.step(name, async () => {
      await page.goto(`${hostile}/docs?case=${name}`);
      await provoke(page);
      expect(await whatRan(page)).toBe("nothing");
      expect(loaded.filter((path) => path.includes("upload"))).toEqual([]);
    });
});

test("3. the policy is the same for every page", async ({ request, hostile }) => {
  const policies = new Set<string | undefined>();
  for (const path of [
    "/docs",
    "/docs?q=x",
    "/",
    ...Object.keys(hostileTexts).map((name) => `/docs?case=${name}`),
  ])
    policies.add((await request.get(hostile + path)).headers()["content-security-policy"]);
  policies.add((await request.get(`${builtFor}/docs`)).headers()["content-security-policy"]);
  expect(policies.size).toBe(1);
  expect([...policies][0]).not.toMatch(/script-src[^;]*unsafe/);
});

test("4. a query is cut before the page holds it", async ({ request }) => {
  const html = await (await request.get(`${builtFor}/docs?q=${"cache ".repeat(1200)}`)).text();
  expect(Math.max(...[...html.matchAll(/(?:cache ?)+/g)].map(([text]) => text.length))).toBeLessThanOrEqual(
    512,
  );
});
