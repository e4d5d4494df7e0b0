/**
 * With the SDKs themselves, in a browser, against the running server; the stored data is read as the reader would
 * export it.
 * 1. A page view on arrival and for each navigation; a search once it has settled, with its hits; copy, feedback, cta.
 * 2. A click on a hit, by mouse and by keyboard, with its position, in both analytics; the anonymous cookie of six months.
 * 3. A flag is on where its page is; a survey is asked there, answered, and not asked again.
 * 4. A recording can be played from its start, and has no typed text.
 * 5. No event has a query, a full user agent or an address.
 */
import { expect, type DocsPage } from "./fixtures.ts";
import { expectSent, idsOf, keptOf, press, recordTelemetry, sentEvents, test } from "./telemetry.ts";

async function agree(docs: DocsPage, path: string, answer = "Accept all") {
  await docs.openHydrated(path);
  await press(docs.page, answer);
  await expect.poll(() => idsOf(docs.page)).toHaveLength(2);
}

test.describe("a reader who agreed to analytics", () => {
  test.use({ consent: "analytics", permissions: ["clipboard-write"] });

  test("(1, 5) pages, searches, copies, answers and calls to action arrive", async ({ docs, page }) => {
    const recorded = recordTelemetry(page);
    await docs.openHydrated("/docs/container-builds/quickstart");
    await expect.poll(() => idsOf(page)).toHaveLength(2);
    await docs.article.getByRole("button", { name: "Copy code" }).first().click();
    await page.getByRole("button", { name: "Yes" }).click();
    await page.getByRole("button", { name: "Send" }).click();
    await expect(page.getByText("We read every answer").first()).toBeVisible();
    await docs.link("FAQs").click();
    await expect(page).toHaveURL("/docs/faq");
    // The address changes first; the box is emptied with the page.
    await expect(docs.article.getByRole("heading", { level: 1 })).toHaveText(/questions/i);
    await docs.searchBox.pressSequentially("turborepo", { delay: 20 });
    await expect(docs.hits().first()).toBeVisible();

    await expectSent(recorded, "search", { query: "turborepo", hits: expect.any(Number) });
    await expectSent(recorded, "$pageview", { $pathname: "/docs/faq" });
    const ids = await idsOf(page);
    await page.getByRole("link", { name: /^Build faster/ }).click();
    await expect(page).toHaveURL(/\/app\/sign-in/);
    // Sent while the page is left, so it is visible only where it arrives.
    const readCalls = async () => (await keptOf(page, ids)).events.filter(({ name }) => name === "cta");
    await expect
      .poll(async () => (await readCalls()).map(({ properties }) => properties))
      .toEqual([expect.objectContaining({ label: "Build faster", to: "/app" })]);

    // Earlier events may be stored later.
    await expect
      .poll(async () => (await keptOf(page, ids)).events.map(({ name }) => name))
      .toEqual(expect.arrayContaining(["search", "copy", "feedback", "$pageview"]));
    const { events } = await keptOf(page, ids);
    const named = (name: string) => events.filter((event) => event.name === name);
    expect(named("search").map(({ properties }) => properties["query"])).toEqual(["turborepo"]);
    expect(named("copy").map(({ properties }) => properties["kind"])).toEqual(["code"]);
    expect(named("feedback").map(({ properties }) => properties["answer"])).toEqual(["yes"]);
    expect(named("$pageview").map(({ path }) => path)).toEqual(
      expect.arrayContaining(["/docs/container-builds/quickstart", "/docs/faq"]),
    );
    const everything = JSON.stringify(events);
    for (const secret of ["?q=", "Mozilla/5.0", "127.0.0.1", "$ip"]) expect(everything).not.toContain(secret);
  });

  test("(2) a click on a hit arrives with its position, by mouse and by keyboard", async ({ docs, page }) => {
    const recorded = recordTelemetry(page);
    await docs.openHydrated("/docs");
    await expect.poll(() => idsOf(page)).toHaveLength(2);
    await docs.searchBox.fill("registry");
    await docs.hits().nth(2).click();
    await expect(docs.results).toHaveCount(0);
    await docs.searchBox.fill("cache quota");
    await expect(docs.hits().first()).toBeVisible();
    await docs.searchBox.press("ArrowDown");
    await docs.searchBox.press("Enter");
    await expect(docs.results).toHaveCount(0);

    await expectSent(recorded, "search_click", { query: "registry", position: 3 });
    await expectSent(recorded, "search_click", { query: "cache quota", position: 1 });
    // The other analytics service sends separately.
    const ids = await idsOf(page);
    const positions = async () =>
      (await keptOf(page, ids)).clickEvents.map(({ properties }) => properties["positions"]).toSorted();
    await expect.poll(positions).toEqual([[1], [3]]);
    const { clickEvents } = await keptOf(page, ids);
    for (const { properties } of clickEvents)
      expect(properties).toMatchObject({
        eventType: "click",
        index: "docs",
        queryID: expect.stringMatching(/^[0-9a-f]{32}$/) as unknown,
        objectIDs: [expect.any(String)],
      });
    const cookie = (await page.context().cookies()).find(({ name }) => name === "_ALGOLIA");
    const days = ((cookie?.expires ?? 0) - Date.now() / 1000) / 86_400;
    expect(days).toBeGreaterThan(175);
    expect(days).toBeLessThan(185);
  });

  test("(3) a flag follows its page; a survey is answered once", async ({ docs, page }) => {
    const recorded = recordTelemetry(page);
    const flag = /(?:^| )survey-targeting-found-it(?: |$)/;
    const survey = page.getByRole("article", { name: "Did you find what you came for?" });
    /** Longer than a survey waits. */
    const pause = async () => {
      await page.mouse.move(200, 300);
      await page.clock.runFor(60_000);
    };
    await page.clock.install();
    await docs.openHydrated("/docs");
    await expect.poll(() => idsOf(page)).toHaveLength(2);
    await expectSent(recorded, "$pageview");
    await expect(page.locator("html")).not.toHaveAttribute("data-flags", flag);
    await pause();
    await expect(survey).toHaveCount(0);

    await docs.link("FAQs").click();
    await expect(page.locator("html")).toHaveAttribute("data-flags", flag);
    await pause();
    await survey.getByRole("button", { name: "Partly" }).click();
    await expect(survey).toHaveCount(0);
    await expectSent(recorded, "survey sent", { $survey_id: "found-it", $survey_response: "Partly" });
    await expectSent(recorded, "$feature_flag_called", {
      $feature_flag: "survey-targeting-found-it",
      $feature_flag_response: true,
    });

    await page.reload();
    await docs.hydrate();
    await expect(page.locator("html")).toHaveAttribute("data-flags", flag);
    await pause();
    await expect(survey).toHaveCount(0);
  });
});

