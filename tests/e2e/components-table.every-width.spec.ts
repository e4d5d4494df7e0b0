/**
 * The table, charts and small parts on their own pages, at 1440 and at 390.
 * 1. Search, segment, chip and order are in the address and come back with it; `/` and Esc; the former name of the
 *    search is understood; an empty result says what to remove and how many rows that adds.
 * 2. 10,000 rows: few are in the document, each says its place, keys reach the next one, Space shows it at the side,
 *    the file has everything that passes the filter, in the table's order.
 * 3. Rows that arrive while a pointer is on the table, or a row is being read, wait, and no row moves; then all appear.
 * 4. Pages are read while scrolling; a file has every page. A list that cannot be read again keeps its rows.
 * 5. Nothing shifts when rows replace the placeholders.
 * 6. A chart's figures can be read by keys and as a table.
 * 7. A secret leaves the document for good; pasted claims fill rows; adding and removing keep the focus.
 * 8. axe finds nothing on any of the pages in either theme, and nothing is lost at 320 pixels.
 */
import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { expectAccessible } from "./axe.ts";
import { expect, test } from "./fixtures.ts";

const open = async (page: Page, path: string) => {
  await page.goto(`/app/dev/components/${path}`);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  // Positions are measured, and a late font would move them.
  await page.evaluate(() => document.fonts.ready);
};
const dataRows = (page: Page) => page.getByRole("row").filter({ has: page.getByRole("rowheader") });
const nameOf = (page: Page, index: number) => dataRows(page).nth(index).getByRole("link");
const isPhone = (page: Page) => (page.viewportSize()?.width ?? 0) < 640;
const arrive = (page: Page) => page.evaluate(() => dispatchEvent(new Event("arrive")));

async function sortBy(page: Page, column: string, words: string) {
  if (isPhone(page))
    await page.getByRole("combobox", { name: "Sort by" }).selectOption(`${column}, ${words}`);
  else await page.getByRole("button", { name: column, exact: true }).click();
}

async function saved(page: Page, format: "CSV" | "JSON") {
  const button = page.getByRole("button", { name: format });
  // On a phone rows are measured as they come into the window, and the rows below them move, also between the pointer's
  // press and its release.
  await button.click({ trial: true });
  const [download] = await Promise.all([page.waitForEvent("download"), button.click()]);
  return { name: download.suggestedFilename(), text: readFileSync(await download.path(), "utf8") };
}

test("1. what is shown is in the address", async ({ page }) => {
  await open(page, "table");
  await expect(dataRows(page)).toHaveCount(12);
  await expect(nameOf(page, 0)).toHaveText(/part 0$/);
  await sortBy(page, "Commit", "A to Z");
  await expect(page).toHaveURL(/sort=commit/);
  await expect(nameOf(page, 0)).toHaveText(/^Add .* part 0$/);
  if (!isPhone(page))
    await expect(page.getByRole("columnheader", { name: "Commit" })).toHaveAttribute(
      "aria-sort",
      "ascending",
    );

  const search = page.getByRole("textbox", { name: "Filter builds" });
  await page.keyboard.press("/");
  await expect(search).toBeFocused();
  await page.keyboard.type("PGX worker");
  await expect(dataRows(page)).toHaveCount(2);
  await expect(page).toHaveURL(/q=PGX\+worker/);
  await page.getByRole("button", { name: /^Failed/ }).click();
  await expect(page).toHaveURL(/result=failed/);
  await page.getByRole("button", { name: "Filter by by" }).click();
  await page.getByRole("menuitemradio", { name: /^ben/ }).click();
  await expect(page).toHaveURL(/by=ben/);
  await expect(page.getByText("No builds match “PGX worker” and “Failed” and “By ben”")).toBeVisible();
  await expect(page.getByText("1 build matches without “By ben”.")).toBeVisible();
  await page.getByRole("button", { name: "Remove “By ben”" }).last().click();
  await expect(dataRows(page)).toHaveCount(1);

  await page.reload();
  await expect(dataRows(page)).toHaveCount(1);
  await expect(search).toHaveValue("PGX worker");
  await search.focus();
  await page.keyboard.press("Escape");
  await expect(search).toHaveValue("");
  await expect(dataRows(page)).toHaveCount(2);
  await expect(page).not.toHaveURL(/q=/);

  await open(page, "table?find=ledger");
  await expect(dataRows(page)).toHaveCount(2);
});

