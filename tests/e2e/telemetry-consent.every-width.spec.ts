/**
 * 1. Before an answer: the question is not a dialog and needs no client, no SDK and no extra request; nothing
 *    is stored.
 * 2. "Necessary only" and "Accept all" look equally important; the answer is remembered, and a no is
 *    respected.
 * 3. Each SDK is loaded for its own choice only.
 * 4. Withdrawing, from the footer, ends the running SDKs, empties the storage and confirms it.
 * 5. Global Privacy Control and Do Not Track count as a no, without a question.
 * 6. On a phone the question is in reach immediately, at the end of the screen; it leaves the text readable, moves
 *    nothing, and covered content can be scrolled above it. axe finds nothing in it, nor in the choices.
 * 7. No later control is where an answer was pressed; a survey waits for another page and for a pause.
 */
import type { Page } from "@playwright/test";
import { expectAccessible } from "./axe.ts";
import { expect, measureShift } from "./fixtures.ts";
import {
  consentNotice,
  expectSent,
  idsOf,
  openChoices,
  press,
  recordTelemetry,
  storedNames,
  test,
} from "./telemetry.ts";

test(
  "(1, 2) nothing is sent or stored before an answer, nor after a no",
  { tag: "@one-width" },
  async ({ docs, page }) => {
    const recorded = recordTelemetry(page);
    await docs.open("/docs/faq");
    await expect(consentNotice(page)).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.dataset["hydrated"])).toBeUndefined();
    await expect(consentNotice(page)).toContainText(
      "Before you answer, pages and search words are only counted by day, without any other data, and an error report contains nothing about you.",
    );
    await docs.hydrate();
    await expect(consentNotice(page)).toBeVisible();
    await expect(page.getByRole("dialog")).toHaveCount(0);
    expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true);
    expect(await storedNames(page)).toEqual([]);

    await press(page, "Necessary only");
    await expect(consentNotice(page)).toHaveCount(0);
    expect(await page.evaluate(() => localStorage["millrace-consent"] as string)).toBe("necessary");
    await docs.openHydrated("/docs");
    await docs.searchBox.fill("cache");
    await expect(docs.hits().first()).toBeVisible();
    await docs.hits().first().click();
    await expect(page.locator("#prose")).toBeVisible();
    await expect(consentNotice(page)).toHaveCount(0);
    expect(await storedNames(page)).toEqual([]);
    expect(recorded).toEqual({ sent: [], files: [] });
  },
);

test(
  "(2) an answer before the client runs holds, and closing is a no",
  { tag: "@one-width" },
  async ({ docs, page }) => {
    const recorded = recordTelemetry(page);
    await docs.open("/docs");
    await press(page, "Close: necessary only");
    await expect(consentNotice(page)).toHaveCount(0);
    await docs.hydrate();
    expect(await page.evaluate(() => localStorage["millrace-consent"] as string)).toBe("necessary");
    expect(recorded).toEqual({ sent: [], files: [] });
    await page.reload();
    await docs.hydrate();
    await expect(consentNotice(page)).toHaveCount(0);
  },
);

test("(2) both answers weigh the same and can be reached by keyboard", async ({ docs, page }) => {
  await docs.openHydrated("/docs/faq");
  const accept = consentNotice(page).getByRole("button", { name: "Accept all" });
  const refuse = consentNotice(page).getByRole("button", { name: "Necessary only", exact: true });
  const look = (button: typeof accept) =>
    button.evaluate((element) => {
      const { color, backgroundColor, borderColor, fontWeight, height } = getComputedStyle(element);
      return { color, backgroundColor, borderColor, fontWeight, height };
    });
  expect(await look(accept)).toEqual(await look(refuse));
  await accept.focus();
  await page.keyboard.press("Tab");
  await expect(refuse).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(consentNotice(page)).toHaveCount(0);
});

