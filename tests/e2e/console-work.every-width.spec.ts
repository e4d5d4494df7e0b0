/**
 * The operator's actions on the figures of the documentation.
 * 1. Each list of searches has its action: a form that checks, then the file that was written or a patch to copy and
 *    download; a refusal of the server appears in the form. 2. A recording is replayed in a frame without scripts, from
 *    any entry of its timeline; the moment is in the address. A recording without its first picture says why. 3. Live
 *    health asks every two seconds, not while it is paused or hidden. 4. They can be used by keyboard; on phones the
 *    navigation folds.
 * 5. Charts and the player load when they are needed, within their budgets; the documentation itself has none of it.
 */
import type { SearchActionResult } from "#telemetry/index.ts";
import { filledReports, now } from "../fixtures/telemetry/console-reports.ts";
import { expect, test } from "./console.ts";

const KB = 1024;
const patch =
  "--- a/content/synonyms.yaml\n+++ b/content/synonyms.yaml\n@@ -1,2 +1,3 @@\n - [gha, github actions]\n+- [kubernets, kubernetes]\n";
const written: SearchActionResult = { file: "content/synonyms.yaml", isWritten: true, patch };

test("1. no hits: a synonym is written in development", async ({ operator, page }) => {
  await operator.open("/searches?kind=no-hits", { ...filledReports, "searches/actions": written });
  const sent = page.waitForRequest("**/console/api/searches/actions");
  await page.getByRole("button", { name: "Add a synonym… for kubernets" }).click();
  const dialog = page.getByRole("dialog", { name: "Add a synonym" });
  await expect(dialog.getByLabel("The reader's word")).toHaveValue("kubernets");
  await dialog.getByRole("button", { name: "Add a synonym", exact: true }).click();
  await expect(dialog.getByRole("alert")).toContainText("at least one other word");
  await dialog.getByLabel("Means the same as").fill("kubernetes");
  await dialog.getByLabel("Means the same as").press("Enter");
  expect((await sent).postDataJSON()).toEqual({ kind: "synonym", words: ["kubernets", "kubernetes"] });
  await expect(dialog).toContainText("Written to content/synonyms.yaml");
  await expect(dialog.getByRole("region", { name: "Change" })).toContainText("+- [kubernets, kubernetes]");
  await operator.expectAccessible();
  await dialog.getByRole("button", { name: "Close" }).click();
  await expect(page.getByRole("button", { name: "Add a synonym… for kubernets" })).toBeFocused();
});

test(
  "1. no clicks: a redirect is a patch in production",
  { tag: "@one-width" },
  async ({ operator, page }) => {
    const result: SearchActionResult = { ...written, file: "content/redirects.yaml", isWritten: false };
    await operator.open("/searches?kind=no-clicks", { ...filledReports, "searches/actions": result });
    await page.getByRole("button", { name: "Add a redirect… for layer cache" }).click();
    const dialog = page.getByRole("dialog", { name: "Add a redirect" });
    await dialog.getByLabel("Readers should go to").fill("https://elsewhere.example");
    await dialog.getByRole("button", { name: "Add a redirect" }).click();
    await expect(dialog.getByRole("alert")).toContainText('"https://elsewhere.example" is not a path');
    await dialog.getByLabel("Readers should go to").fill("/docs/cache/overview");
    await dialog.getByRole("button", { name: "Add a redirect" }).click();
    await expect(dialog).toContainText("A patch for content/redirects.yaml");
    await expect(dialog).toContainText("git apply content-redirects.yaml.patch");
    const download = page.waitForEvent("download");
    await dialog.getByRole("link", { name: "Download patch" }).click();
    const stream = await (await download).createReadStream();
    expect(Buffer.concat(await stream.toArray()).toString()).toBe(patch);
  },
);

