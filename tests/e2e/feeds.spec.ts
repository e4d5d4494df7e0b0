/**
 * Metadata of pages for browsers, feed readers and search engines:
 * 1. A page names the feed of its section, which a browser reads as XML, with the page in it; addresses are on this
 *    site.
 * 2. OpenSearch: every page names the description, whose address shows results for the typed words.
 * 3. Each page has one canonical address, its own, and says its language; a site in one language names no others.
 */
import { expect, origin, test } from "./fixtures.ts";

test("1. feeds, 2. OpenSearch, 3. canonical", async ({ page, request }) => {
  const path = "/docs/cache/reference/turbo";
  await page.goto(`${path}?from=elsewhere`);
  /** The text of elements of a file, as a browser's XML parser sees them. */
  const readXml = async (address: string, selector: string) => {
    const response = await request.get(address);
    expect(response.status(), address).toBe(200);
    const xml = await response.text();
    const type = response.headers()["content-type"] ?? "";
    const texts = await page.evaluate(
      ([text, wanted]) => {
        const document = new DOMParser().parseFromString(text ?? "", "application/xml");
        if (document.querySelector("parsererror")) throw new Error(text?.slice(0, 500));
        return [...document.querySelectorAll(wanted ?? "")].map(
          (each) => each.getAttribute("template") ?? each.textContent,
        );
      },
      [xml, selector],
    );
    return { type, texts };
  };
  const linked = async (selector: string) => (await page.locator(selector).getAttribute("href")) ?? "";

  await test.step("1. feeds", async () => {
    const address = await linked('head link[type="application/atom+xml"]');
    expect(address).toBe("/docs/cache.atom");
    const feed = await readXml(address, "entry > id");
    expect(feed.type).toContain("application/atom+xml");
    expect((await readXml(address, "feed > title")).texts).toEqual(["Millrace docs: Cache"]);
    expect(feed.texts).toContain(origin + path);
    for (const id of feed.texts) expect(id).toMatch(new RegExp(`^${origin}/docs/cache/`));
    const all = await readXml("/docs.atom", "entry > id");
    expect(all.texts.length).toBeGreaterThan(feed.texts.length);
  });

  await test.step("2. OpenSearch", async () => {
    const { texts } = await readXml(await linked('head link[rel="search"]'), 'Url[type="text/html"]');
    expect(texts).toEqual([`${origin}/docs?q={searchTerms}`]);
    const found = await request.get((texts[0] ?? "").replace("{searchTerms}", "layer%20cache"));
    expect(await found.text()).toContain("Search results");
  });

  await test.step("3. canonical", async () => {
    expect(await linked('head link[rel="canonical"]')).toBe(origin + path);
    await expect(page.locator("html")).toHaveAttribute("lang", "en");
    await expect(page.locator("head link[hreflang]")).toHaveCount(0);
    const { texts } = await readXml("/sitemap.xml", "loc");
    expect(texts).toContain(origin + path);
  });
});
