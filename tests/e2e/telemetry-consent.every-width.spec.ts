/**
 * 1. Before an answer: a question that is no dialog, no SDK, no request besides the page's own, nothing stored.
 * 2. "Necessary only" and "Accept all" weigh the same; the answer is remembered, and no is no.
 * 3. Each SDK comes with its own choice, and no other.
 * 4. Withdrawing, from the footer, ends what ran, empties the storage and says so.
 * 5. Global Privacy Control and Do Not Track are a no without a question.
 * 6. On a phone the question covers nothing. axe finds nothing in it.
 */
import { expectAccessible } from "./axe.ts";
import { expect } from "./fixtures.ts";
import { consentNotice, idsOf, press, recordTelemetry, storedNames, test } from "./telemetry.ts";

test("(1, 2) nothing is sent or stored before an answer, nor after a no", async ({ docs, page }) => {
  const recorded = recordTelemetry(page);
  await docs.openHydrated("/docs/faq");
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
});

test("(2) both answers weigh the same and can be reached by keyboard", async ({ docs, page }) => {
  await docs.openHydrated("/docs/faq");
  const accept = consentNotice(page).getByRole("button", { name: "Accept all" });
  const refuse = consentNotice(page).getByRole("button", { name: "Necessary only" });
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

test("(3) analytics alone brings no recorder; recording is added by its own switch", async ({
  docs,
  page,
}) => {
  const recorded = recordTelemetry(page);
  await docs.openHydrated("/docs");
  await press(page, "Choose…");
  await consentNotice(page).getByRole("switch", { name: "Analytics" }).check();
  await press(page, "Save choices");
  await expect.poll(() => recorded.files.toSorted()).toEqual(["insights", "posthog"]);
  await expect.poll(() => idsOf(page)).toHaveLength(2);
  expect(recorded.sent.some((request) => request.url().includes("/ingest/s/"))).toBe(false);

  await page.getByRole("contentinfo").getByRole("link", { name: "Privacy choices" }).click();
  await consentNotice(page).getByRole("switch", { name: "Recording" }).check();
  await press(page, "Save choices");
  await expect.poll(() => recorded.files.toSorted()).toEqual(["insights", "posthog", "recorder"]);
  // The SDK sends nothing of a page that nobody touches.
  await docs.searchBox.click();
  await expect
    .poll(() => recorded.sent.filter((request) => request.url().includes("/ingest/s/")).length, {
      timeout: 10_000,
    })
    .toBeGreaterThan(0);
});

test("(4) withdrawing ends what ran, removes what it kept, and says so", async ({ docs, page }) => {
  const recorded = recordTelemetry(page);
  await docs.openHydrated("/docs");
  await press(page, "Accept all");
  await expect.poll(() => idsOf(page)).toHaveLength(2);
  await expect.poll(() => recorded.sent.length).toBeGreaterThan(0);

  await page.getByRole("contentinfo").getByRole("link", { name: "Privacy choices" }).click();
  await expect(consentNotice(page).getByRole("switch", { name: "Recording" })).toBeChecked();
  recorded.sent.length = 0;
  await press(page, "Necessary only");
  const told = page.getByRole("article", { name: "Analytics and recording are off." });
  await expect(told).toBeVisible();
  await expect.poll(() => storedNames(page)).toEqual([]);

  await docs.searchBox.fill("cache");
  await docs.hits().first().click();
  await expect(page.locator("#prose")).toBeVisible();
  await page.goto("/docs/faq");
  await docs.hydrate();
  expect(recorded.sent.map((request) => request.url())).toEqual([]);
  expect(await storedNames(page)).toEqual([]);
});

for (const signal of ["globalPrivacyControl", "doNotTrack"] as const)
  test(`(5) ${signal} is a no without a question`, async ({ docs, page }) => {
    const recorded = recordTelemetry(page);
    await page.addInitScript((name) => {
      const value = name === "doNotTrack" ? "1" : true;
      Object.defineProperty(Navigator.prototype, name, { get: () => value });
      localStorage["millrace-consent"] = "analytics recording";
    }, signal);
    await docs.openHydrated("/docs");
    await page.getByRole("contentinfo").getByRole("link", { name: "Privacy choices" }).click();
    await expect(consentNotice(page).getByRole("switch", { name: "Analytics" })).toBeDisabled();
    await expect(consentNotice(page).getByRole("switch", { name: "Analytics" })).not.toBeChecked();
    await expect(consentNotice(page).getByRole("button", { name: "Accept all" })).toHaveCount(0);
    expect(recorded).toEqual({ sent: [], files: [] });
    expect(await storedNames(page)).toEqual([]);
  });

test("(6) the question covers nothing on a phone", async ({ docs, page, isMobile }) => {
  test.skip(!isMobile, "the corner of a wide screen is free");
  await docs.open("/docs/container-builds/quickstart");
  const before = await page.getByRole("contentinfo").boundingBox();
  await docs.hydrate();
  await expect(consentNotice(page)).toBeVisible();
  expect(await page.getByRole("contentinfo").boundingBox()).toEqual(before);
  const footer = await page.getByRole("contentinfo").boundingBox();
  const notice = await consentNotice(page).boundingBox();
  expect(notice?.y).toBeGreaterThanOrEqual((footer?.y ?? 0) + (footer?.height ?? 0));
});

test("(6) axe finds nothing in the question and in the choices", async ({ docs, page }) => {
  await docs.openHydrated("/docs");
  await expect(consentNotice(page)).toBeVisible();
  await expectAccessible(page, { include: ".notices" });
  await press(page, "Choose…");
  await expectAccessible(page, { include: ".notices" });
});