test.describe("a refused action", () => {
  test.use({ expectedErrors: /status of 400/ });
  test(
    "1. top: a relevance test for a page that does not exist",
    { tag: "@one-width" },
    async ({ operator, page }) => {
      await operator.open("/searches");
      await page.route("**/console/api/searches/actions", (route) =>
        route.fulfill({ status: 400, json: { message: "/docs/nope is not a page of the documentation." } }),
      );
      await page.getByRole("button", { name: "Make a test… for turbo" }).click();
      const dialog = page.getByRole("dialog", { name: "Make a test" });
      await dialog.getByLabel("The page that answers it").fill("/docs/nope");
      const sent = page.waitForRequest("**/console/api/searches/actions");
      await dialog.getByLabel("It must be").selectOption({ label: "among the first 3" });
      await dialog.getByRole("button", { name: "Make a test" }).click();
      expect((await sent).postDataJSON()).toEqual({
        kind: "relevance-test",
        query: "turbo",
        path: "/docs/nope",
        within: 3,
      });
      await expect(dialog.getByRole("alert")).toHaveText("/docs/nope is not a page of the documentation.");
      await page.keyboard.press("Escape");
      await expect(dialog).toBeHidden();
    },
  );
});

/** The recording's hostile page: the browser's messages when it refuses to run and to fetch. */
const refused = /Content Security Policy|Blocked script execution|elsewhere\.example/;

test.describe("recordings", () => {
  test.use({ expectedErrors: refused });

  test(
    "2. replayed from the timeline, without what the page would run",
    { tag: "@one-width" },
    async ({ operator, page }) => {
      const failed = page.waitForEvent("requestfailed", (request) =>
        request.url().includes("elsewhere.example"),
      );
      await operator.open("/recordings/s1");
      const replayed = page.frameLocator(".stage iframe");
      await expect(replayed.getByRole("heading", { name: "Build your first image" })).toBeVisible();
      expect((await failed).failure()?.errorText).toMatch(/csp|BLOCKED/i);
      await expect(page.locator(".stage iframe")).toHaveAttribute("sandbox", "allow-same-origin");
      expect(await page.evaluate(() => "hasRun" in window)).toBe(false);

      await page.getByRole("button", { name: "0:20 Page: /docs/cache/overview" }).click();
      await expect(replayed.getByRole("heading", { name: "Layer cache" })).toBeVisible();
      await expect(page).toHaveURL(/t=20/);
      await expect(page.getByRole("slider", { name: "Position" })).toHaveAttribute(
        "aria-valuetext",
        "0:20 of 0:40",
      );
      await page.reload();
      await expect(replayed.getByRole("heading", { name: "Layer cache" })).toBeVisible();

      await page.getByLabel("Speed").selectOption("8×");
      await page.getByRole("button", { name: "Play", exact: true }).click();
      // Nothing happens until the last second, so the player skips to it and ends.
      await expect(page.getByRole("slider", { name: "Position" })).toHaveAttribute(
        "aria-valuetext",
        "0:40 of 0:40",
      );
      await expect(page.getByRole("button", { name: "Play", exact: true })).toBeVisible();
      await page.getByRole("button", { name: "Console only" }).click();
      await expect(
        page.getByRole("listitem").filter({ hasText: "The clipboard is not available" }),
      ).toBeVisible();
      await expect(page.getByRole("button", { name: /Layer cache|overview/ })).toBeHidden();
    },
  );

  test("2. without the first picture", { tag: "@one-width" }, async ({ operator, page }) => {
    await operator.open("/recordings/no-picture");
    await expect(page.getByText("The recording cannot be shown")).toBeVisible();
    await expect(page.getByRole("listitem").filter({ hasText: "search: layer cache" })).toBeVisible();
    await expect(page.getByRole("slider")).toBeHidden();
    await operator.expectAccessible();
  });
});

