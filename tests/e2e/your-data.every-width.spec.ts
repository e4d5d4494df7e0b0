/**
 * 1. A reader sees the numbers under which data is stored, downloads it and erases it; afterwards nothing is
 *    left.
 * 2. The switches act immediately; without an answer there is nothing to see.
 * 3. A failing server changes nothing, and the page says so.
 * 4. Without JavaScript the page says what is stored. axe finds nothing; it fits the screen.
 */
import { readFile } from "node:fs/promises";
import { expectAccessible } from "./axe.ts";
import { expect } from "./fixtures.ts";
import { overflowOf } from "./overflow.ts";
import { consentNotice, idsOf, keptOf, recordTelemetry, expectSent, storedNames, test } from "./telemetry.ts";

test("(1) sees, downloads and erases what is kept", { tag: "@one-width" }, async ({ docs, page }) => {
  const recorded = recordTelemetry(page);
  await docs.openHydrated("/your-data");
  await expect(page.getByText("This browser has no number")).toBeVisible();
  await page.getByRole("switch", { name: "Analytics" }).check();
  await expect(consentNotice(page)).toHaveCount(0);
  await expect(page.getByText("You agreed to analytics.")).toBeVisible();
  await expect.poll(() => idsOf(page)).toHaveLength(2);
  const ids = await idsOf(page);
  for (const id of ids) await expect(page.getByText(id)).toBeVisible();
  await expectSent(recorded, "$pageview", { $pathname: "/your-data" });

  // Sent events may be stored later.
  await expect
    .poll(async () => (await keptOf(page, ids)).events.map(({ name }) => name))
    .toContain("$pageview");
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download" }).click();
  const file = await (await downloading).path();
  const { events } = JSON.parse(await readFile(file, "utf8")) as { events: { name: string }[] };
  expect(events.map(({ name }) => name)).toContain("$pageview");
  await expect(page.getByText(/^Downloaded: \d+ entr/)).toBeVisible();

  await page.getByRole("button", { name: "Erase and stop collecting" }).click();
  await expect(page.getByText(/^Erased\./)).toBeVisible();
  await expect(page.getByRole("switch", { name: "Analytics" })).not.toBeChecked();
  await expect.poll(() => storedNames(page)).toEqual([]);
  expect(await keptOf(page, ids)).toMatchObject({ events: [], clickEvents: [], recordings: [] });
});

test.describe("a server that fails", () => {
  test.use({ expectedErrors: /Failed to load resource/, consent: "analytics" });

  test("(3) is said, and nothing is changed", { tag: "@one-width" }, async ({ docs, page }) => {
    await page.route("**/your-data/erase", (route) =>
      route.fulfill({ status: 503, json: { message: "The database does not answer." } }),
    );
    await docs.openHydrated("/your-data");
    await expect.poll(() => idsOf(page)).toHaveLength(2);
    const ids = await idsOf(page);
    await page.getByRole("button", { name: "Erase and stop collecting" }).click();
    await expect(page.getByText("That did not work. The database does not answer.")).toBeVisible();
    expect(await idsOf(page)).toEqual(ids);
    await expect(page.getByRole("switch", { name: "Analytics" })).toBeChecked();
  });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false, consent: "necessary" });

  test(
    "(4) the page says what is kept, and the footer leads to it",
    { tag: "@one-width" },
    async ({ page }) => {
      await page.goto("/docs");
      await page.getByRole("link", { name: "Privacy choices" }).click();
      await expect(page).toHaveURL("/your-data");
      await expect(page.getByRole("heading", { level: 1, name: "Your data" })).toBeVisible();
      await expect(page.getByText("Without JavaScript this site does not ask")).toBeVisible();
      await expect(page.getByRole("table")).toHaveCount(3);
      await expect(page.getByRole("switch")).toHaveCount(0);
    },
  );
});

test("(4) axe finds nothing, and the page fits the screen", async ({ docs, page }) => {
  await docs.openHydrated("/your-data");
  await expect(page.getByRole("switch", { name: "Analytics" })).toBeVisible();
  await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0);
  await expectAccessible(page);
});
