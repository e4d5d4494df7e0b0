/**
 * Metadata of pages for previews and search engines. Every page of the sitemap:
 * 1. names one image of its own, for Open Graph and for Twitter's card, on this host: a PNG of 1200 x 630 below 60 KB
 *    that may be cached forever; with its size and alternative text. 2. No page loads it.
 * 3. has structured data of known types with the properties that each needs, and addresses that answer.
 * 4. A crumb trail gives the path to the page and ends with it. 5. The home page names site, publisher and
 *    search.
 * 6. Manifest and icons exist; theme colours are those of the header.
 */
import { expect, origin, test } from "./fixtures.ts";

interface Thing {
  "@type": string;
  [property: string]: unknown;
}

/** Properties that each type needs (schema.org; for crumbs and articles also what search engines document). */
const needed: { [type: string]: string[] } = {
  TechArticle: ["headline", "image"],
  BreadcrumbList: ["itemListElement"],
  WebSite: ["name", "url", "description", "potentialAction"],
  Organization: ["name", "url", "logo"],
  SoftwareApplication: [
    "name",
    "description",
    "url",
    "applicationCategory",
    "operatingSystem",
    "creativeWorkStatus",
  ],
  WebPage: ["name", "url"],
  Blog: ["name", "url", "blogPost"],
};

const attribute = (html: string, pattern: RegExp) =>
  [...html.matchAll(pattern)].map(
    ([, value]) => value?.replaceAll("&amp;", "&").replaceAll("&#x27;", "'") ?? "",
  );
const metaOf = (html: string, name: string) =>
  attribute(html, new RegExp(`<meta (?:property|name)="${name}" content="([^"]*)"`, "g"));

function thingsOf(html: string): Thing[] {
  const blocks = attribute(html, /<script type="application\/ld\+json">(.*?)<\/script>/gs);
  expect(blocks).toHaveLength(1);
  const data = JSON.parse(blocks[0] ?? "") as Thing & { "@graph"?: Thing[] };
  expect(data["@context"]).toBe("https://schema.org");
  return data["@graph"] ?? [data];
}

let pages: { path: string; html: string }[] = [];
test.beforeAll(async ({ request }) => {
  const sitemap = await (await request.get("/sitemap.xml")).text();
  const paths = attribute(sitemap, /<loc>([^<]+)<\/loc>/g).map((url) => new URL(url).pathname);
  pages = await Promise.all(
    paths.map(async (path) => ({ path, html: await (await request.get(path)).text() })),
  );
  expect(pages.length).toBeGreaterThan(70);
});

test("1. every page has a preview image of its own", async ({ request }) => {
  const images = new Set<string>();
  for (const { path, html } of pages) {
    const [image, ...more] = metaOf(html, "og:image");
    expect(more).toEqual([]);
    expect(metaOf(html, "twitter:image"), path).toEqual([image]);
    expect(metaOf(html, "twitter:card"), path).toEqual(["summary_large_image"]);
    expect(metaOf(html, "og:image:width").concat(metaOf(html, "og:image:height"))).toEqual(["1200", "630"]);
    expect(metaOf(html, "og:image:alt")[0]?.length, path).toBeGreaterThan(3);
    expect(image, path).toMatch(new RegExp(`^${origin}/assets/og/`));
    images.add(image ?? "");
  }
  expect(images.size).toBe(pages.length);
  for (const image of images) {
    const response = await request.get(image);
    expect(response.headers()["content-type"], image).toBe("image/png");
    expect(response.headers()["cache-control"]).toContain("immutable");
    const bytes = await response.body();
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1200, 630]);
    expect(bytes.length).toBeLessThan(60_000);
  }
});

for (const path of ["/", "/docs/cache/overview"])
  test(`2. ${path} does not load its preview image`, async ({ page }) => {
    const requests: string[] = [];
    page.on("request", (request) => requests.push(new URL(request.url()).pathname));
    await page.goto(path, { waitUntil: "networkidle" });
    expect(requests.filter((each) => each.startsWith("/assets/og/"))).toEqual([]);
  });

test("3. structured data has what its types need, and leads to pages that exist", async ({ request }) => {
  const addresses = new Set<string>();
  for (const { path, html } of pages) {
    for (const thing of thingsOf(html)) {
      const properties = needed[thing["@type"]];
      expect(properties, `${path}: ${thing["@type"]}`).toBeDefined();
      for (const property of properties ?? []) expect(thing[property], `${path}: ${property}`).toBeTruthy();
      // No offer and no rating, because nothing is sold or rated.
      expect(Object.keys(thing)).not.toEqual(expect.arrayContaining(["offers", "aggregateRating", "review"]));
    }
    for (const url of attribute(JSON.stringify(thingsOf(html)), /"(https?:[^"#]+)(?:#[^"]*)?"/g))
      if (!url.includes("{") && !url.startsWith("https://schema.org")) addresses.add(url);
  }
  for (const url of addresses) {
    expect(url).toMatch(new RegExp(`^${origin}/`));
    expect((await request.get(url)).status(), url).toBe(200);
  }
});

test("4. the crumb trail is the one that readers see, and ends with the page", () => {
  for (const { path, html } of pages) {
    const shown = /<nav class="crumbs".*?<\/nav>/s.exec(html)?.[0].match(/<li/g)?.length ?? 0;
    const trail = thingsOf(html).find((thing) => thing["@type"] === "BreadcrumbList");
    const isTop = path === "/" || (/^(?:\/de)?\/docs/.test(path) && shown < 2);
    expect(trail === undefined, path).toBe(isTop);
    const items = (trail?.["itemListElement"] ?? []) as { position: number; name: string; item?: string }[];
    expect(items.map(({ position }) => position)).toEqual(items.map((_, i) => i + 1));
    for (const { name, item } of items)
      expect([name, item], path).toEqual([expect.stringMatching(/./), expect.any(String)]);
    if (!isTop) expect(items.at(-1)?.item).toBe(origin + path);
  }
});

test("5. the home page names site, publisher and search", () => {
  const html = pages.find(({ path }) => path === "/")?.html ?? "";
  expect(thingsOf(html)).toMatchObject([
    {
      "@type": "WebSite",
      name: "Millrace",
      potentialAction: { "@type": "SearchAction", target: `${origin}/docs?q={search_term_string}` },
    },
    { "@type": "Organization", name: "Millrace", logo: `${origin}/icon-512.png` },
  ]);
});

test("6. title, description, manifest, icons, theme colours", async ({ page, request }) => {
  await page.goto("/");
  await expect(page).toHaveTitle("Millrace: build infrastructure that you host");
  await expect(page.locator('meta[name="description"]')).toHaveAttribute("content", /.{50,170}/);
  const manifest = (await (await request.get("/site.webmanifest")).json()) as { icons: { src: string }[] };
  for (const icon of manifest.icons) expect((await request.get(icon.src)).status(), icon.src).toBe(200);
  const icons = await page
    .locator("link[rel~='icon'], link[rel='apple-touch-icon']")
    .evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? ""));
  expect(icons).toHaveLength(2);
  for (const icon of icons) expect((await request.get(icon)).status(), icon).toBe(200);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.goto("/");
    const declared = page.locator(`meta[name="theme-color"][media*="${colorScheme}"]`);
    const header = await page.getByRole("banner").evaluate((element) => {
      const canvas = document.createElement("canvas").getContext("2d");
      if (!canvas) throw new Error("no canvas");
      canvas.fillStyle = getComputedStyle(element).getPropertyValue("--color-bg");
      return canvas.fillStyle;
    });
    await expect(declared).toHaveAttribute("content", header);
  }
});
