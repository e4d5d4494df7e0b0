/**
 * Timeline, channel, lane and log on their component pages.
 *
 *  1. A step is a link with a sentence; the platform that decides the time is open, others open by a press.
 *  2. J and K go from step to step, Enter opens a step, and the address names it; P and E show and hide.
 *  3. A compared build says which step ran first again; a failed build says how it failed.
 *  4. Timeline, channel, lane and log move from the same events, and the end is announced.
 *  5. No violation of axe in both themes, except for the size of line numbers.
 *  6. Other people's text stays text: no markup, no title, no turn of direction.
 *  7. A step of the log folds; all fold; lines wrap.
 *  8. An address of lines opens their step, brings them into view and follows nothing; a click and Shift make such an address.
 *  9. A search marks its matches, counts, wraps around, and opens the step that hides a match.
 *  10. Follow ends on scrolling up, comes back, and never moves while text is selected.
 *  11. Few of 100,000 lines are in the page; the browser's own search is replaced, and finds the last line.
 * 12. A line of a million letters is cut, and shown in parts.
 */
import type { Page } from "@playwright/test";
import { expectAccessible } from "./axe.ts";
import { expect, test } from "./fixtures.ts";
import { overflowOf } from "./overflow.ts";

const open = (page: Page, path: string) => page.goto(`/app/dev/components/${path}`);
const log = (page: Page) => page.getByRole("log", { name: "Lines" });
const rows = (page: Page) => log(page).locator("[data-number]");
const line = (page: Page, number: number) =>
  log(page).getByRole("link", { name: `Line ${number}`, exact: true });
const search = (page: Page) => page.getByRole("textbox", { name: "Search the log" });
const follow = (page: Page) => page.getByRole("button", { name: /^Follow(?: ?F)?$/ });

test("a running build: sentences, keys, platforms (1, 2, 5)", async ({ page, isMobile }) => {
  await open(page, "timeline?build=running");
  const steps = page.getByRole("region", { name: "Steps of the build on a time axis" });
  const install = steps.getByRole("link", {
    name: "deps 2 of 2, RUN pnpm install --frozen-lockfile, worked, 14.7 seconds, on the critical path",
  });
  await expect(install).toBeVisible();
  await expect(steps.getByRole("link", { name: /^runtime 1 of 2, COPY .*, waiting$/ })).toBeVisible();
  await expect(steps.getByRole("link", { name: /^base 3 of 3, FROM .*, and 2 more, cached$/ })).toBeVisible();
  const amd = steps.getByRole("button", { name: /^linux\/amd64/ });
  await expect(amd).toHaveAttribute("aria-expanded", "false");
  await expectAccessible(page, { exclude: ".log-line > a", withColours: !isMobile });
  await amd.click();
  await expect(steps.getByRole("link", { name: /pnpm install/ })).toHaveCount(2);

  await install.click();
  await expect(page).toHaveURL(/step=17/);
  await expect(install).toHaveAttribute("aria-current", "true");
  await page.keyboard.press("j");
  await expect(page).toHaveURL(/step=18/);
  await expect(steps.getByRole("link", { name: /^assets 1 of 2/ }).last()).toBeFocused();
  await page.keyboard.press("k");
  await expect(install).toBeFocused();
  await page.keyboard.press("p");
  await expect(steps.getByRole("link")).toHaveCount(5);
  await page.keyboard.press("p");
  await page.keyboard.press("e");
  await expect(steps.getByRole("link", { name: /FROM/ })).toHaveCount(2);
  await expect(steps.getByRole("link")).toHaveCount(24);
  await page.goBack();
  await expect(page).not.toHaveURL(/step=/);
});

test("compared, failed, hostile (3, 5, 6)", async ({ page, isMobile }) => {
  await open(page, "timeline?build=succeeded");
  const compared = page.getByRole("region", { name: "Steps of the build beside those of bld_v6n2hk8s4d" });
  await expect(
    compared.getByRole("link", { name: /^build 1 of 2, COPY \. \., .*first to run again/ }),
  ).toBeVisible();
  await expectAccessible(page, { exclude: ".log-line > a", withColours: !isMobile });
  await page.getByRole("button", { name: "Failed" }).click();
  await expect(
    page.getByRole("link", { name: /RUN go build .*, failed, 18.1 seconds, exit code 1/ }),
  ).toBeVisible();
  await expectAccessible(page, { exclude: ".log-line > a", withColours: !isMobile });
  await page.getByRole("button", { name: "Hostile" }).click();
  await expect(page.getByRole("button", { name: /^linux\/riscv64/ })).toBeVisible();
  await page.getByRole("button", { name: /^linux\/amd64/ }).click();
  await expect(page.getByRole("link", { name: /<img src=x/ })).toBeVisible();
  await expect(page).not.toHaveTitle(/pwned/);
  expect(await page.locator("main img").count()).toBe(0);
  expect(await page.locator("main").evaluate((main) => /[\u202A-\u202E]/.test(main.textContent))).toBe(false);
  await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0);
});

test("a recorded build moves all four from the same events (4)", { tag: "@one-width" }, async ({ page }) => {
  await open(page, "timeline?build=recorded0&play=40");
  await expect(page.getByText("succeeded", { exact: true })).toBeVisible();
  const steps = page.getByRole("region", { name: "Steps of the build on a time axis" });
  await expect(
    steps.getByRole("link", { name: /COPY blob \/blob, worked, .*on the critical path/ }),
  ).toBeVisible();
  await expect(log(page)).toContainText("[1/1] COPY blob /blob");
  await expect(page.getByRole("link", { name: /^web/ })).toHaveCount(0);
});

