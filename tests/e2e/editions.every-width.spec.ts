/**
 * The German edition (decision 069).
 * 1. A translated page names its other language: a link that works without a script, and `hreflang` in both.
 * 2. The German page is declared German, what is not translated English; a section without a translation is in English with a
 *    mark. Anchors are the English ones. axe finds nothing, in both themes.
 * 3. A page that is not translated leads to the English one; an edition that does not exist, to a page with suggestions.
 * 4. Searching from a German page finds German pages, and English ones for the rest; a hit opens as a document of its own.
 * 5. The Markdown form is German, and the sitemap names both addresses.
 */
import { expectAccessible } from "./axe.ts";
import { expect, test } from "./fixtures.ts";

const QUICKSTART = "/de/docs/container-builds/quickstart";
const ENGLISH = "/docs/container-builds/quickstart";

test.describe("without a script", () => {
  test.use({ javaScriptEnabled: false });

  test("1. each language leads to the other", async ({ page }) => {
    await page.goto(ENGLISH);
    const german = page.getByRole("link", { name: "Deutsch" });
    await expect(german).toHaveAttribute("hreflang", "de");
    await expect(german).toHaveAttribute("lang", "de");
    await german.click();
    await expect(page).toHaveURL(QUICKSTART);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Schnellstart: Ihr erstes Image bauen");
    await page.getByRole("link", { name: "English" }).click();
    await expect(page).toHaveURL(ENGLISH);
  });

  test("1. and says so to search engines", { tag: "@one-width" }, async ({ page }) => {
    for (const path of [ENGLISH, QUICKSTART]) {
      await page.goto(path);
      await expect(page.locator("link[rel=canonical]")).toHaveAttribute("href", new RegExp(`${path}$`));
      for (const [language, to] of [
        ["x-default", ENGLISH],
        ["en", ENGLISH],
        ["de", QUICKSTART],
      ] as const)
        await expect(page.locator(`link[hreflang="${language}"]`)).toHaveAttribute(
          "href",
          new RegExp(`[^e]${to}$`),
        );
    }
    await page.goto("/docs/faq");
    await expect(page.locator("link[hreflang]")).toHaveCount(0);
    await expect(page.getByRole("link", { name: "Deutsch" })).toHaveCount(0);
  });

  test("4. results are rendered on the server", { tag: "@one-width" }, async ({ docs, page }) => {
    await page.goto(QUICKSTART);
    const box = page.getByRole("combobox", { name: "Dokumentation durchsuchen" });
    await box.fill("Vertrauensbeziehungen");
    await box.press("Enter");
    await expect(page).toHaveURL(`${QUICKSTART}?q=Vertrauensbeziehungen`);
    await expect(docs.results.getByRole("listitem").first()).toContainText("/de/docs/core-concepts");
  });
});

test("2. languages are declared, and a section falls back with a mark", async ({ docs, page }) => {
  await docs.openHydrated("/de/docs/cli/installation");
  const html = page.locator("html");
  await expect(html).toHaveAttribute("lang", "de");
  await expect(page.locator("body")).toHaveAttribute("lang", "en");
  await expect(page.getByRole("article")).toHaveAttribute("lang", "de");
  const section = page.getByRole("heading", { name: "Turn on completion" });
  await expect(section).toHaveAttribute("lang", "en");
  await expect(section).toHaveAttribute("id", "turn-on-completion");
  await expect(page.locator("#turn-on-completion + p")).toHaveText("Noch nicht übersetzt.");
  await expect(page.locator("#say-which-server")).toContainText("Den Server nennen");
  for (const name of ["War diese Seite hilfreich?", "Auf dieser Seite"])
    await expect(page.getByText(name).first()).toBeAttached();
  await expect(page.getByRole("button", { name: "Code kopieren" }).first()).toBeAttached();
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page, { withColours: true });
  }
});

test("3. what is not there leads on", { tag: "@one-width" }, async ({ request }) => {
  const answer = await request.get("/de/docs/faq?x=1", { maxRedirects: 0 });
  expect(answer.status()).toBe(302);
  expect(answer.headers()["location"]).toBe("/docs/faq?x=1");
  expect((await request.get("/de/docs/faq.md", { maxRedirects: 0 })).headers()["location"]).toBe(
    "/docs/faq.md",
  );
  expect((await request.get("/DE/docs/core-concepts", { maxRedirects: 0 })).headers()["location"]).toBe(
    "/de/docs/core-concepts",
  );
  for (const path of ["/de/docs/nope", "/xx/docs/faq", "/9.9/docs/faq"]) {
    expect((await request.get(path)).status(), path).toBe(404);
    expect((await request.get(`${path}.data`)).status(), path).toBe(404);
  }
  expect(await (await request.get("/9.9/docs/faq")).text()).toContain('href="/docs/faq"');
});

test("4. a search finds German pages first, and opens them", async ({ docs, page }) => {
  await docs.openHydrated(QUICKSTART);
  const box = page.getByRole("combobox", { name: "Dokumentation durchsuchen" });
  await box.fill("loeschen");
  const first = docs.hits().first();
  await expect(first).toHaveAttribute("href", /^\/de\/docs\//);
  await box.fill("Terraform");
  await expect(first).toHaveAttribute("href", /^\/docs\//);
  await box.fill("Vertrauensbeziehung");
  await expect(first).toHaveAttribute("href", /^\/de\/docs\/core-concepts#trust-relationship/);
  await box.press("ArrowDown");
  await box.press("Enter");
  await expect(page).toHaveURL(/\/de\/docs\/core-concepts#trust-relationship/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Grundbegriffe");
});

test("5. Markdown and sitemap", { tag: "@one-width" }, async ({ request }) => {
  const markdown = await request.get(`${QUICKSTART}.md`);
  expect(await markdown.text()).toContain("# Schnellstart: Ihr erstes Image bauen");
  const negotiated = await request.get(QUICKSTART, { headers: { accept: "text/markdown" } });
  expect(await negotiated.text()).toBe(await markdown.text());
  const sitemap = await (await request.get("/sitemap.xml")).text();
  for (const path of [ENGLISH, QUICKSTART])
    expect(sitemap).toMatch(new RegExp(`<loc>[^<]*[^e]${path}</loc>`));
  expect(await (await request.get("/llms.txt")).text()).not.toContain("/de/docs");
});
