/** The specification's section 2, "Docs layout", at desktop and phone width. */
import { expect, origin, test } from "./fixtures.ts";
import { overflowOf } from "./overflow.ts";

test("the layout shows header, bar, search box, tree, content, footer and notices, in this order", async ({
  docs,
  page,
}) => {
  await docs.open("/docs/cache/overview");
  const parts = [
    page.getByRole("banner"),
    page.getByText("Documentation", { exact: true }).first(),
    docs.searchBox,
    page.locator("#sidebar"),
    docs.article,
    page.getByRole("contentinfo"),
    page.getByRole("region", { name: "Notices" }),
  ];
  const positions = await Promise.all(
    parts.map((part) => part.evaluate((element) => [...document.querySelectorAll("*")].indexOf(element))),
  );
  expect(positions).toEqual([...positions].sort((a, b) => a - b));
  expect(positions.every((position) => position >= 0)).toBe(true);
});

test(
  "og:image and twitter:image both point to a docs preview image on {host}",
  { tag: "@one-width" },
  async ({ docs, page, request }) => {
    await docs.open("/docs/cache/overview");
    const images = await page
      .locator('meta[property="og:image"], meta[name="twitter:image"]')
      .evaluateAll((metas) => metas.map((meta) => meta.getAttribute("content")));
    expect(images).toHaveLength(2);
    expect(images[0]).toMatch(new RegExp(`^${origin}/assets/og/\\w+\\.png$`));
    expect(images[1]).toBe(images[0]);
    const image = await request.get(images[0] ?? "");
    expect(image.status()).toBe(200);
    expect(image.headers()["content-type"]).toBe("image/png");
  },
);

test("the header's link says that it is the page, or that the page is below it", async ({ docs, page }) => {
  for (const [path, state] of [
    ["/docs", "page"],
    ["/docs/cache/overview", "true"],
  ] as const) {
    await docs.open(path);
    for (const link of await page.locator('.site-nav a[href="/docs"], .site-menu a[href="/docs"]').all())
      await expect(link, path).toHaveAttribute("aria-current", state);
  }
});

test(
  "a page has a title, a description, a canonical address and one h1",
  { tag: "@one-width" },
  async ({ docs, page }) => {
    await docs.open("/docs/cache/overview");
    await expect(page).toHaveTitle(/.+ – Millrace docs$/);
    await expect(page.locator('meta[name="description"]')).toHaveAttribute("content", /.{50,}/);
    await expect(page.locator('link[rel="canonical"]')).toHaveAttribute(
      "href",
      `${origin}/docs/cache/overview`,
    );
    await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
  },
);

test(
  "the title follows a client navigation, and the new page starts at its top",
  { tag: "@one-width" },
  async ({ docs, page }) => {
    await docs.openHydrated("/docs/cli/reference");
    await page.evaluate(() => scrollTo(0, 600));
    await page.getByRole("navigation", { name: "Pagination" }).getByRole("link").last().click();
    await expect(page).not.toHaveURL(/cli\/reference/);
    await expect(page).toHaveTitle(/ – Millrace docs$/);
    await expect(page).not.toHaveTitle(/CLI reference/i);
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
  },
);

test(
  "{{origin}} and {{host}} are the site's own in text and code",
  { tag: "@one-width" },
  async ({ docs }) => {
    await docs.open("/docs/cache/reference/turbo");
    await expect(docs.article).toContainText(`${origin}/cache/turbo`);
    await expect(docs.article).not.toContainText(/\{\{(origin|host|sprite)\}\}/);
  },
);