test("3. live health", { tag: "@one-width" }, async ({ operator, page }) => {
  await page.clock.install({ time: now });
  await operator.open("/health");
  await expect(page.getByText("148 MB")).toBeVisible();
  await page.clock.pauseAt(now + 60_000);
  const count = () => operator.asked.filter((path) => path.startsWith("health")).length;
  const countAfter = async (milliseconds: number) => {
    await page.clock.runFor(milliseconds);
    return count();
  };
  /** A request under way still arrives, at any time. @returns the final number of requests */
  const expectToStop = async () => {
    await expect(async () => {
      const before = count();
      expect(await countAfter(20_000)).toBe(before);
    }).toPass();
    return count();
  };
  const first = count();
  await expect.poll(() => countAfter(2000)).toBeGreaterThan(first + 2);
  await expect(page.getByRole("heading", { name: "Incoming" })).toBeVisible();

  await page.getByRole("button", { name: "Pause" }).click();
  await expect(page.getByText("Paused")).toBeVisible();
  const paused = await expectToStop();
  await page.getByRole("button", { name: "Resume" }).click();
  await expect.poll(count).toBe(paused + 1);

  await page.evaluate(() => {
    Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
    document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
  });
  const hidden = await expectToStop();
  await page.evaluate(() => {
    Object.defineProperty(document, "visibilityState", { value: "visible", configurable: true });
    document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
  });
  await expect.poll(count).toBe(hidden + 1);
});

test("4. by keyboard, and folded on phones", async ({ operator, page, isMobile }) => {
  await operator.open();
  await expect(operator.heading("Overview")).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
  if (isMobile) {
    await expect(operator.navigation).toBeHidden();
    const toggle = page.getByRole("button", { name: "Navigation" });
    await toggle.press("Enter");
    await expect(toggle).toHaveAttribute("aria-expanded", "true");
    await expect(operator.navigation).toBeVisible();
    // High enough for all rows: axe measures only the visible part of a row that its list cuts off.
    await page.setViewportSize({ width: 390, height: 1100 });
    await operator.expectAccessible();
    await page.keyboard.press("Escape");
    await expect(operator.navigation).toBeHidden();
    await expect(toggle).toBeFocused();
  } else {
    await page.keyboard.press("Tab");
    await expect(operator.navigation.locator(":focus")).toHaveCount(1);
  }
  await operator.goTo("Errors");
  await expect(operator.heading("Errors")).toBeFocused();
  await expect(page.locator("nav[aria-label=Main] [aria-current=page]")).toHaveText("Errors");
  await page.getByRole("link", { name: /TypeError/ }).press("Enter");
  await expect(page.getByText("This line failed")).toBeAttached();
  await page.goBack();
  await expect(operator.heading("Errors")).toBeVisible();
});

test.describe("chunks", () => {
  test.use({ expectedErrors: refused });
  test("5. chunks", { tag: "@one-width" }, async ({ operator, page }) => {
    const sizes = new Map<string, number>();
    page.on("requestfinished", async (request) => {
      const name = /\/app\/assets\/([a-z-]+?)-[\w-]{8}\.(?:js|css)$/.exec(request.url());
      if (!name) return;
      const key = `${name[1]}.${request.url().split(".").at(-1)}`;
      sizes.set(key, (await request.sizes()).responseBodySize);
    });
    await operator.open("/flags");
    await expect(page.getByText("The outline with numbers")).toBeVisible();
    await expect.poll(() => sizes.get("report-page.css") ?? 0).toBeGreaterThan(0);
    expect(sizes.get("report-page.css")).toBeLessThanOrEqual(2 * KB);
    expect([...sizes.keys()].filter((name) => /^(?:app|plot|player)\./.test(name))).toEqual([]);
    await operator.goTo("Overview");
    await expect.poll(() => sizes.get("plot.js") ?? 0).toBeGreaterThan(0);
    expect(sizes.get("plot.js")).toBeLessThanOrEqual(24 * KB);
    expect(sizes.has("player.js")).toBe(false);
    await operator.open("/recordings/s1");
    await expect.poll(() => sizes.get("player.js") ?? 0).toBeGreaterThan(0);
    expect(sizes.get("player.js")).toBeLessThanOrEqual(42 * KB);
    const response = await page.request.get("/docs");
    expect(await response.text()).not.toContain("/console/");
  });
});