test(
  "(3) analytics alone brings no recorder; recording is added by its own switch",
  { tag: "@one-width" },
  async ({ docs, page }) => {
    const recorded = recordTelemetry(page);
    await docs.openHydrated("/docs");
    await openChoices(page);
    await expect(consentNotice(page)).toHaveCount(1);
    await consentNotice(page).getByRole("switch", { name: "Analytics" }).check();
    await press(page, "Save choices");
    await expect.poll(() => recorded.files.toSorted()).toEqual(["insights", "posthog"]);
    await expect.poll(() => idsOf(page)).toHaveLength(2);
    expect(recorded.sent.some((request) => request.url().includes("/ingest/s/"))).toBe(false);

    await openChoices(page);
    await consentNotice(page).getByRole("switch", { name: "Recording" }).check();
    await press(page, "Save choices");
    await expect.poll(() => recorded.files.toSorted()).toEqual(["insights", "posthog", "recorder"]);
    // The SDK sends nothing about an untouched page, and sees no touch before it has started.
    const recordings = async () => {
      await docs.searchBox.click();
      return recorded.sent.filter((request) => request.url().includes("/ingest/s/")).length;
    };
    await expect.poll(recordings, { timeout: 10_000 }).toBeGreaterThan(0);
  },
);

test(
  "(4) withdrawing ends what ran, removes what it kept, and says so",
  { tag: "@one-width" },
  async ({ docs, page }) => {
    const recorded = recordTelemetry(page);
    await docs.openHydrated("/docs");
    await press(page, "Accept all");
    await expect.poll(() => idsOf(page)).toHaveLength(2);
    // The SDK sends in batches: events with consent have been sent before the withdrawal.
    await expectSent(recorded, "$pageview");

    await openChoices(page);
    await expect(consentNotice(page).getByRole("switch", { name: "Recording" })).toBeChecked();
    const sentSince = await noteAnswer(page);
    await press(page, "Necessary only");
    const told = page.getByRole("article", { name: "Analytics and recording are off." });
    await expect(told).toBeVisible();
    await expect.poll(() => storedNames(page)).toEqual([]);

    recorded.sent.length = 0;
    await docs.searchBox.fill("cache");
    await docs.hits().first().click();
    await expect(page.locator("#prose")).toBeVisible();
    expect(await sentSince()).toEqual([]);
    await page.goto("/docs/faq");
    await docs.hydrate();
    expect(recorded.sent.map((request) => request.url())).toEqual([]);
    expect(await storedNames(page)).toEqual([]);
  },
);

