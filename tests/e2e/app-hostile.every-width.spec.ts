/**
 * Every screen of the application with an organization of bad will: names with markup, of other directions and of full
 * length, 205 members, 1,007 tokens, 303 projects.
 *
 * 1. Nothing of a name runs, and each stands there as it is.
 * 2. No screen is wider than the window, at 320 px and with text of twice the size too.
 * 3. axe finds nothing in either theme.
 * 4. What arrives late moves nothing: no layout shift after the first paint of a screen.
 */
import type { Page } from "@playwright/test";
import { HOSTILE_NAMES, hostileRecords } from "../fixtures/hostile-records.ts";
import { expect, test } from "./acme.ts";
import { expectAccessible } from "./axe.ts";

/** Below `/app/acme`, with what has to be there before it is judged. */
const SCREENS: readonly [path: string, heading: RegExp][] = [
  ["", /./],
  ["projects", /Projects/],
  ["projects/web", /web/],
  ["projects/web/settings", /web/],
  ["usage", /Usage/],
  ["settings/members", /Members/],
  ["settings/tokens", /Tokens/],
  ["settings/trust", /Trust relationships/],
  ["settings/audit", /Audit log/],
];

test.beforeEach(({ acme }) => acme.fill(hostileRecords));

async function open(page: Page, address: string, heading: RegExp): Promise<void> {
  await page.goto(address);
  await expect(page.getByRole("heading", { level: 1, name: heading })).toBeVisible();
  await expect(page.getByText(/^Loading /)).toHaveCount(0);
}

async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow, `${page.url()} is wider than the window`).toBeLessThanOrEqual(0);
}

test("1. names are shown and not obeyed", async ({ page, acme }) => {
  await open(page, acme.at("settings/members"), /Members/);
  const [markup = ""] = HOSTILE_NAMES;
  await page
    .getByRole("searchbox", { name: /Filter|Search|Name/ })
    .or(page.getByLabel(/Filter/))
    .first()
    .fill("<img");
  await expect(page.getByText(markup, { exact: false }).first()).toBeVisible();
  expect(await page.title()).not.toBe("pwned");
  await expect(page.locator("main b", { hasText: "Bold" })).toHaveCount(0);
  for (const [path, heading] of SCREENS) {
    await open(page, acme.at(path), heading);
    expect(await page.title()).not.toBe("pwned");
    await expect(page.locator("main img[src=x]")).toHaveCount(0);
  }
});

test("2. and 4. no screen is too wide, and nothing moves", async ({ page, acme }) => {
  await page.addInitScript(() => {
    const marks = window as unknown as { shifts: string[] };
    marks.shifts = [];
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value: number;
        sources?: { node?: Node }[];
      })[])
        marks.shifts.push(
          `${entry.value.toFixed(4)} ${entry.sources?.map(({ node }) => (node as Element)?.className).join(", ")}`,
        );
    }).observe({ type: "layout-shift", buffered: true });
  });
  for (const [path, heading] of SCREENS) {
    await open(page, acme.at(path), heading);
    await expectNoSidewaysScroll(page);
    expect(await page.evaluate(() => (window as unknown as { shifts: string[] }).shifts), path).toEqual([]);
  }
});

test("2. at 320 px and with large text", async ({ page, acme }) => {
  await page.setViewportSize({ width: 320, height: 720 });
  for (const [path, heading] of SCREENS) {
    await open(page, acme.at(path), heading);
    await expectNoSidewaysScroll(page);
  }
  await page.setViewportSize({ width: 640, height: 800 });
  await page.addInitScript(() => {
    addEventListener("DOMContentLoaded", () => (document.documentElement.style.fontSize = "200%"));
  });
  for (const [path, heading] of SCREENS) {
    await open(page, acme.at(path), heading);
    await expectNoSidewaysScroll(page);
  }
});

test("3. accessible in both themes", async ({ page, acme }) => {
  for (const [path, heading] of SCREENS) {
    await open(page, acme.at(path), heading);
    await expectAccessible(page);
  }
});
