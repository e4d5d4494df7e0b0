/**
 * Every screen of the application with a hostile organization: names with markup, of other directions and of full
 * length, 205 members, 1,007 tokens, 303 projects.
 *
 * 1. Nothing in a name runs, and each appears unchanged. The policy of the page has nothing to refuse, no dialog opens,
 *    no other host gets a request, and the page stays where it is.
 * 2. No screen is wider than the window, also narrower and with text of twice the size. The names of a list's rows keep
 *    their room, however many rows there are.
 * 3. axe finds nothing in either theme.
 * 4. Late content moves nothing: no layout shift after the first paint of a screen.
 */
import type { Page } from "@playwright/test";
import { HOSTILE_NAMES, hostileRecords } from "../fixtures/hostile-records.ts";
import { expect, test } from "./acme.ts";
import { expectAccessible } from "./axe.ts";
import { narrowestName } from "./columns.ts";
import { overflowOf } from "./overflow.ts";
import { watchDeeds } from "./watch-deeds.ts";

/** Paths below `/app/acme`, with the heading that must be there before the check. */
const SCREENS: readonly [path: string, heading: RegExp][] = [
  ["", /./],
  ["projects", /Projects/],
  ["projects/web", /web/],
  ["projects/web/settings", /web/],
  ["runners/builders", /Builders/],
  ["usage", /Usage/],
  ["settings/members", /Members/],
  ["settings/tokens", /Tokens/],
  ["settings/trust", /Trust relationships/],
  ["settings/audit", /Audit log/],
];

/** Layout shifts since the page was opened, with their elements. */
async function watchShifts(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const marks = window as unknown as { shifts: string[] };
    marks.shifts = [];
    // Letters of foreign names are in separate files, which load with the first of these letters.
    document.addEventListener("DOMContentLoaded", () => {
      for (const font of document.fonts) void font.load();
    });
    interface Shift extends PerformanceEntry {
      value: number;
      hadRecentInput: boolean;
      sources?: { node?: Node }[];
    }
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources = [] } of list.getEntries() as Shift[])
        // The font of a name, whose file is late on a busy machine, causes shifts that no one sees.
        if (!hadRecentInput && value >= 0.0001)
          marks.shifts.push(
            `${value.toFixed(4)} ${sources.map(({ node }) => (node as Element)?.className).join(", ")}`,
          );
    }).observe({ type: "layout-shift", buffered: true });
  });
  return () => page.evaluate(() => (window as unknown as { shifts: string[] }).shifts);
}

async function expectNoSidewaysScroll(page: Page, what: string): Promise<void> {
  await expect.poll(() => overflowOf(page), `${what}: wider than the window`).toBeLessThanOrEqual(0);
}

for (const part of ["projects", "settings"])
  test(`screens of ${part}`, async ({ page, acme, isMobile }) => {
    test.setTimeout(120_000);
    acme.fill(hostileRecords);
    const shifts = await watchShifts(page);
    const deeds = await watchDeeds(page, acme.at(""));
    const size = page.viewportSize() ?? { width: 1440, height: 900 };
    // On phones a row is a card.
    const expectNames = async (least: number) => {
      if (!isMobile) await expect.poll(() => narrowestName(page)).toBeGreaterThanOrEqual(least);
    };
    const narrow = { width: size.width > 1000 ? 1024 : 320, height: size.height };
    for (const [path, heading] of SCREENS.filter(
      ([path]) => path.startsWith("settings") === (part === "settings"),
    ))
      await test.step(`/app/acme/${path}`, async () => {
        await page.setViewportSize(size);
        await page.goto(acme.at(path));
        await expect(page.getByRole("heading", { level: 1, name: heading })).toBeVisible();
        await expect(page.getByText(/^Loading /)).toHaveCount(0);
        expect(await page.title()).not.toBe("pwned");
        await expect(page.locator("main img[src=x]")).toHaveCount(0);
        expect(await shifts()).toEqual([]);
        expect(await deeds()).toEqual([]);
        expect(new URL(page.url()).pathname).toBe(new URL(acme.at(path)).pathname);
        await expectNoSidewaysScroll(page, "as it is");
        await expectNames(180);
        // Phones have the same colours.
        await expectAccessible(page, { withColours: !isMobile });
        await page.evaluate(() => (document.documentElement.style.fontSize = "200%"));
        await expectNoSidewaysScroll(page, "with text of twice the size");
        await expectNames(360);
        await page.evaluate(() => (document.documentElement.style.fontSize = ""));
        await page.setViewportSize(narrow);
        await expectNoSidewaysScroll(page, "narrower");
        await expectNames(180);
      });
  });

test("names of bad will are shown as they are", { tag: "@one-width" }, async ({ page, acme }) => {
  acme.fill(hostileRecords);
  await page.goto(acme.at("settings/members"));
  await page.getByRole("textbox", { name: "Filter members" }).fill("<img");
  await expect(page.getByText(HOSTILE_NAMES[0], { exact: false }).first()).toBeVisible();
  await expect(page.locator("main b", { hasText: "Bold" })).toHaveCount(0);
  expect(await page.title()).not.toBe("pwned");
});
