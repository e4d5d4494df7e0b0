/** The specification's sections 2 ("Search results panel"), 3, 4, 5 and 8. */
import type { Page, Request } from "@playwright/test";
import { drawFrames, expect, markWindow, recordSearches, test, whenOver } from "./fixtures.ts";

const hit = {
  objectID: "1",
  url: "https://elsewhere.example/docs/cache/overview#limits",
  hierarchy_lvl0: "Cache",
  hierarchy_lvl1: "Remote cache",
  hierarchy_lvl2: "Limits",
  hierarchy_lvl3: "Quota",
  hierarchy_lvl4: "Per tool",
  content: "The quota of a cache.",
};
const mark = (text: string) =>
  text.replace(/cache/gi, (word) => `__ais-highlight__${word}__/ais-highlight__`);

/** Answers every search with these hits. */
async function answerWith(page: Page, hits: { [attribute: string]: unknown }[]) {
  await page.route("**/multi-search", (route) =>
    route.fulfill({
      json: {
        results: [
          {
            indexUid: "docs",
            query: "cache",
            processingTimeMs: 1,
            limit: 21,
            offset: 0,
            estimatedTotalHits: hits.length,
            hits: hits.map((each) => ({
              ...each,
              _formatted: Object.fromEntries(
                Object.entries(each).map(([name, value]) => [
                  name,
                  typeof value === "string" ? mark(value) : value,
                ]),
              ),
            })),
          },
        ],
      },
    }),
  );
}

test("the panel is shown whenever the query is non-empty, in place of the page; bar, tree and footer stay", async ({
  docs,
  page,
}) => {
  await docs.openHydrated();
  await expect(docs.results).toBeHidden();
  await expect(docs.article).toBeVisible();
  await docs.searchBox.fill("c");
  await expect(docs.results).toBeVisible();
  await expect(docs.article).toBeHidden();
  await expect(page.getByText("Documentation", { exact: true }).first()).toBeVisible();
  await expect(docs.tree).toBeVisible();
  await expect(page.getByRole("contentinfo")).toBeAttached();
  await docs.searchBox.fill("");
  await expect(docs.results).toBeHidden();
  await expect(docs.article).toBeVisible();
});