test("channel and lane (5)", async ({ page, isMobile }) => {
  await open(page, "channel");
  await expect(page.getByRole("link", { name: /waiting for a builder/ })).toBeVisible();
  await expectAccessible(page, { withColours: !isMobile });
});

test("folds, addresses of lines, search (7, 8, 9)", async ({ page, isMobile }) => {
  await open(page, "log#L64-L65");
  const step = log(page).getByRole("button", { name: /build 2\/2\] RUN go build/ });
  await expect(step).toHaveAttribute("aria-expanded", "true");
  await expect(line(page, 65)).toBeInViewport();
  await expect(log(page).locator(".at")).toHaveCount(2);
  await expect(follow(page)).toHaveAttribute("aria-pressed", "false");
  await expectAccessible(page, { exclude: ".log-line > a", withColours: !isMobile });

  await line(page, 62).click();
  await expect(page).toHaveURL(/#L62$/);
  await line(page, 66).click({ modifiers: ["Shift"] });
  await expect(page).toHaveURL(/#L62-L66$/);
  await expect(log(page).locator(".at")).toHaveCount(5);

  await step.click();
  await expect(rows(page)).toHaveCount(0);
  await log(page).focus();
  await page.keyboard.press("/");
  await expect(search(page)).toBeFocused();
  await page.keyboard.type("UNDEFINED");
  const count = page.getByRole("status", { name: "Match 1 of 2" });
  await expect(count).toHaveText("1/2");
  await expect(step).toHaveAttribute("aria-expanded", "true");
  await expect(log(page).locator("mark")).toHaveCount(2);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("status", { name: "Match 2 of 2" })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(count).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(log(page)).toBeFocused();
  await expect(log(page).locator("mark")).toHaveCount(0);

  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download the log" }).click();
  expect((await download).suggestedFilename()).toBe("bld_x8d3rj5w1t.log");
  await page.getByRole("button", { name: "Wrap lines" }).click();
  await expect.poll(() => log(page).evaluate((body) => body.scrollWidth <= body.clientWidth)).toBe(true);
  await page.getByRole("button", { name: "Fold all steps" }).click();
  await expect(rows(page)).toHaveCount(0);
});

test("follow (10)", { tag: "@one-width" }, async ({ page }) => {
  await open(page, "log?live=1");
  const write = page.getByRole("button", { name: "Write 38 lines" });
  const top = () => log(page).evaluate((body) => body.scrollTop);
  const isAtEnd = () =>
    log(page).evaluate((body) => body.scrollHeight - body.scrollTop - body.clientHeight < 2);
  await expect.poll(isAtEnd).toBe(true);
  await write.click();
  await expect(page.getByText("Following, 240 lines")).toBeVisible();
  await expect.poll(isAtEnd).toBe(true);

  await log(page).hover();
  await page.evaluate(() => document.querySelector("[role=log]")?.scrollBy(0, -400));
  await expect(follow(page)).toHaveAttribute("aria-pressed", "false");
  const before = await top();
  await write.click();
  await page.getByRole("button", { name: "38 new lines" }).click();
  await expect(follow(page)).toHaveAttribute("aria-pressed", "true");
  await expect.poll(isAtEnd).toBe(true);
  expect(await top()).toBeGreaterThan(before);

  await rows(page)
    .last()
    .evaluate((row) => getSelection()?.selectAllChildren(row));
  const held = await top();
  await write.click();
  await expect(log(page).getByText("written 316")).toBeAttached();
  expect(await top()).toBe(held);
});

test("a hundred thousand lines (11)", { tag: "@one-width" }, async ({ page }) => {
  await open(page, "log?lines=100000");
  await expect(rows(page).first()).toBeVisible();
  const most = 120;
  expect(await rows(page).count()).toBeLessThan(most);
  await log(page).evaluate((body) => (body.scrollTop = body.scrollHeight / 2));
  await expect(line(page, 50_000).or(line(page, 49_990)).first()).toBeAttached();
  expect(await rows(page).count()).toBeLessThan(most);
  await expect(log(page).getByRole("button", { name: /RUN make everything/ })).toBeInViewport();
  await log(page).focus();
  await page.keyboard.press("Control+f");
  await expect(search(page)).toBeFocused();
  await page.keyboard.type("module-99999.c");
  await expect(page.getByRole("status", { name: "Match 1 of 1" })).toBeVisible();
  await expect(line(page, 100_001)).toBeInViewport();
  expect(await rows(page).count()).toBeLessThan(most);
  await open(page, "log?lines=100000&again=1#L77777");
  await expect(line(page, 77_777)).toBeInViewport();
});

test("a line of a million letters (12)", { tag: "@one-width" }, async ({ page }) => {
  await open(page, "log?log=hostile");
  await expect(line(page, 8)).toBeAttached();
  const shown = () => log(page).evaluate((body) => body.textContent.length);
  expect(await shown()).toBeLessThan(20_000);
  await log(page).getByRole("button", { name: "show all 1,000 KB" }).click();
  await expect.poll(() => log(page).locator('[data-number="8"]').count()).toBeGreaterThan(10);
  await log(page).evaluate((body) => (body.scrollTop = body.scrollHeight));
  await expect(line(page, 9)).toBeInViewport();
  expect(await rows(page).count()).toBeLessThan(120);
});
