/**
 * The build race of the home page: 1. one picture with one label, "Illustration"; 2. drawn from its data; 3. a pause button;
 * 4. at rest off screen and 5. for readers who want less motion.
 */
import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { hydrate } from "./hydrate.ts";

/** Endless animations that are not paused. */
const runningLoops = (page: Page) =>
  page.evaluate(
    () =>
      document
        .getAnimations()
        .filter(
          (each) =>
            each.effect?.getTiming().iterations === Number.POSITIVE_INFINITY && each.playState === "running",
        ).length,
  );

test.describe("the build race", () => {
  test(
    "is one picture with one label, and says that it is an illustration",
    { tag: "@one-width" },
    async ({ page }) => {
      await page.goto("/");
      const race = page.getByRole("main").getByRole("img", { name: /^Illustration/ });
      await expect(race).toHaveAccessibleName(
        "Illustration, not a measurement. A build of acme/web without a cache takes 5 minutes 24 seconds. On Millrace 3 of 6 steps come from the cache and the build takes 25 seconds.",
      );
      await expect(page.locator(".race-note")).toHaveText("Illustration, not a measurement");
      await expect(page.locator(".race-note")).toBeVisible();
    },
  );

  test("draws each step where its data says", async ({ page }) => {
    await page.goto("/");
    const board = await page.locator(".race-axis").boundingBox();
    const ghosts = page.locator(".lane-ghost");
    await expect(ghosts).toHaveCount(6);
    // When the third step starts, 14 + 48 s of 324 s have passed; it takes 109 s.
    const third = await ghosts.nth(2).boundingBox();
    const width = board?.width ?? 0;
    expect(Math.abs((third?.x ?? 0) - (board?.x ?? 0) - (62 / 324) * width)).toBeLessThan(2);
    expect(Math.abs((third?.width ?? 0) - (109 / 324) * width)).toBeLessThan(2);
  });

  test(
    "can be paused and played, also by a click before the client has loaded",
    { tag: "@one-width" },
    async ({ page }) => {
      await page.goto("/");
      const pause = page.getByRole("button", { name: "Pause animation" });
      await pause.click();
      const play = page.getByRole("button", { name: "Play animation" });
      await expect(play).toBeVisible();
      await expect.poll(() => runningLoops(page)).toBe(0);
      await play.click();
      await expect(pause).toBeVisible();
      await expect.poll(() => runningLoops(page)).toBeGreaterThan(0);
    },
  );

  test("rests while it is off screen", { tag: "@one-width" }, async ({ page }) => {
    await page.goto("/");
    await hydrate(page);
    await expect.poll(() => runningLoops(page)).toBeGreaterThan(0);
    await page.getByRole("region", { name: "Customers" }).scrollIntoViewIfNeeded();
    await page.getByRole("heading", { name: "Fits the tools you already run" }).scrollIntoViewIfNeeded();
    await expect.poll(() => runningLoops(page)).toBe(0);
  });

  test.describe("for readers who want less motion", () => {
    test.use({ contextOptions: { reducedMotion: "reduce" } });
    test("is still, and needs no button", { tag: "@one-width" }, async ({ page }) => {
      await page.goto("/");
      await expect(page.getByRole("button", { name: /animation/ })).toBeHidden();
      expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
      const bar = page.locator(".lane-bar").nth(4);
      expect(await bar.evaluate((element) => getComputedStyle(element).transform)).toBe("none");
    });
  });
});