test.describe("a page that does not exist", () => {
  test.use({ expectedErrors: /status of 404/ });

  test("answers 404 inside the docs, with the tree and a search that works", async ({ docs, page }) => {
    const response = await page.goto("/docs/no-such-page");
    expect(response?.status()).toBe(404);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Page not found");
    await expect(page.locator(".tree a").first()).toBeAttached();
    await docs.hydrate();
    await docs.searchBox.fill("turborepo");
    await expect(docs.hits().first()).toContainText("/docs/cache/reference/turbo");
  });

  for (const javaScriptEnabled of [true, false])
    test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
      test.use({ javaScriptEnabled });
      test(
        "suggests the nearest pages and a search for its words",
        { tag: "@one-width" },
        async ({ docs, page }) => {
          await page.goto("/docs/container-builds/docker-compsoe");
          if (javaScriptEnabled) await docs.hydrate();
          const nearest = docs.article
            .getByRole("list", { name: "Nearest to this address" })
            .getByRole("link");
          await expect(nearest.first()).toHaveAttribute(
            "href",
            "/docs/container-builds/how-to-guides/docker-compose",
          );
          expect(await nearest.count()).toBeLessThanOrEqual(5);
          await docs.article
            .getByRole("link", { name: "Search for “container builds docker compsoe”" })
            .click();
          await expect(page).toHaveURL("/docs?q=container+builds+docker+compsoe");
          await expect(docs.searchBox).toHaveValue("container builds docker compsoe");
          await expect(docs.results).toContainText("/docs/container-builds/how-to-guides/docker-compose");
        },
      );
    });

  test("a hostile address is not part of the page", { tag: "@one-width" }, async ({ docs, page }) => {
    await page.goto(`/docs/${encodeURIComponent('"><img src=x onerror=alert(1)>')}`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Page not found");
    await expect(docs.article.locator("img")).toHaveCount(0);
    await docs.hydrate();
    await expect(docs.article.getByRole("link", { name: "Search for “" })).toHaveAttribute(
      "href",
      "/docs?q=img+src+x+onerror+alert+1",
    );
  });
});

test("nothing scrolls sideways", async ({ docs, page }) => {
  for (const path of [
    "/docs",
    "/docs/cli/reference",
    "/docs/container-builds/overview",
    "/docs/cache/overview?q=cache",
  ]) {
    await docs.open(path);
    await expect.poll(() => overflowOf(page), path).toBeLessThanOrEqual(0);
  }
});

test(
  "Copy as Markdown copies the page, and says so",
  { tag: "@one-width" },
  async ({ docs, page, context }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await docs.openHydrated("/docs/cache/overview");
    await page.getByRole("button", { name: "Copy as Markdown" }).first().click();
    await expect(page.getByRole("button", { name: "Copied" }).first()).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^# .+\n/);
  },
);

test(
  "the page's Markdown is at its own address and by content negotiation",
  { tag: "@one-width" },
  async ({ request }) => {
    const file = await request.get("/docs/cache/overview.md");
    expect(file.headers()["content-type"]).toBe("text/markdown; charset=utf-8");
    const negotiated = await request.get("/docs/cache/overview", { headers: { accept: "text/markdown" } });
    expect(await negotiated.text()).toBe(await file.text());
    expect(await file.text()).toContain(`Source: ${origin}/docs/cache/overview`);
  },
);

test("copying code leaves out prompts and output", { tag: "@one-width" }, async ({ docs, page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await docs.open("/docs/container-builds/quickstart");
  const block = docs.article.locator("figure.code", { has: page.locator(".prompt") }).first();
  await block.hover();
  await block.getByRole("button", { name: /Copy/ }).click();
  const read = () => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(async () => (await read()).length).toBeGreaterThan(3);
  expect(await read()).not.toMatch(/^\$ /m);
});

test(
  "the theme follows the system until it is chosen, and the choice is remembered",
  { tag: "@one-width" },
  async ({ docs, page }) => {
    await page.emulateMedia({ colorScheme: "dark" });
    await docs.open();
    await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
    await page.getByRole("button", { name: "Switch to light theme" }).click();
    await expect(page.locator("html")).toHaveAttribute("data-theme", "light");
    await docs.open("/docs/faq");
    await expect(page.locator("html")).toHaveAttribute("data-theme", "light");
    await expect(page.getByRole("button", { name: "Switch to dark theme" })).toBeVisible();
  },
);

test("the skip link is first and leads to the content", async ({ docs, page }) => {
  await docs.open();
  await page.keyboard.press("Tab");
  const skip = page.getByRole("link", { name: "Skip to content" });
  await expect(skip).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/#content$/);
});