/** Requests of telemetry after the next press; until then it may send events with consent. */
async function noteAnswer(page: Page) {
  await page.evaluate(() =>
    addEventListener("click", ({ timeStamp }) => Object.assign(window, { answeredAt: timeStamp }), {
      capture: true,
      once: true,
    }),
  );
  return () =>
    page.evaluate(() => {
      const { answeredAt } = window as unknown as { answeredAt: number };
      return performance
        .getEntriesByType("resource")
        .filter(({ name, startTime }) => startTime > answeredAt && /\/(?:ingest|insights)\//.test(name))
        .map(({ name }) => name);
    });
}

for (const signal of ["globalPrivacyControl", "doNotTrack"] as const)
  test(`(5) ${signal} is a no without a question`, { tag: "@one-width" }, async ({ docs, page }) => {
    const recorded = recordTelemetry(page);
    await page.addInitScript((name) => {
      const value = name === "doNotTrack" ? "1" : true;
      Object.defineProperty(Navigator.prototype, name, { get: () => value });
      localStorage["millrace-consent"] = "analytics recording";
    }, signal);
    await docs.openHydrated("/docs");
    await openChoices(page);
    await expect(consentNotice(page).getByRole("switch", { name: "Analytics" })).toBeDisabled();
    await expect(consentNotice(page).getByRole("switch", { name: "Analytics" })).not.toBeChecked();
    await expect(consentNotice(page).getByRole("button", { name: "Accept all" })).toHaveCount(0);
    expect(recorded).toEqual({ sent: [], files: [] });
    expect(await storedNames(page)).toEqual([]);
  });

for (const [width, height] of [
  [390, 844],
  [320, 640],
] as const)
  test(`(6) the question at ${width}x${height}`, async ({ docs, page, isMobile }) => {
    test.skip(!isMobile, "the corner of a wide screen is free");
    await page.setViewportSize({ width, height });
    const shift = await measureShift(page);
    await docs.open("/docs/container-builds/quickstart");
    const box = async () => (await consentNotice(page).boundingBox()) ?? { y: 0, height: 0 };
    await expect(consentNotice(page)).toBeVisible();
    expect((await box()).y + (await box()).height).toBeCloseTo(height, 0);
    expect((await box()).height).toBeLessThan(height * 0.4);
    for (const control of await consentNotice(page).locator("button, a").all())
      expect((await control.boundingBox())?.height).toBeGreaterThanOrEqual(36);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    expect(await shift()).toBeLessThan(0.05);

    // The page's end and the focused element stay above it.
    const last = page.getByRole("contentinfo").getByRole("link").last();
    await last.focus();
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    const end = await last.boundingBox();
    expect((end?.y ?? 0) + (end?.height ?? 0)).toBeLessThanOrEqual((await box()).y);
    await press(page, "Necessary only");
    await expect.poll(() => page.evaluate(() => getComputedStyle(document.body).paddingBottom)).toBe("0px");
  });

test("(7) no control follows where an answer was pressed", async ({ docs, page }) => {
  await docs.openHydrated("/docs");
  await openChoices(page);
  await consentNotice(page).getByRole("switch", { name: "Analytics" }).check();
  await press(page, "Save choices");
  await expect.poll(() => idsOf(page)).toHaveLength(2);
  await openChoices(page);
  const answer = consentNotice(page).getByRole("button", { name: "Necessary only" });
  const { x, y, width, height } = (await answer.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  await answer.click();
  await expect(page.getByRole("article", { name: "Analytics and recording are off." })).toBeVisible();
  const below = await page.evaluate(
    (at) => document.elementFromPoint(...at)?.closest(".notices :is(a, button, input)") ?? null,
    [x + width / 2, y + height / 2] as [number, number],
  );
  expect(below).toBeNull();
});

test(
  "(7) a survey appears on a different page from the answer, and not under the pointer",
  { tag: "@one-width" },
  async ({ docs, page }) => {
    const survey = page.getByRole("article", { name: "Did you find what you came for?" });
    const isOn = () =>
      expect(page.locator("html")).toHaveAttribute("data-flags", /survey-targeting-found-it/);
    await page.clock.install();
    await docs.openHydrated("/docs/faq");
    await press(page, "Accept all");
    await isOn();
    await page.mouse.move(200, 300);
    await page.clock.runFor(60_000);
    await expect(survey).toHaveCount(0);

    await page.mouse.move(1200, 800);
    await page.reload();
    await page.mouse.move(1201, 800);
    await page.mouse.move(1200, 800);
    await isOn();
    // The pointer's position is unknown until it moves again.
    await page.clock.runFor(60_000);
    await expect(survey).toHaveCount(0);
    await page.mouse.move(1201, 800);
    await page.clock.runFor(60_000);
    await expect(survey).toHaveCount(0);
    await page.mouse.move(200, 300);
    await page.clock.runFor(3000);
    await survey.getByRole("button", { name: "Yes" }).click();
    await page.clock.runFor(60_000);
    await expect(page.locator(".notices").getByRole("button")).toHaveCount(0);
  },
);

test("(6) axe finds nothing in the question and in the choices", async ({ docs, page }) => {
  await docs.openHydrated("/docs");
  await expect(consentNotice(page)).toBeVisible();
  await expectAccessible(page, { include: ".notices" });
  await openChoices(page);
  await expect(consentNotice(page).getByRole("switch")).toHaveCount(3);
  await expectAccessible(page, { include: ".notices" });
});
