import type { TestType } from "@playwright/test";
import { expect, type DocsPage } from "../fixtures.ts";

interface Fixtures {
  docs: DocsPage;
}

/** A reader's view of the search, with any provider. */
// Each provider's file extends the fixtures by its own; only `docs` is used here.
export function testSearchBehaviours<Own extends Fixtures>(test: TestType<Own, object>): void {
  test("typing lists hits with the matches marked; a hit opens its page", async ({ docs }) => {
    await docs.openHydrated();
    await docs.searchBox.pressSequentially("layer cac");
    await expect(docs.hits().first()).toBeVisible();
    await expect(docs.results.locator("mark").first()).toHaveText(/^(layer|cac)/i);
    await expect(docs.article).toBeHidden();
    await docs.searchBox.press("ArrowDown");
    await docs.searchBox.press("Enter");
    await expect(docs.page).toHaveURL(/\/docs[^?]*$/);
    await expect(docs.article).toBeVisible();
    await expect(docs.searchBox).toHaveValue("");
  });

  test("more results than a page holds can be shown, none of them twice", async ({ docs }) => {
    await docs.openHydrated();
    await docs.searchBox.fill("token");
    await expect(docs.hits()).toHaveCount(20);
    await docs.results.getByRole("button", { name: "Show more results" }).click();
    await expect.poll(() => docs.hits().count()).toBeGreaterThan(20);
    const links = await docs
      .hits()
      .evaluateAll((hits) => hits.map((hit) => `${hit.getAttribute("href")} ${hit.textContent}`));
    expect(links.filter((link, at) => links.indexOf(link) !== at)).toEqual([]);
  });

  test("no hits: it says so, with the query and links to start from", async ({ docs }) => {
    await docs.openHydrated();
    await docs.searchBox.fill("zzqqxxyy");
    await expect(docs.results).toContainText("No results found");
    await expect(docs.results).toContainText("zzqqxxyy");
    expect(await docs.results.getByRole("link").count()).toBeGreaterThan(0);
  });

  test("filters count, narrow and widen the results, and lead from none back to all", async ({ docs }) => {
    const status = docs.results.getByRole("status");
    const filter = (name: string | RegExp) => docs.results.getByRole("listitem").getByRole("link", { name });
    await docs.openHydrated();
    await docs.searchBox.fill("registry");
    await expect(docs.hits().first()).toBeVisible();
    await docs.results.getByText("Filter", { exact: true }).click();
    for (const name of ["CLI", "Code"]) {
      const link = filter(new RegExp(`^${name} \\d+ result`));
      await link.click();
      await expect(link).toHaveAttribute("aria-current", "true");
      // Counts of the other facet follow a moment later.
      const promised = async () => Number(/\d+/.exec((await link.textContent()) ?? "")?.[0]);
      const shown = async () => parseInt((await status.textContent()) ?? "", 10);
      await expect.poll(async () => (await promised()) - (await shown())).toBe(0);
      expect(await shown()).toBeGreaterThan(0);
    }
    await expect(docs.page).toHaveURL("/docs?q=registry&section=CLI&kind=code");
    for (const label of await docs.hits().locator(".hit-lvl0").allTextContents()) expect(label).toBe("CLI");
    await docs.results.getByRole("link", { name: "Clear filters" }).click();
    await expect(docs.page).toHaveURL("/docs?q=registry");
  });

  test("?q= arrives with results from the server", async ({ docs }) => {
    const response = await docs.page.request.get("/docs?q=layer+cache");
    expect(response.status()).toBe(200);
    const html = await response.text();
    expect(html.split('<li class="hit">').length).toBeGreaterThan(5);
    expect(html.includes("<mark>cache</mark>")).toBe(true);
    await docs.openHydrated("/docs?q=layer+cache");
    await expect(docs.searchBox).toHaveValue("layer cache");
    await expect(docs.hits().first()).toBeVisible();
  });
}

/** Stops the service and restores it while a reader searches. */
export async function expectFailureAndRecovery(
  docs: DocsPage,
  service: { stop: () => void | Promise<void>; start: () => void | Promise<void> },
): Promise<void> {
  await docs.openHydrated();
  await docs.searchBox.fill("registry");
  await expect(docs.hits().first()).toBeVisible();
  await service.stop();
  await docs.searchBox.fill("sandbox");
  await expect(docs.results.getByRole("alert")).toContainText("Search is not responding");
  await expect(docs.searchBox).toHaveValue("sandbox");
  await service.start();
  await docs.results.getByRole("button", { name: "Try again" }).click();
  await expect(docs.hits().first()).toBeVisible();
  await expect(docs.results.locator("mark").first()).toHaveText(/sandbox/i);
}
