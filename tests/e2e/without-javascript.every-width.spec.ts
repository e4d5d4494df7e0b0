/** Pages, tree and results without JavaScript. */
import { expect, test } from "./fixtures.ts";

test.use({ javaScriptEnabled: false });

test("the page and its tree are there, every section open, and links work", async ({ docs, page }, info) => {
  await docs.open("/docs/cache/overview");
  await expect(docs.article).toBeVisible();
  await expect(docs.tree.locator("a").first()).toBeAttached();
  if (info.project.name === "desktop") {
    await expect(docs.tree.locator('a[href="/docs/registry/overview"]')).toBeVisible();
    await docs.tree.locator('a[href="/docs/registry/overview"]').click();
  } else {
    await page
      .getByRole("link", { name: "Documentation" })
      .or(page.locator("summary", { hasText: "Documentation" }))
      .first()
      .click();
    await docs.tree.locator('a[href="/docs/registry/overview"]').click();
  }
  await expect(page).toHaveURL("/docs/registry/overview");
});

test("submitting the search box renders ?q= on the server", async ({ docs, page }) => {
  await docs.open("/docs/faq");
  await docs.searchBox.fill("turborepo");
  await docs.searchBox.press("Enter");
  await expect(page).toHaveURL(/\/docs\/faq\?q=turborepo$/);
  await expect(docs.searchBox).toHaveValue("turborepo");
  await expect(docs.results.getByRole("listitem").first()).toContainText("/docs/cache/reference/turbo");
  await expect(docs.article).toBeHidden();
});

test(
  "a hit shows why it matched: a row with its columns, code as code",
  { tag: "@one-width" },
  async ({ docs }) => {
    await docs.open("/docs?q=--save-tag");
    const hits = docs.results.getByRole("listitem");
    await expect(hits.first()).toContainText(/Flag\s*--save-tag.*Description\s*Keep the image/s);
    await expect(hits.getByRole("code").locator("mark").first()).toBeVisible();
  },
);

test("a query without results says so", { tag: "@one-width" }, async ({ docs }) => {
  await docs.open("/docs?q=xqzvwkjy");
  await expect(docs.results.getByText("No results found")).toBeVisible();
});

test("a query with markup is text", { tag: "@one-width" }, async ({ docs, page }) => {
  await docs.open(`/docs?q=${encodeURIComponent('"><script>document.title="x"</script>')}`);
  await expect(docs.searchBox).toHaveValue('"><script>document.title="x"</script>');
  await expect(page).toHaveTitle(/Millrace docs$/);
});
