/**
 * The build race of the home page: 1. one picture with one label, which says which builds were recorded; 2. drawn from its data; 3. a pause button;
 * 4. at rest off screen and 5. for readers who want less motion.
 */
import type { Page } from "@playwright/test";
import recorded from "../../content/marketing/recorded-builds.json" with { type: "json" };
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
    "is one picture with one label, and says which builds it shows",
    { tag: "@one-width" },
    async ({ page }) => {
      await page.goto("/");
      const race = page.getByRole("main").getByRole("img", { name: /^Measured/ });
      await expect(race).toHaveAccessibleName(
        "Measured, not drawn: buildctl of BuildKit v0.33.0 on 2 shared CPUs, 29 November 2026. The first build, bld_j87v0e0hls, takes 7 minutes 31 seconds. After one line has changed, 3 of 6 steps come from the cache, and build bld_c7by28t7m0 takes 10.5 seconds.",
      );
      await expect(page.locator(".race-note")).toHaveText(
        "Measured, not drawn: buildctl of BuildKit v0.33.0 on 2 shared CPUs, 29 November 2026",
      );
      await expect(page.locator(".race-note")).toBeVisible();
    },
  );

  test("draws each step where its data says", async ({ page }) => {
    await page.goto("/");
    const board = await page.locator(".race-axis").boundingBox();
    const ghosts = page.locator(".lane-ghost");
    await expect(ghosts).toHaveCount(recorded.lanes.length);
    const width = board?.width ?? 0;
    for (const [index, { cold }] of recorded.lanes.entries()) {
      const ghost = await ghosts.nth(index).boundingBox();
      const left = (cold.start / recorded.cold.seconds) * width;
      expect(Math.abs((ghost?.x ?? 0) - (board?.x ?? 0) - left)).toBeLessThan(2);
      // A short step is three pixels wide, so that it can be seen.
      const length = Math.max(3, (cold.seconds / recorded.cold.seconds) * width);
      expect(Math.abs((ghost?.width ?? 0) - length)).toBeLessThan(2);
    }
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