test("(4) a recording starts with the whole page and holds nothing that was typed", async ({
  docs,
  page,
}) => {
  const recorded = recordTelemetry(page);
  await agree(docs, "/docs/cache/overview");
  await expect.poll(() => recorded.files).toContain("recorder");
  await docs.searchBox.pressSequentially("zwiebelturm");
  await expect(docs.results.getByText("No results found")).toBeVisible();
  // A misspelt word that has hits: the panel names it, and marks the matches.
  await docs.searchBox.fill("regsitry");
  await expect(docs.results.getByText(/results? for regsitry/)).toBeVisible();
  await docs.searchBox.fill("");
  await page.getByRole("button", { name: "No", exact: true }).click();
  await page.getByRole("textbox", { name: "What was missing?" }).fill("lindenblatt");
  await page.mouse.move(300, 300, { steps: 5 });

  // Typing is reported two seconds later, masked.
  const parts = () => JSON.stringify(sentEvents(recorded).filter(({ event }) => event === "$snapshot"));
  await expect.poll(parts, { timeout: 15_000 }).toContain("*".repeat("lindenblatt".length));

  const ids = await idsOf(page);
  const masked = "*".repeat("lindenblatt".length);
  // Sent events may be stored later.
  await expect
    .poll(async () => JSON.stringify((await keptOf(page, ids)).recordings).includes(masked))
    .toBe(true);
  const { recordings } = await keptOf(page, ids);
  const events = recordings.flatMap((recording) => recording.events);
  const everything = JSON.stringify(events);
  const [meta, fullSnapshot, incrementalSnapshot] = [4, 2, 3];
  const types = events.map(({ type }) => type);
  expect(types).toEqual(expect.arrayContaining([meta, fullSnapshot, incrementalSnapshot]));
  // Not `toContain`: a failure would print the whole page.
  expect(everything.includes("remote build cache")).toBe(true);
  for (const secret of ["zwiebelturm", "regsitry", "lindenblatt", "?q="])
    expect(everything.includes(secret), secret).toBe(false);
});