test("2. ten thousand rows", async ({ page }) => {
  await open(page, "table?set=many");
  const table = page.getByRole("table", { name: "Builds" });
  await expect(table).toHaveAttribute("aria-rowcount", "10001");
  await expect(page.getByText(/^Rows 1 to \d+ of 10,000/)).toBeVisible();
  await page.keyboard.press("j");
  await expect(nameOf(page, 0)).toBeFocused();
  await page.keyboard.press("j");
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("link", { name: /part 2$/ })).toBeFocused();
  await page.keyboard.press("Space");
  await expect(page).toHaveURL(/row=bld_002l13/);
  await page.keyboard.press("k");
  await expect(page).toHaveURL(/row=bld_002ex4/);
  await page.keyboard.press("Space");
  await expect(page).not.toHaveURL(/row=bld/);

  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await expect(page.getByRole("link", { name: /part 9999$/ })).toBeInViewport();
  await expect(dataRows(page).last()).toHaveAttribute("aria-rowindex", "10001");
  expect(await dataRows(page).count()).toBeLessThan(120);
  // The row that had the focus is still in the document, so that the next key continues from it.
  await expect(page.getByRole("link", { name: /part 1$/ })).toBeFocused();
  await page.keyboard.press("j");
  await expect(page.getByRole("link", { name: /part 2$/ })).toBeInViewport();

  await page.getByRole("textbox", { name: "Filter builds" }).fill("ledger web ruth");
  await expect(page).toHaveURL(/q=ledger/);
  await sortBy(page, "Time", "highest first");
  const csv = await saved(page, "CSV");
  expect(csv.name).toBe("builds.csv");
  const lines = csv.text.trimEnd().split("\r\n");
  expect(lines[0]).toBe("commit,result,project,by,seconds,started");
  const shown = Number(await table.getAttribute("aria-rowcount")) - 1;
  expect(lines).toHaveLength(shown + 1);
  expect(shown).toBeGreaterThan(200);
  const seconds = lines.slice(1).map((line) => line.split(",")[4] || "-1");
  expect(seconds).toEqual(seconds.toSorted((a, b) => Number(b) - Number(a)));
});

test("3. rows that come wait", async ({ page }) => {
  await open(page, "table");
  const third = nameOf(page, 2);
  await expect(third).toHaveText(/part 2$/);
  await arrive(page);
  await expect(nameOf(page, 0)).toHaveText(/part 20000$/);
  await expect(dataRows(page)).toHaveCount(13);

  await open(page, "table?row=bld_002l13");
  await expect(third).toHaveText(/part 2$/);
  const place = await third.boundingBox();
  await arrive(page);
  await arrive(page);
  await expect(page.getByRole("button", { name: "2 new builds" })).toBeVisible();
  expect(await third.boundingBox()).toEqual(place);
  await page.getByRole("button", { name: "2 new builds" }).click();
  await expect(nameOf(page, 0)).toHaveText(/part 20001$/);

  if (isPhone(page)) return;
  await open(page, "table");
  await nameOf(page, 4).hover();
  const under = await nameOf(page, 4).boundingBox();
  await arrive(page);
  await expect(page.getByRole("button", { name: "1 new build" })).toBeVisible();
  expect(await nameOf(page, 4).boundingBox()).toEqual(under);
  // A row that goes keeps its place until the pointer leaves.
  await dataRows(page).nth(1).getByRole("button", { name: "Cancel" }).click();
  await expect(dataRows(page).nth(1)).toContainText("gone");
  expect(await nameOf(page, 4).boundingBox()).toEqual(under);
  await page.mouse.move(5, 5);
  await expect(nameOf(page, 0)).toHaveText(/part 20000$/);
  await expect(page.getByText("gone")).toHaveCount(0);
});

test("4. pages, and rows that are old", { tag: "@one-width" }, async ({ page }) => {
  await open(page, "table?set=pages");
  await expect(page.getByText(/so far\.|more to come/)).toBeVisible();
  await expect(async () => {
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await expect(page.getByRole("link", { name: /part 999$/ })).toBeVisible({ timeout: 200 });
  }).toPass({ intervals: [50] });
  const json = await saved(page, "JSON");
  expect(json.name).toBe("builds.json");
  expect(JSON.parse(json.text)).toHaveLength(1000);

  await open(page, "table?set=stale");
  await expect(dataRows(page)).toHaveCount(12);
  await expect(page.getByText(/Builds cannot be read. Showing data from \d\d:31:56/)).toBeVisible();
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByText(/cannot be read/)).toHaveCount(0);
});

