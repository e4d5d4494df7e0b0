/** The specification's section 2, "Search box", and section 9's debounce, in a hydrated page. */
import { expect, recordSearches, test } from "./fixtures.ts";

test("a text input named q, which Ctrl K, Cmd K and / reach; a slash in it is a slash", async ({
  docs,
  page,
}) => {
  await docs.openHydrated();
  await expect(docs.searchBox).toHaveAttribute("name", "q");
  await expect(docs.searchBox).toHaveAttribute("placeholder", "Search docs...");
  await expect(docs.searchBox).toHaveAttribute("type", /^(text|search)$/);
  for (const keys of ["Control+k", "Meta+k", "/"]) {
    await docs.searchBox.blur();
    await page.keyboard.press(keys);
    await expect(docs.searchBox, keys).toBeFocused();
    await expect(docs.searchBox, keys).toHaveValue("");
  }
  await docs.searchBox.pressSequentially("a/b");
  await expect(docs.searchBox).toHaveValue("a/b");
});

test("typing updates the search query, debounced by 100 ms", async ({ docs, page }) => {
  await page.clock.install();
  await docs.openHydrated();
  await page.clock.pauseAt(Date.now() + 60_000);
  const bodies = recordSearches(page);
  const typed = () => bodies.flatMap((body) => body.queries.flatMap((query) => query.q ?? []));

  await docs.searchBox.pressSequentially("dock");
  await page.clock.runFor(99);
  await docs.searchBox.pressSequentially("er");
  await page.clock.runFor(99);
  expect(typed()).toEqual([]);
  await page.clock.runFor(1);
  await expect.poll(typed).toEqual(["docker"]);

  await docs.searchBox.pressSequentially("f");
  await page.clock.runFor(100);
  await expect.poll(typed).toEqual(["docker", "dockerf"]);
});

test("six keys 30 ms apart are one query", async ({ docs, page }) => {
  await page.clock.install();
  await docs.openHydrated();
  await page.clock.pauseAt(Date.now() + 60_000);
  const bodies = recordSearches(page);
  await page.keyboard.press("Control+k");
  for (const letter of "docker") {
    await page.keyboard.press(letter);
    await page.clock.runFor(30);
  }
  await page.clock.runFor(100);
  await expect(docs.hits().first()).toBeVisible();
  expect(bodies.flatMap((body) => body.queries.flatMap((query) => query.q ?? []))).toEqual(["docker"]);
});

test("the first search asks once for facets only, and every search for one hit more than a page shows", async ({
  docs,
  page,
}) => {
  await docs.openHydrated();
  const bodies = recordSearches(page);
  await docs.searchBox.fill("cache");
  await expect(docs.hits().first()).toBeVisible();
  await docs.searchBox.fill("registry");
  await expect(docs.hits().first()).toContainText(/registry/i);
  expect(bodies[0]).toEqual({ queries: [{ indexUid: "docs", limit: 21, offset: 0 }] });
  expect(bodies.slice(1)).toEqual(
    ["cache", "registry"].map((q) => ({
      queries: [
        {
          indexUid: "docs",
          q,
          attributesToHighlight: ["*"],
          highlightPreTag: "__ais-highlight__",
          highlightPostTag: "__/ais-highlight__",
          limit: 21,
          offset: 0,
        },
      ],
    })),
  );
});

test("a query that was answered before is not asked again", async ({ docs, page }) => {
  await docs.openHydrated();
  await docs.searchBox.fill("cache");
  await expect(docs.hits().first()).toBeVisible();
  await docs.searchBox.fill("");
  await expect(docs.results).toBeHidden();
  const bodies = recordSearches(page);
  await docs.searchBox.fill("cache");
  await expect(docs.hits().first()).toBeVisible();
  expect(bodies).toEqual([]);
});

test("submitting the form does nothing", async ({ docs, page }) => {
  await docs.openHydrated("/docs/faq");
  await docs.searchBox.fill("cache");
  await expect(docs.hits().first()).toBeVisible();
  const url = page.url();
  let navigations = 0;
  page.on("framenavigated", () => (navigations += 1));
  await docs.searchBox.press("Enter");
  await docs.page.getByRole("search").evaluate((form: HTMLFormElement) => form.requestSubmit());
  await expect(docs.searchBox).toHaveValue("cache");
  await expect(docs.hits().first()).toBeVisible();
  expect(page.url()).toBe(url);
  expect(navigations).toBe(0);
});

test("a clear button, labelled 'Clear search query', clears the query and keeps the focus in the input", async ({
  docs,
  page,
}) => {
  await docs.openHydrated();
  await expect(page.getByRole("button", { name: "Clear search query" })).toBeHidden();
  await docs.searchBox.fill("cache");
  await expect(docs.results).toBeVisible();
  await page.getByRole("button", { name: "Clear search query" }).click();
  await expect(docs.searchBox).toHaveValue("");
  await expect(docs.searchBox).toBeFocused();
  await expect(docs.results).toBeHidden();
  await expect(docs.article).toBeVisible();
});

test("the input empties itself when the query is cleared from elsewhere", async ({ docs }) => {
  await docs.openHydrated();
  await docs.searchBox.fill("cache");
  await expect(docs.results).toBeVisible();
  await docs.link("FAQs").click();
  await expect(docs.searchBox).toHaveValue("");
});

test("Esc clears the query and shows the page again, at its scroll position", async ({ docs, page }) => {
  await docs.openHydrated("/docs/cli/reference");
  await page.evaluate(() => scrollTo(0, 900));
  await page.keyboard.press("Control+k");
  await docs.searchBox.fill("cache");
  await expect(docs.results).toBeVisible();
  await docs.searchBox.press("Escape");
  await docs.searchBox.press("Escape");
  await expect(docs.article).toBeVisible();
  await expect.poll(() => page.evaluate(() => Math.round(scrollY))).toBe(900);
});

test("typing keeps ?q= in step without a new history entry, clearing removes it", async ({ docs, page }) => {
  await docs.openHydrated("/docs/faq");
  const entries = await page.evaluate(() => history.length);
  await docs.searchBox.fill("turbo");
  await expect(page).toHaveURL("/docs/faq?q=turbo");
  await docs.searchBox.fill("turborepo");
  await expect(page).toHaveURL("/docs/faq?q=turborepo");
  expect(await page.evaluate(() => history.length)).toBe(entries);
  await docs.searchBox.fill("");
  await expect(page).toHaveURL("/docs/faq");
});
