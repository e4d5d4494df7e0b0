/**
 * "Explain a search", on a server with people and the site's own index.
 * 1. The hits are those that readers get, in their order; each says which words matched and how, what each rule gave it
 *    (the parts add up to the score) and the indexed text. 2. By keyboard; the query is in the address; it is not
 *    counted as a search.
 * 3. Free of axe's findings in both themes; fits 390 px and 320 px. 4. A search without hits says so. 5. Members get
 *    nothing.
 * 6. A synonym is tried before it is saved: the site's own index with and without it, side by side; trying writes nothing.
 */
import { expect, test } from "./acme.ts";
import { expectAccessible } from "./axe.ts";
import { overflowOf } from "./overflow.ts";

test("1, 2, 3, 4. an owner", async ({ acme, page }) => {
  await page.goto(`${acme.origin}/console/searches`);
  await page
    .getByRole("navigation", { name: "Main" })
    .getByRole("link", { name: "Explain a search" })
    .click();
  await page.getByRole("searchbox", { name: "A reader's search" }).fill("cachng build tools");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/console\/explain\?q=cachng\+build\+tools$/);
  await expect(page.getByText(/^The first 20 of \d+ hits, in the readers' order\.$/)).toBeVisible();

  const readers = await page.request.post(`${acme.origin}/multi-search`, {
    data: { queries: [{ indexUid: "docs", q: "cachng build tools", limit: 21 }] },
  });
  const { results } = (await readers.json()) as { results: { hits: { url: string }[] }[] };
  const paths = results[0]?.hits.slice(0, 20).map(({ url }) => new URL(url).pathname + new URL(url).hash);
  await expect(page.locator(".explained > li > details > summary .mono")).toHaveText(paths ?? []);

  const first = page
    .getByRole("listitem")
    .filter({ hasText: paths?.[0] ?? "" })
    .first();
  await expect(first.getByText(/1 typo in “cachng”/).first()).toBeVisible();
  const rules = first.getByRole("table", { name: "Ranking rules of hit 1" });
  await expect(rules.getByRole("rowheader")).toHaveCount(7);
  const adds = await rules.getByRole("row").locator("td:last-child").allTextContents();
  const score = Number((await first.locator("summary .number").first().textContent())?.replace("Score ", ""));
  const sum = adds.reduce((all, text) => all + Number(text), 0);
  // Seven figures of three decimals.
  expect(Math.abs(sum - score)).toBeLessThan(0.0045);
  await first.getByText("The record as it is indexed").focus();
  await page.keyboard.press("Enter");
  await expect(first.getByText("hierarchy_lvl1", { exact: true })).toBeVisible();

  await expectAccessible(page);
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 844 });
    await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0);
  }
  await page.goto(`${acme.origin}/console/explain?q=xqzvwk`);
  await expect(page.getByRole("heading", { name: "Nothing was found" })).toBeVisible();
});

test("6. trying a synonym", async ({ acme, page }) => {
  test.setTimeout(60_000);
  const query = "xqzvwk";
  const row = {
    query,
    count: 9,
    withoutHits: 9,
    measured: 0,
    clicks: 0,
    meanPosition: null,
    lastDay: Date.now(),
  };
  await page.route("**/console/api/searches?*", (route) => route.fulfill({ json: [row] }));
  await page.goto(`${acme.origin}/console/searches?kind=no-hits&do=${query}`);
  const dialog = page.getByRole("dialog", { name: "Add a synonym" });
  await dialog.getByLabel("Means the same as").fill("caching build tools");
  await dialog.getByRole("button", { name: "Try it" }).click();
  const after = dialog.getByRole("region", { name: "After" });
  await expect(after.getByRole("listitem").first()).toContainText("Caching build tools", { timeout: 30_000 });
  await expect(after.getByText("new").first()).toBeVisible();
  await expect(dialog.getByRole("region", { name: "Before" })).toContainText("Nothing found.");
  await expectAccessible(page);
  await page.setViewportSize({ width: 320, height: 844 });
  await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0);
  const still = await page.request.get(`${acme.origin}/console/api/explain?q=${query}`);
  expect(await still.json()).toMatchObject({ hits: [] });
});

test.describe("a member", () => {
  test.use({ as: "ben" });

  test("5. gets nothing", async ({ acme, page }) => {
    const answer = await page.request.get(`${acme.origin}/console/api/explain?q=cache`);
    expect([answer.status(), await answer.json()]).toEqual([
      403,
      expect.objectContaining({ code: "permission_denied" }),
    ]);
  });
});
