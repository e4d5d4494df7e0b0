/**
 * Specification, section 1, "Marketing area", and the pages that show it:
 * 1. The SOC badge with a link that names the auditing body's site, and the acknowledgement of public funding.
 * 2. Logo walls, two of whose logos are pictures inside the page.
 * 3. The home page: each product with its artefact, links that exist; pictures of the app in the page's theme. 4. Product pages, each with its own demonstration.
 * 5. Trust: contact, security.txt, data flow, responsibilities. 6. The changelog and its feed.
 */
import type { Page } from "@playwright/test";
import { productPaths as productPages } from "#site/marketing/paths.ts";
import { expect, test } from "./fixtures.ts";

/** Home page and trust. */
async function expectBadges(page: Page) {
  const main = page.getByRole("main");
  await expect(main.getByRole("img", { name: /^SOC for Service Organizations/ })).toBeVisible();
  const link = main.getByRole("link", { name: /auditing body’s site, aicpa-cima\.com/ });
  await expect(link).toHaveAttribute("href", /^https:\/\/www\.aicpa-cima\.com\//);
  await expect(main.getByRole("img", { name: /^Co-funded by/ })).toBeVisible();
  await expect(main.getByText("A sample badge.")).toBeVisible();
  const footer = page.getByRole("contentinfo");
  await expect(footer.getByRole("img")).toHaveCount(2);
  await expect(
    footer.getByText("Both badges are samples: no one has audited or funded this service."),
  ).toBeVisible();
  await expect(footer.getByRole("link", { name: "About the badges" })).toHaveAttribute(
    "href",
    "/trust#badges",
  );
}

async function expectLogoWalls(page: Page) {
  const customers = page.getByRole("region", { name: "Customers" });
  await expect(customers.getByText(/^Sample customers/)).toBeVisible();
  await expect(customers.getByRole("listitem")).toHaveCount(6);
  await expect(page.getByText("Sample partners")).toBeVisible();
  // Build tools, a scanner, a language with its mascot, video hosting and social marks.
  const wall = page.getByRole("region", { name: "Fits the tools you already run" });
  for (const name of ["Bazel", "Trivy", "Rust", "Rust’s crab", "YouTube"])
    await expect(wall.getByText(name, { exact: true })).toBeVisible();
  const band = page.getByRole("region", { name: "Community and trust" });
  for (const name of ["GitHub", "Discord", "Mastodon", "Bluesky", "X"])
    await expect(band.getByText(name, { exact: true })).toHaveCount(1);
}

async function expectProducts(page: Page) {
  const sections = [
    ["Container builds", "$ millrace build --platform linux/amd64,linux/arm64 --save-tag express-checkout ."],
    ["Registry", "The app’s list of images, with sample data."],
    ["CI runners", "runs-on: millrace-ubuntu-24.04-16"],
    ["Remote cache", "millrace cache usage --tool"],
    ["CLI and API", "/api/millrace.v1.BuildService/GetBuild"],
    ["Coding agents", "git push origin test/empty-basket"],
    ["Managed on AWS", "Records · RDS"],
  ] as const;
  for (const [name, artefact] of sections) {
    const article = page
      .getByRole("article")
      .filter({ has: page.getByRole("heading", { name: new RegExp(`^${name}( Preview)?$`) }) });
    await expect(article).toContainText(artefact);
  }
  await expect(page.getByRole("heading", { name: "Press B to build faster" })).toBeVisible();
}

test("the home page: badges, logo walls, products, and two pictures that are not requested", async ({
  page,
}) => {
  const images: string[] = [];
  page.on("request", (request) => {
    if (request.resourceType() === "image" && !request.url().startsWith("data:")) images.push(request.url());
  });
  await page.goto("/", { waitUntil: "load" });
  await test.step("badges", () => expectBadges(page));
  await test.step("logo walls", () => expectLogoWalls(page));
  await test.step("products", () => expectProducts(page));
  const pictures = page.getByRole("main").locator("img.tech");
  await expect(pictures).toHaveCount(2);
  for (const picture of await pictures.all()) {
    await expect(picture).toHaveAttribute("src", /^data:image\/png;base64,/);
    expect(await picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(56);
  }
  expect(images.filter((url) => !/\/(favicon|assets\/(icons|marks|build|images|cache)-)/.test(url))).toEqual(
    [],
  );
});

/** Scrolls to every picture of the app. @returns the files that were shown */
async function appPictures(page: Page): Promise<string[]> {
  const shown = page.getByRole("main").locator(".app img:visible");
  await expect(shown).toHaveCount(3);
  const files: string[] = [];
  for (const picture of await shown.all()) {
    await picture.scrollIntoViewIfNeeded();
    await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0);
    const { file, isAsHigh } = await picture.evaluate((img: HTMLImageElement) => ({
      file: new URL(img.currentSrc).pathname.replace(/^.*\/([a-z-]+)-[\w-]{8}\.webp$/, "$1"),
      isAsHigh: Math.abs(img.width / img.height - img.naturalWidth / img.naturalHeight) < 0.02,
    }));
    expect(isAsHigh, file).toBe(true);
    files.push(file);
  }
  return files;
}

const namesOf = (isMobile: boolean, theme: string) =>
  ["build", "images", "cache"].map((name) => `${name}${isMobile ? "-phone" : ""}-${theme}`);

for (const scheme of ["light", "dark"] as const)
  test.describe(`who has a ${scheme} screen`, () => {
    test.use({ colorScheme: scheme });

    test("sees the app in that theme, and asks for no other picture until the theme is switched", async ({
      page,
      isMobile,
    }) => {
      const asked: string[] = [];
      page.on("request", (request) => {
        const name = /\/assets\/([a-z-]+-(?:light|dark))-[\w-]{8}\.webp$/.exec(request.url())?.[1];
        if (name !== undefined) asked.push(name);
      });
      await page.goto("/");
      const expected = namesOf(isMobile, scheme);
      expect(await appPictures(page)).toEqual(expected);
      expect(asked.toSorted()).toEqual(expected.toSorted());
      const other = scheme === "light" ? "dark" : "light";
      await page.getByRole("button", { name: `Switch to ${other} theme` }).click();
      expect(await appPictures(page)).toEqual(namesOf(isMobile, other));
    });

    test.describe("without a script", () => {
      test.use({ javaScriptEnabled: false });

      test("sees the same", async ({ page }) => {
        await page.goto("/");
        const shown = page.getByRole("main").locator(".app picture:visible");
        await expect(shown).toHaveCount(3);
        for (const picture of await shown.all()) await expect(picture).toHaveClass(`in-${scheme}`);
      });
    });
  });

test("the home page leads only to pages that exist", { tag: "@one-width" }, async ({ page, request }) => {
  await page.goto("/");
  const hrefs = await page
    .locator("a[href^='/']")
    .evaluateAll((links) => [...new Set(links.map((link) => link.getAttribute("href") ?? ""))]);
  expect(hrefs.length).toBeGreaterThan(15);
  for (const href of hrefs) expect((await request.get(href)).status(), href).toBe(200);
});

test("each product page has a demonstration of its own", async ({ page, request }) => {
  const demonstrations = new Map<string, string>();
  const links = new Set<string>();
  for (const path of productPages)
    await test.step(path, async () => {
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await expect(page.getByText(/^Preview: documented/)).toHaveCount(
        ["/cache", "/container-builds", "/registry"].includes(path) ? 0 : 1,
      );
      await expect(page.getByText(/\{\{/)).toHaveCount(0);
      await expect(
        page.getByText("Sample", { exact: true }).or(page.locator(".cloud")).first(),
      ).toBeAttached();
      const text = (await page.locator(".picture").textContent()) ?? "";
      expect(text.length).toBeGreaterThan(100);
      expect(demonstrations.get(text), `${path} has the demonstration of another page`).toBeUndefined();
      demonstrations.set(text, path);
      await expect(page.locator('link[rel="canonical"]')).toHaveAttribute("href", new RegExp(`${path}$`));
      for (const link of await page.locator(".further a").all())
        links.add((await link.getAttribute("href")) ?? "");
    });
  expect(links.size).toBeGreaterThan(0);
  for (const href of links) expect((await request.get(href)).status(), href).toBe(200);
});

test("trust: badges, contact, data flow, responsibilities, security.txt", async ({ page, request }) => {
  await page.goto("/trust");
  await test.step("badges", () => expectBadges(page));
  await expect(page.getByRole("heading", { name: "Report a vulnerability" })).toBeVisible();
  await expect(page.getByRole("img", { name: /^Clients speak HTTPS/ })).toBeVisible();
  await expect(
    page.getByRole("region", { name: "Who is responsible for what, a table" }).getByRole("row"),
  ).toHaveCount(9);
  const text = await (await request.get("/.well-known/security.txt")).text();
  expect(text).toMatch(/^Contact: \S+\/trust#contact$/m);
  const expires = new Date(/^Expires: (.+)$/m.exec(text)?.[1] ?? "").getTime();
  expect(expires).toBeGreaterThan(Date.now());
  expect(expires).toBeLessThanOrEqual(Date.now() + 366 * 24 * 3600 * 1000);
});

test(
  "changelog: entries, newest first, and the same as an RSS feed",
  { tag: "@one-width" },
  async ({ page, request }) => {
    await page.goto("/changelog");
    const dates = await page
      .locator("time")
      .evaluateAll((times) => times.map((time) => time.getAttribute("datetime")));
    expect(dates.length).toBeGreaterThan(0);
    expect(dates).toEqual([...dates].sort().toReversed());
    await expect(page.getByRole("link", { name: "Follow it as an RSS feed" })).toHaveAttribute(
      "href",
      "/changelog.xml",
    );
    const response = await request.get("/changelog.xml");
    expect(response.headers()["content-type"]).toContain("xml");
    const items = await page.evaluate(
      (xml) => {
        const feed = new DOMParser().parseFromString(xml, "application/xml");
        return feed.querySelector("parsererror")
          ? null
          : [...feed.querySelectorAll("item > title")].map((t) => t.textContent);
      },
      await response.text(),
    );
    expect(items).toEqual(await page.getByRole("article").getByRole("heading", { level: 2 }).allInnerTexts());
  },
);
