/**
 * 1. At a first visit a page says nothing; once it counts as read, the visit is kept.
 * 2. Afterwards it names the sections whose text has changed since, with the day of the last visit, and marks them; a
 *    page that has not changed says nothing. Nothing moves when the line appears.
 * 3. A link in it leads to its section; dismissed, it does not come back, and the focus is not lost.
 * 4. Stored visits can be seen and erased on "Your data", and are then no longer stored.
 * 5. axe finds nothing, in both themes.
 */
import type { Page } from "@playwright/test";
import { expectAccessible } from "./axe.ts";
import { drawFrames, expect, test } from "./fixtures.ts";

const PAGE = "/docs/container-builds/quickstart";

test("changed since the last visit", async ({ docs, page, isMobile }) => {
  const note = page.getByRole("complementary", { name: "Changed since your last visit" });
  const stored = () => page.evaluate(() => localStorage.getItem("visits"));
  const sections = (await (await page.request.get(`${PAGE}.sections.json`)).json()) as [string, string][];
  const keep = (hashes: string) =>
    page.evaluate(
      ([path, text]) => localStorage.setItem("visits", JSON.stringify({ [path]: [20_700, text] })),
      [PAGE, hashes] as const,
    );

  await test.step("(2) nothing has changed", async () => {
    await docs.open(PAGE);
    await keep(sections.map(([, hash]) => hash).join(""));
    const answer = page.waitForResponse("**/*.sections.json");
    await page.reload();
    await docs.hydrate();
    await (await answer).finished();
    await expect(page.locator(".is-changed")).toHaveCount(0);
    await expect(note).toHaveCount(0);
  });

  const [second, third] = [sections[1]?.[0] ?? "", sections[2]?.[0] ?? ""];
  await test.step("(2, 5) two sections have", async () => {
    const answer = Promise.withResolvers<void>();
    await page.route("**/*.sections.json", async (route) => {
      await answer.promise;
      const json = sections.map(([id, hash]) => [id, [second, third].includes(id) ? "new_" : hash]);
      await route.fulfill({ json });
    });
    await page.reload();
    await docs.hydrate();
    await page.evaluate(() => document.fonts.ready);
    await drawFrames(page);
    const shift = await watchShift(page);
    answer.resolve();
    await expect(note).toContainText(/^Changed since your last visit on September 4: \w+/);
    await expect(note.getByRole("link")).toHaveCount(2);
    await expect(page.locator(".is-changed")).toHaveCount(2);
    await drawFrames(page);
    expect(await shift()).toBe(0);
    await expectAccessible(page, { include: ".changes", withColours: !isMobile });
  });

  await test.step("(3) there, and away", async () => {
    await note.getByRole("link").first().click();
    await expect(page).toHaveURL(`${PAGE}#${second}`);
    await expect(page.locator(`[id="${second}"]`)).toBeInViewport();
    await note.getByRole("button", { name: "Dismiss" }).click();
    await expect(note).toHaveCount(0);
    await expect(page.locator(".is-changed")).toHaveCount(0);
    await expect(page.getByRole("main")).toBeFocused();
    const answer = page.waitForResponse("**/*.sections.json");
    await page.reload();
    await docs.hydrate();
    await (await answer).finished();
    await expect(page.locator(".is-changed")).toHaveCount(0);
  });

  await test.step("(1) a first visit", async () => {
    await page.evaluate(() => localStorage.removeItem("visits"));
    await page.clock.install();
    await docs.openHydrated(PAGE);
    expect(await stored()).toBeNull();
    await page.clock.fastForward(11_000);
    await expect.poll(stored).toContain(`"${PAGE}":[`);
    await expect(note).toHaveCount(0);
  });

  await test.step("(4) erased", async () => {
    await page.goto("/your-data");
    await page.mouse.move(200, 200);
    await page.mouse.move(201, 200);
    await page.getByText("Pages you have read").click();
    await expect(page.getByRole("link", { name: PAGE })).toBeVisible();
    await page.getByRole("button", { name: "Forget them and stop remembering" }).click();
    await expect(page.getByRole("link", { name: PAGE })).toHaveCount(0);
    expect(await stored()).toBe("off");
    await docs.openHydrated(PAGE);
    await page.clock.fastForward(11_000);
    await expect(note).toHaveCount(0);
    expect(await stored()).toBe("off");
  });
});

/** Adds up layout shifts from now on. */
async function watchShift(page: Page): Promise<() => Promise<number>> {
  const sum = await page.evaluateHandle(() => {
    const shifts = { sum: 0 };
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.sum += (entry as unknown as { value: number }).value;
    }).observe({ type: "layout-shift" });
    return shifts;
  });
  return () => sum.evaluate((shifts) => shifts.sum);
}
