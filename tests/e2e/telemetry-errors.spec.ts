/**
 * 1. Without an error the error-reporting SDK is not fetched; it needs no consent and no identifier.
 * 2. A failed search, and failures before the client runs, arrive as groups with their source line and release.
 * 3. The same error counts once for each page, and a page reports at most ten.
 * 4. Readers are served no source map and no debug id.
 */
import type { Page } from "@playwright/test";
import { operatorHeaders } from "./console-session.ts";
import { expect, origin } from "./fixtures.ts";
import { recordTelemetry, storedNames, test } from "./telemetry.ts";

test.use({ consent: "necessary" });

interface Group {
  fingerprint: string;
  type: string;
  value: string;
  culprit: string;
  count: number;
  releases: string[];
}

async function groupsOf(page: Page): Promise<Group[]> {
  const answer = await page.request.get(`${origin}/console/api/errors`, {
    headers: operatorHeaders,
  });
  expect(answer.status(), await answer.text()).toBe(200);
  return (await answer.json()) as Group[];
}

const reports = (recorded: ReturnType<typeof recordTelemetry>) =>
  recorded.sent.filter((request) => request.url().endsWith("/errors/envelope"));

test.describe("with errors", () => {
  test.use({
    expectedErrors:
      /status of 500|^Docs search failed: SearchApiError: e2e-|^uncaught: (e2e-|Unable to decode turbo-stream response$)/,
  });

  test("(1, 2) a failed search arrives with its source line", async ({ docs, page }) => {
    const recorded = recordTelemetry(page);
    await docs.openHydrated("/docs");
    expect(recorded.files).toEqual([]);
    // Numbers are not stored.
    const letters = String(Date.now()).replace(/\d/g, (digit) => "abcdefghij"[Number(digit)] ?? "");
    const message = `e2e-search-${letters}`;
    await page.route("**/multi-search", (route) => route.fulfill({ status: 500, json: { message } }));
    await docs.searchBox.fill("cache");
    await expect(docs.results.getByRole("alert")).toBeVisible();
    await expect.poll(() => reports(recorded).length).toBe(1);
    expect(recorded.files).toEqual(["error-reports"]);

    const body = reports(recorded)[0]?.postData() ?? "";
    expect(body).toContain('"release":"millrace@');
    expect(body).toContain('"debug_id":"');
    for (const secret of ["q=cache", '"sid"', '"user"', "Mozilla"]) expect(body).not.toContain(secret);
    expect(await storedNames(page)).toEqual([]);

    await expect
      .poll(async () => (await groupsOf(page)).some(({ value }) => value.includes(message)), {
        timeout: 10_000,
      })
      .toBe(true);
    const group = (await groupsOf(page)).find(({ value }) => value.includes(message));
    expect(group?.culprit).toContain("src/site/docs/search/search-client.ts");
    const details = await page.request.get(`${origin}/console/api/errors/${group?.fingerprint}`, {
      headers: operatorHeaders,
    });
    const { frames } = (await details.json()) as {
      frames: { file: string; line: number; context: { lines: string[]; at: number } | null }[];
    };
    const frame = frames.find(({ file }) => file.endsWith("search-client.ts"));
    expect(frame?.context?.lines[frame.context.at]).toMatch(/throw|new Error|Error\(/);
  });

  test("(2) what fails before the client runs is kept and reported", async ({ docs, page }) => {
    const recorded = recordTelemetry(page);
    await docs.open("/docs");
    await page.waitForFunction(() => window.keptErrors !== undefined);
    await page.evaluate(() => setTimeout(() => Promise.reject(new Error("e2e-early"))));
    await page.waitForFunction(() => window.keptErrors?.length === 1);
    expect(recorded.sent).toEqual([]);
    await docs.hydrate();
    await expect.poll(() => reports(recorded).length).toBe(1);
    expect(reports(recorded)[0]?.postData()).toContain("e2e-early");
  });

  test("(2) what the router catches is reported, and the reader sees that it failed", async ({
    docs,
    page,
  }) => {
    const recorded = recordTelemetry(page);
    await docs.openHydrated("/docs");
    await page.route("**/docs/faq.data*", (route) =>
      route.fulfill({ contentType: "text/x-script", body: "no data" }),
    );
    await docs.link("FAQs").click();
    await expect(page.getByRole("heading", { name: "This page could not be shown" })).toBeVisible();
    await expect.poll(() => reports(recorded).length).toBe(1);
  });

  test("(3) the same error counts once, and a page reports at most ten", async ({ docs, page }) => {
    const recorded = recordTelemetry(page);
    await docs.openHydrated("/docs");
    await page.evaluate(() => {
      for (let index = 0; index < 30; index++) {
        reportError(new Error("e2e-same"));
        reportError(new Error(`e2e-other-${index}`));
      }
    });
    await expect.poll(() => reports(recorded).length).toBe(10);
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 5000 })));
    expect(reports(recorded)).toHaveLength(10);
    const same = reports(recorded).filter((request) => request.postData()?.includes('"value":"e2e-same"'));
    expect(same).toHaveLength(1);
  });
});

test("(4) readers are served neither source maps nor debug ids", async ({ page }) => {
  await page.goto("/docs");
  const source = (await page.locator('script[type="text/x-client"]').getAttribute("data-preload")) ?? "-";
  const code = await (await page.request.get(source)).text();
  expect(code).not.toMatch(/sourceMappingURL|debugId|_sentryDebugIds/);
  for (const path of [`${source}.map`, `/maps${source}.map`])
    expect((await page.request.get(path)).status(), path).toBe(404);
});
