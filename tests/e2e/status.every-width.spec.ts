/** `/status` shows its measurements, looks like the other pages and fits the screen. */
import { expect, test } from "./fixtures.ts";
import { overflowOf } from "./overflow.ts";

test("the status page asks the engine, fits the screen and has its footer's styles", async ({ page }) => {
  await page.goto("/status");
  const rows = page.getByRole("table").getByRole("row");
  await expect(rows.filter({ hasText: "Documentation" })).toContainText("Running");
  await expect(rows.filter({ hasText: "Search" })).toContainText(/\d+ records.*Running/s);
  await expect(rows.filter({ hasText: "Registry" })).toContainText("In this release");
  await expect(rows.filter({ hasText: "CI runners" })).toContainText("Preview");
  const clipped = await page
    .locator(".table-wrap")
    .evaluate((frame) => frame.scrollWidth - frame.clientWidth);
  expect(clipped).toBeLessThanOrEqual(0);
  await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0);
  const footer = page.getByRole("contentinfo");
  expect(await footer.evaluate((element) => getComputedStyle(element).borderTopStyle)).toBe("solid");
});