test("what is found: rows, code, headings, pages by their title, prefixes, typos, nothing", async ({
  docs,
}) => {
  await docs.openHydrated();
  await test.step("a hit on a table is the row that matched, its cells with their columns", async () => {
    await docs.searchBox.fill("--save-tag");
    const shown = docs.hits().first();
    await expect(shown).toContainText("/docs/cli/reference#flag-save-tag");
    await expect(shown).toContainText(/Flag\s*--save-tag.*Description\s*Keep the image/s);
    await expect(shown).not.toContainText("|");
    // The rows before and after it are other hits.
    await expect(shown).not.toContainText("--push");
  });
  await test.step("a hit on code is code, with the line that matched", async () => {
    await docs.searchBox.fill("actions/checkout");
    const code = docs.hits().getByRole("code").first();
    await expect(code.locator("mark").first()).toHaveText(/actions|checkout/i);
    const { font, background } = await code.evaluate((element) => {
      const { fontFamily, backgroundColor } = getComputedStyle(element);
      return { font: fontFamily, background: backgroundColor };
    });
    expect(font).toContain("Commit Mono");
    expect(background).not.toBe("rgba(0, 0, 0, 0)");
  });
  await test.step("a hit on a heading shows the first sentence below it", async () => {
    await docs.searchBox.fill("tokens revoke");
    const shown = docs.hits().first();
    await expect(shown).toContainText("/docs/cli/reference#tokens-revoke");
    expect((await shown.innerText()).trim()).toMatch(/#tokens-revoke\s+\S.*\.$/);
  });
  await test.step("no hits: 'No results found', the query, and links to start from", async () => {
    await docs.searchBox.fill("xqzvwkjy");
    await expect(docs.results.getByText("No results found")).toBeVisible();
    await expect(docs.results).toContainText("xqzvwkjy");
    await expect(docs.results.getByRole("link")).toHaveCount(4);
  });
  await test.step("the page itself is first when its title is typed", async () => {
    for (const [query, path] of [
      ["core concepts", "/docs/core-concepts"],
      ["turborepo", "/docs/cache/reference/turbo"],
      ["runner types", "/docs/github-actions/runner-types"],
    ] as const) {
      await docs.searchBox.fill(query);
      await expect(docs.hits().first()).toContainText(path);
    }
  });
  await test.step("prefixes and typos are understood", async () => {
    for (const [typed, wanted] of [
      ["registr", "registry"],
      ["dokcerfile", "dockerfile"],
      ["kubernetse", "kubernetes"],
    ] as const) {
      // Without the hits of the former query.
      await docs.searchBox.fill("");
      await expect(docs.results).toBeHidden();
      await docs.searchBox.fill(typed);
      await expect(docs.hits().first()).toContainText(new RegExp(wanted, "i"));
    }
  });
});

test("a hit shows its six parts in order, with matched text highlighted", async ({ docs, page }) => {
  await answerWith(page, [hit]);
  await docs.openHydrated();
  await docs.searchBox.fill("cache");
  const shown = docs.hits().first();
  const text = (await shown.innerText()).replace(/\s+/g, " ");
  expect(text).toMatch(
    /CACHE Remote cache ?›? ?Limits Quota Per tool \/docs\/cache\/overview#limits The quota of a cache\./i,
  );
  await expect(shown.locator("mark")).toHaveText(["Cache", "cache", "cache"]);
  const label = shown.getByText("Cache", { exact: true }).first();
  expect(await label.evaluate((element) => getComputedStyle(element).textTransform)).toBe("uppercase");
});

test('parts that are absent or the string "null" are not displayed', async ({ docs, page }) => {
  const { hierarchy_lvl4: _absent, ...rest } = hit;
  await answerWith(page, [
    { ...rest, hierarchy_lvl0: "null", hierarchy_lvl2: "null", hierarchy_lvl3: null, content: "null" },
  ]);
  await docs.openHydrated();
  await docs.searchBox.fill("cache");
  const text = (await docs.hits().first().innerText()).replace(/\s+/g, " ").trim();
  expect(text).toBe("Remote cache /docs/cache/overview#limits");
});

test("each hit is a link to its url with the origin stripped", async ({ docs, page }) => {
  await answerWith(page, [hit]);
  await docs.openHydrated("/docs/faq");
  const isSameWindow = await markWindow(page);
  await docs.searchBox.fill("cache");
  const link = docs.hits().first();
  const href = await link.evaluate((element) =>
    (element.closest("a") ?? element.querySelector("a"))?.getAttribute("href"),
  );
  expect(href).toBe("/docs/cache/overview#limits");
  await link.click();
  await expect(page).toHaveURL(/\/docs\/cache\/overview#limits$/);
  expect(await isSameWindow()).toBe(true);
});

test("hostile text in a hit is shown as text", async ({ docs, page }) => {
  await answerWith(page, [
    { ...hit, content: "<img src=x onerror=alert(1)> cache", url: "javascript:alert(1)" },
  ]);
  await docs.openHydrated();
  await docs.searchBox.fill("cache");
  await expect(docs.hits().first()).toContainText("<img src=x onerror=alert(1)> cache");
  const href = await docs
    .hits()
    .first()
    .evaluate((element) => (element.closest("a") ?? element.querySelector("a"))?.getAttribute("href") ?? "");
  expect(href).not.toMatch(/^javascript:/);
});

test("when a page navigation finishes the query is cleared and the page shown", async ({ docs, page }) => {
  await docs.openHydrated();
  await docs.searchBox.fill("turborepo");
  await docs.hits().first().click();
  await expect(page).toHaveURL(/\/docs\/cache\/reference\/turbo/);
  await expect(docs.results).toBeHidden();
  await expect(docs.searchBox).toHaveValue("");
  await expect(docs.article).toBeVisible();
});

test("what is typed while a page is on its way is searched for on that page", async ({ docs, page }) => {
  await docs.openHydrated();
  let arrive = () => {};
  const held = new Promise<void>((resolve) => (arrive = resolve));
  await page.route(/\/docs\/faq(\.data)?$/, async (route) => {
    await held;
    await route.continue();
  });
  await docs.link("FAQs").click();
  await docs.searchBox.fill("turborepo");
  await expect(docs.hits().first()).toBeVisible();
  expect(page.url()).not.toContain("/docs/faq");
  arrive();
  await expect(page).toHaveURL("/docs/faq?q=turborepo");
  await expect(page).toHaveTitle(/FAQ/);
  await expect(docs.hits().first()).toBeVisible();
  await expect(docs.searchBox).toHaveValue("turborepo");
});

test("after a navigation the loading flag shows 'Loading...' until new hits arrive", async ({
  docs,
  page,
}) => {
  await docs.openHydrated();
  await docs.link("FAQs").click();
  await expect(page).toHaveURL("/docs/faq");
  let answer = () => {};
  const held = new Promise<void>((resolve) => (answer = resolve));
  await page.route("**/multi-search", async (route) => {
    await held;
    await route.continue();
  });
  await docs.searchBox.fill("cache");
  await expect(docs.results.getByText("Loading...")).toBeVisible();
  await expect(docs.results.getByText("No results found")).toBeHidden();
  answer();
  await expect(docs.hits().first()).toBeVisible();
  await expect(docs.results.getByText("Loading...")).toBeHidden();
});

test("a search that is still pending after 200 ms is stalled: no hits and 'Loading...'", async ({
  docs,
  page,
}) => {
  await docs.openHydrated();
  let answer = () => {};
  const held = new Promise<void>((resolve) => (answer = resolve));
  await page.route("**/multi-search", async (route) => {
    await held;
    await route.continue();
  });
  await docs.searchBox.fill("cache");
  await expect(docs.results.getByText("Loading...")).toBeVisible();
  await expect(docs.hits()).toHaveCount(0);
  answer();
  await expect(docs.hits().first()).toBeVisible();
  await expect(docs.results.getByText("Loading...")).toBeHidden();
});

test("'No results found' never flashes while the reader types a query that has hits", async ({
  docs,
  page,
}) => {
  await docs.openHydrated();
  await page.evaluate(() => {
    const seen: string[] = [];
    Object.assign(window, { seen });
    new MutationObserver(() => {
      if (document.body.innerText.includes("No results found")) seen.push("flash");
    }).observe(document.body, { childList: true, subtree: true, characterData: true });
  });
  await docs.searchBox.pressSequentially("docker build cache", { delay: 60 });
  await expect(docs.hits().first()).toBeVisible();
  expect(await page.evaluate(() => (window as unknown as { seen: string[] }).seen)).toEqual([]);
});

test("arrows move the selection and wrap, Enter opens it, the focus stays in the input", async ({
  docs,
  page,
}) => {
  await docs.openHydrated();
  await docs.searchBox.fill("cache");
  await expect(docs.hits().first()).toBeVisible();
  await docs.searchBox.press("ArrowDown");
  await expect(docs.hits().nth(0)).toHaveAttribute("aria-selected", "true");
  await docs.searchBox.press("ArrowDown");
  await expect(docs.hits().nth(1)).toHaveAttribute("aria-selected", "true");
  await expect(docs.searchBox).toHaveAttribute(
    "aria-activedescendant",
    (await docs.hits().nth(1).getAttribute("id")) ?? "-",
  );
  await docs.searchBox.press("ArrowUp");
  await docs.searchBox.press("ArrowUp");
  await expect(docs.hits().last()).toHaveAttribute("aria-selected", "true");
  await docs.searchBox.press("ArrowDown");
  await expect(docs.searchBox).toBeFocused();
  const path = await docs
    .hits()
    .first()
    .evaluate((element) => (element.closest("a") ?? element.querySelector("a"))?.getAttribute("href"));
  await docs.searchBox.press("Enter");
  await expect(page).toHaveURL(path ?? "-");
});

test("Ctrl Enter opens the selected hit in a new tab", async ({ docs, context }) => {
  await docs.openHydrated();
  await docs.searchBox.fill("turborepo");
  await expect(docs.hits().first()).toBeVisible();
  await docs.searchBox.press("ArrowDown");
  const opened = context.waitForEvent("page");
  await docs.searchBox.press("Control+Enter");
  await expect(await opened).toHaveURL(/\/docs\//);
  await expect(docs.searchBox).toHaveValue("turborepo");
});

test("?q= opens the panel with results from the server, and hydration sends no search request", async ({
  docs,
  page,
}) => {
  const bodies = recordSearches(page);
  await docs.openHydrated("/docs?q=turborepo");
  await expect(docs.searchBox).toHaveValue("turborepo");
  await expect(docs.hits().first()).toContainText("/docs/cache/reference/turbo");
  expect(bodies).toEqual([]);
});

test("Back to an address with ?q= shows its results again", async ({ docs, page }) => {
  await docs.openHydrated("/docs/faq");
  await docs.searchBox.fill("turborepo");
  await expect(page).toHaveURL("/docs/faq?q=turborepo");
  await docs.hits().first().click();
  await expect(docs.article).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL("/docs/faq?q=turborepo");
  await expect(docs.searchBox).toHaveValue("turborepo");
  await expect(docs.hits().first()).toBeVisible();
});

test("more results than a page holds can be shown", async ({ docs }) => {
  await docs.openHydrated();
  await docs.searchBox.fill("build");
  await expect(docs.hits()).toHaveCount(20);
  await docs.results.getByRole("button", { name: "Show more results" }).click();
  await expect.poll(() => docs.hits().count()).toBeGreaterThan(20);
});

test.describe("a failing search endpoint", () => {
  // The browser's message about each failed request, the log that the specification wants, and the same error thrown.
  test.use({
    expectedErrors:
      /^Failed to load resource|^Docs search failed: |^uncaught: (boom$|Request to \S+\/multi-search has failed$|Unexpected token '<')/,
  });

  const failures = [
    ["answers 500", { status: 500, json: { message: "boom", code: "internal", type: "internal", link: "" } }],
    ["drops the connection", "abort"],
    ["answers 502 with HTML", { status: 502, contentType: "text/html", body: "<h1>Bad gateway</h1>" }],
  ] as const;

  test("however it fails: the error is logged and raised, the query stays, 'Try again' asks again", async ({
    docs,
    page,
  }) => {
    const logged: string[] = [];
    const raised: string[] = [];
    page.on("console", (message) => message.type() === "error" && logged.push(message.text()));
    page.on("pageerror", (error) => raised.push(error.message));
    for (const [name, fail] of failures)
      await test.step(name, async () => {
        await docs.openHydrated();
        logged.length = raised.length = 0;
        await page.route("**/multi-search", (route) =>
          fail === "abort" ? route.abort() : route.fulfill(fail),
        );
        await docs.searchBox.fill("cache");
        await expect(docs.results.getByRole("alert")).toContainText("Search is not responding");
        await expect(docs.searchBox).toHaveValue("cache");
        await expect.poll(() => logged.length).toBeGreaterThan(0);
        await expect.poll(() => raised.length).toBeGreaterThan(0);
        await page.unroute("**/multi-search");
        await docs.results.getByRole("button", { name: "Try again" }).click();
        await expect(docs.hits().first()).toBeVisible();
        await expect(docs.results.getByRole("alert")).toBeHidden();
      });
  });

  test("the hits of the query before go", async ({ docs, page }) => {
    await docs.openHydrated();
    await docs.searchBox.fill("turborepo");
    await expect(docs.hits().first()).toBeVisible();
    await page.route("**/multi-search", (route) => route.abort());
    await docs.searchBox.fill("registry");
    await expect(docs.results.getByRole("alert")).toContainText("Search is not responding");
    await expect(docs.hits()).toHaveCount(0);
    await expect(docs.results).toContainText("Search failed for registry");
    await expect(docs.searchBox).toHaveValue("registry");
  });

  test("the hits above a further page that fails stay, and 'Try again' appends it", async ({
    docs,
    page,
  }) => {
    await docs.openHydrated();
    await docs.searchBox.fill("build");
    await expect(docs.hits()).toHaveCount(20);
    await page.route("**/multi-search", (route) => route.abort());
    await docs.results.getByRole("button", { name: "Show more results" }).click();
    await expect(docs.results.getByRole("alert")).toBeVisible();
    await expect(docs.hits()).toHaveCount(20);
    await page.unroute("**/multi-search");
    await docs.results.getByRole("button", { name: "Try again" }).click();
    await expect.poll(() => docs.hits().count()).toBeGreaterThan(20);
  });

  test("the page around it keeps working", async ({ docs, page }) => {
    await docs.openHydrated();
    await page.route("**/multi-search", (route) => route.abort());
    await docs.searchBox.fill("cache");
    await expect(docs.results.getByRole("alert")).toBeVisible();
    await docs.link("FAQs").click();
    await expect(page).toHaveURL("/docs/faq");
    await expect(docs.article).toBeVisible();
  });
});

test("an answer to an older query never replaces the newer one's", async ({ docs, page }) => {
  await docs.openHydrated();
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  const isOlder = (request: Request) => request.postData()?.includes('"q":"registry"') ?? false;
  const lateAnswer = whenOver(page, isOlder);
  await page.route("**/multi-search", async (route) => {
    if (isOlder(route.request())) await held;
    await route.continue().catch(() => {});
  });
  await docs.searchBox.fill("registry");
  await page.waitForRequest(isOlder);
  await docs.searchBox.fill("turborepo");
  await expect(docs.hits().first()).toContainText("/docs/cache/reference/turbo");
  release();
  await lateAnswer;
  await drawFrames(page);
  await expect(docs.hits().first()).toContainText("/docs/cache/reference/turbo");
  await expect(page).toHaveURL("/docs?q=turborepo");
});