test("5. nothing is shifted", async ({ page }) => {
  await page.addInitScript(() => {
    const shifts: string[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, sources } = entry as unknown as { value: number; sources: { node: Node | null }[] };
        shifts.push(
          `${value}: ${sources.map(({ node }) => (node as Element | null)?.outerHTML ?? node?.textContent).join("\n")}`,
        );
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
  await open(page, "table?set=loading");
  await expect(page.getByText("Loading builds...")).toBeVisible();
  await expect(dataRows(page)).toHaveCount(12);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  expect(await page.evaluate(() => (window as unknown as { shifts: string[] }).shifts)).toEqual([]);
});

test("6. figures of a chart", { tag: "@one-width" }, async ({ page }) => {
  await open(page, "charts");
  const chart = page.getByRole("slider", { name: "Jobs that asked for a token, by day" });
  await chart.focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await expect(chart).toHaveAttribute("aria-valuetext", "2 Nov: Got one 27, Refused 2");
  await expect(chart.getByText("2 Nov", { exact: true })).toBeVisible();
  await page.keyboard.press("Escape");
  const section = page.getByRole("region", { name: "Jobs that asked for a token, by day", exact: true });
  await section.getByRole("button", { name: "Show as table" }).click();
  await expect(section.getByRole("row", { name: "2 Nov 27 2 29" })).toBeVisible();
});

test("6. labels under two charts side by side stay apart", { tag: "@one-width" }, async ({ page }) => {
  for (const width of [720, 900, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    await open(page, "charts");
    const charts = page.getByRole("slider");
    await expect(charts.first()).toBeVisible();
    const gaps = await charts.evaluateAll((plots) =>
      plots.flatMap((plot) => {
        const labels = [...plot.querySelectorAll<HTMLElement>(".at")].filter((label) =>
          label.checkVisibility(),
        );
        const boxes = labels.map((label) => {
          const text = document.createRange();
          text.selectNodeContents(label);
          return text.getBoundingClientRect();
        });
        return boxes.slice(1).map((box, index) => box.left - (boxes[index]?.right ?? 0));
      }),
    );
    expect(gaps.length).toBeGreaterThan(4);
    expect(Math.min(...gaps), `${width}`).toBeGreaterThan(2);
  }
});

test("7. secret and claims", { tag: "@one-width" }, async ({ page }) => {
  await open(page, "parts");
  await page.getByRole("button", { name: "New token" }).click();
  await expect(page.getByRole("heading", { name: /^staging-deploy was created/ })).toBeVisible();
  await page.getByRole("button", { name: "I have copied it" }).click();
  await expect.poll(() => page.content()).not.toContain("7Qx2mR4vKz9TnB1cYw8HfJ3sLd6PgA5e");

  const names = page.getByRole("combobox", { name: "Claim" });
  await expect(names).toHaveCount(2);
  await names.nth(1).focus();
  await page.evaluate(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", "ref: refs/heads/main\nsub: repo:acme/web:ref:refs/heads/main");
    const paste = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
    document.activeElement?.dispatchEvent(paste);
  });
  await expect(page.getByRole("textbox", { name: "Value of ref" })).toHaveValue("refs/heads/main");
  await expect(page.getByRole("textbox", { name: "Value of sub" })).toHaveValue(
    "repo:acme/web:ref:refs/heads/main",
  );
  await page.getByRole("button", { name: "Add a claim" }).click();
  await expect(names.last()).toBeFocused();
  await page.getByRole("button", { name: "Remove sub" }).click();
  await expect(page.getByRole("button", { name: "Remove the claim" })).toBeFocused();
});

const PAGES = [
  "parts",
  "charts",
  "table",
  "table?set=hostile&row=bld_002l13&by=ada",
  "table?set=many",
  "table?q=nowhere",
  "table?set=failed",
];

test("8. every page is accessible and fits", async ({ page }) => {
  test.setTimeout(90_000);
  const size = page.viewportSize() ?? { width: 1440, height: 900 };
  for (const path of PAGES)
    await test.step(path, async () => {
      await page.setViewportSize(size);
      await open(page, path);
      await expect(page.getByRole("heading").nth(0)).toBeVisible();
      // Phones have the same colours, and cards in place of rows.
      await expectAccessible(page, { withColours: !isPhone(page) || path.includes("hostile") });
      await page.setViewportSize({ width: 320, height: 800 });
      await expect
        .poll(() => page.evaluate(() => document.documentElement.scrollWidth))
        .toBeLessThanOrEqual(320);
    });
});
