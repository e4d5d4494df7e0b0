/**
 * Specification, section 1, "Marketing area", element by element; and how the pages behave.
 * 1. A marketing header, whose links exist. 2. The 'build faster' shortcut call-to-action: link, key and switch.
 * 3. The community chat: hidden while the site names none (its number: `community-count.test.ts`).
 * 4. The SOC badge with a link that names the auditing body's site. 5. Logo walls, two of whose logos are in the page.
 * 6. The build race: one label, "Illustration", a pause button, still under reduced motion and without JavaScript.
 * 7. Sections, product pages, trust, changelog with its feed. 8. Everything reads without JavaScript.
 * 9. axe in both themes; nothing wider than the screen; nothing shifts; at most 4 KB of JavaScript before an intent.
 */
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { brotliCompressSync } from "node:zlib";
import { measureShift, expect, test } from "./fixtures.ts";

const productPages = ["/container-builds", "/registry", "/runners", "/cache", "/agents", "/managed"];
const pages = ["/", ...productPages, "/trust", "/changelog"];
const quickstart = "/docs/container-builds/quickstart";

async function hydrate(page: Page) {
  await page.dispatchEvent("body", "pointerover");
  await page.waitForFunction(() => document.documentElement.dataset["hydrated"] === "true");
}

/** Animations that go on for ever and are not paused. */
const runningLoops = (page: Page) =>
  page.evaluate(
    () =>
      document
        .getAnimations()
        .filter(
          (each) =>
            each.effect?.getTiming().iterations === Number.POSITIVE_INFINITY && each.playState === "running",
        ).length,
  );

test.describe("the header", () => {
  test("has the site's name, the theme toggle, and links that exist", async ({ page, request, isMobile }) => {
    await page.goto("/");
    const header = page.getByRole("banner");
    await expect(header.getByRole("link", { name: "Millrace home" })).toBeVisible();
    await expect(header.getByRole("button", { name: /Switch to (dark|light) theme/ })).toBeVisible();
    if (isMobile) await header.getByRole("button", { name: "Open menu" }).click();
    const links = page.getByRole("navigation", { name: isMobile ? "Main, menu" : "Main" }).getByRole("link");
    await expect(links).toHaveText(["Products", "Docs", "Changelog"]);
    for (const link of await links.all()) {
      const href = (await link.getAttribute("href")) ?? "";
      expect((await request.get(href)).status(), href).toBe(200);
    }
  });

  test("marks the page that is open", async ({ page, isMobile }) => {
    await page.goto("/changelog");
    if (isMobile) await page.getByRole("button", { name: "Open menu" }).click();
    const nav = page.getByRole("navigation", { name: isMobile ? "Main, menu" : "Main" });
    await expect(nav.getByRole("link", { name: "Changelog" })).toHaveAttribute("aria-current", "page");
  });
});

test.describe("Build faster", () => {
  test("is in the header, in the hero and at the end", async ({ page }) => {
    await page.goto("/");
    const links = page.getByRole("link", { name: "Build faster" });
    await expect(links).toHaveCount(3);
    for (const link of await links.all()) {
      await expect(link).toHaveAttribute("href", quickstart);
      await expect(link).toHaveAttribute("aria-keyshortcuts", "B");
    }
  });

  test("works with the key B, pressed before the client has loaded", async ({ page }) => {
    await page.goto("/");
    await page.keyboard.press("b");
    await page.waitForURL(`**${quickstart}`);
  });

  test("keeps out of text fields", async ({ page }) => {
    await page.goto("/status");
    await hydrate(page);
    await page.evaluate(() => {
      const field = document.createElement("input");
      field.id = "field";
      document.querySelector("main")?.append(field);
    });
    await page.locator("#field").pressSequentially("bb");
    await expect(page.locator("#field")).toHaveValue("bb");
    expect(new URL(page.url()).pathname).toBe("/status");
  });

  test("can be switched off in the footer: the key does nothing and is not shown", async ({
    page,
    isMobile,
  }) => {
    await page.goto("/");
    const toggle = page.getByRole("switch", { name: /Keyboard shortcuts/ });
    await toggle.click();
    await expect(toggle).toHaveAttribute("aria-checked", "false");
    const hero = page.getByRole("main").getByRole("link", { name: "Build faster" }).first();
    await expect(hero).not.toHaveAttribute("aria-keyshortcuts");
    if (!isMobile) await expect(hero.locator("kbd")).toBeHidden();
    await page.getByRole("heading", { level: 1 }).click();
    await page.keyboard.press("b");
    await toggle.click();
    await expect(hero).toHaveAttribute("aria-keyshortcuts", "B");
    expect(new URL(page.url()).pathname).toBe("/");
  });
});

test("the community chat is not shown while the site names none", async ({ page }) => {
  await page.goto("/");
  const band = page.getByRole("region", { name: "Community and trust" });
  await expect(band.getByText("This installation names no chat.")).toBeVisible();
  await expect(page.getByText(/\d online/)).toHaveCount(0);
  await expect(page.locator("[data-online]")).toHaveCount(0);
});

for (const path of ["/", "/trust"])
  test(`the SOC badge and the funding badge on ${path}`, async ({ page }) => {
    await page.goto(path);
    const main = page.getByRole("main");
    await expect(main.getByRole("img", { name: /^SOC for Service Organizations/ })).toBeVisible();
    const link = main.getByRole("link", { name: /auditing body’s site, aicpa-cima\.com/ });
    await expect(link).toHaveAttribute("href", /^https:\/\/www\.aicpa-cima\.com\//);
    await expect(main.getByRole("img", { name: /^Co-funded by/ })).toBeVisible();
    await expect(main.getByText("A sample badge.")).toBeVisible();
    await expect(page.getByRole("contentinfo").getByRole("img")).toHaveCount(2);
  });

test.describe("the logo walls", () => {
  test("name customers and partners as samples", async ({ page }) => {
    await page.goto("/");
    const customers = page.getByRole("region", { name: "Customers" });
    await expect(customers.getByText(/^Sample customers/)).toBeVisible();
    await expect(customers.getByRole("listitem")).toHaveCount(6);
    await expect(page.getByText("Sample partners")).toBeVisible();
  });

  test("show build tools, a scanner, a language with its mascot, video hosting and social marks", async ({
    page,
  }) => {
    await page.goto("/");
    const wall = page.getByRole("region", { name: "Fits the tools you already run" });
    for (const name of ["Bazel", "Trivy", "Rust", "Rust’s crab", "YouTube"])
      await expect(wall.getByText(name, { exact: true })).toBeVisible();
    const band = page.getByRole("region", { name: "Community and trust" });
    for (const name of ["GitHub", "Discord", "Mastodon", "Bluesky", "X"])
      await expect(band.getByText(name, { exact: true })).toHaveCount(1);
  });

  test("carry two pictures inside the page, so that none is requested", async ({ page }) => {
    const images: string[] = [];
    page.on("request", (request) => {
      if (request.resourceType() === "image" && !request.url().startsWith("data:"))
        images.push(request.url());
    });
    await page.goto("/", { waitUntil: "load" });
    const pictures = page.getByRole("main").locator("img");
    await expect(pictures).toHaveCount(2);
    for (const picture of await pictures.all()) {
      await expect(picture).toHaveAttribute("src", /^data:image\/png;base64,/);
      expect(await picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(56);
    }
    expect(images.filter((url) => !/\/(favicon|assets\/icons-)/.test(url))).toEqual([]);
  });
});

test.describe("the build race", () => {
  test("is one picture with one label, and says that it is an illustration", async ({ page }) => {
    await page.goto("/");
    const race = page.getByRole("main").getByRole("img", { name: /^Illustration/ });
    await expect(race).toHaveAccessibleName(
      "Illustration, not a measurement. A build of acme/web without a cache takes 5 minutes 24 seconds. On Millrace 3 of 6 steps come from the cache and the build takes 25 seconds.",
    );
    await expect(page.getByText("Illustration, not a measurement")).toBeVisible();
  });

  test("draws each step where its data says", async ({ page }) => {
    await page.goto("/");
    const board = await page.locator(".race-axis").boundingBox();
    const ghosts = page.locator(".lane-ghost");
    await expect(ghosts).toHaveCount(6);
    // 14 + 48 s of 324 s have gone when the third step starts; it takes 109 s.
    const third = await ghosts.nth(2).boundingBox();
    const width = board?.width ?? 0;
    expect(Math.abs((third?.x ?? 0) - (board?.x ?? 0) - (62 / 324) * width)).toBeLessThan(2);
    expect(Math.abs((third?.width ?? 0) - (109 / 324) * width)).toBeLessThan(2);
  });

  test("can be paused and played, also by a click before the client has loaded", async ({ page }) => {
    await page.goto("/");
    const pause = page.getByRole("button", { name: "Pause animation" });
    await pause.click();
    const play = page.getByRole("button", { name: "Play animation" });
    await expect(play).toBeVisible();
    await expect.poll(() => runningLoops(page)).toBe(0);
    await play.click();
    await expect(pause).toBeVisible();
    await expect.poll(() => runningLoops(page)).toBeGreaterThan(0);
  });

  test("rests while it is off screen", async ({ page }) => {
    await page.goto("/");
    await hydrate(page);
    await expect.poll(() => runningLoops(page)).toBeGreaterThan(0);
    await page.getByRole("region", { name: "Customers" }).scrollIntoViewIfNeeded();
    await page.getByRole("heading", { name: "Fits the tools you already run" }).scrollIntoViewIfNeeded();
    await expect.poll(() => runningLoops(page)).toBe(0);
  });

  test.describe("for readers who want less motion", () => {
    test.use({ contextOptions: { reducedMotion: "reduce" } });
    test("is still, and needs no button", async ({ page }) => {
      await page.goto("/");
      await expect(page.getByRole("button", { name: /animation/ })).toBeHidden();
      expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
      const bar = page.locator(".lane-bar").nth(4);
      expect(await bar.evaluate((element) => getComputedStyle(element).transform)).toBe("none");
    });
  });
});

test.describe("the home page", () => {
  test("shows each product with its artefact", async ({ page }) => {
    await page.goto("/");
    const sections = [
      ["Container builds", "$ millrace build --save --save-tag staging --progress plain ."],
      ["Registry", "bld_m4c7wq2x9e"],
      ["CI runners", "runs-on: millrace-ubuntu-24.04-16"],
      ["Remote cache", "millrace cache usage --tool"],
      ["CLI and API", "/api/millrace.v1.BuildService/GetBuild"],
      ["Coding agents", "git push origin test/empty-basket"],
      ["Managed on AWS", "RDS PostgreSQL"],
    ] as const;
    for (const [name, artefact] of sections) {
      const article = page
        .getByRole("article")
        .filter({ has: page.getByRole("heading", { name, exact: true }) });
      await expect(article).toContainText(artefact);
    }
    await expect(page.getByRole("heading", { name: "Press B to build faster" })).toBeVisible();
  });

  test("leads only to pages that exist", async ({ page, request }) => {
    await page.goto("/");
    const hrefs = await page
      .locator("a[href^='/']")
      .evaluateAll((links) => [...new Set(links.map((link) => link.getAttribute("href") ?? ""))]);
    expect(hrefs.length).toBeGreaterThan(15);
    for (const href of hrefs) expect((await request.get(href)).status(), href).toBe(200);
  });
});

test.describe("product pages", () => {
  const demonstrations = new Set<string>();
  for (const path of productPages)
    test(`${path} has a demonstration of its own`, async ({ page, request }) => {
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await expect(page.getByText(/^Preview\./)).toBeVisible();
      await expect(page.getByText(/\{\{/)).toHaveCount(0);
      const text = await page.locator(".demo-body").innerText();
      expect(text.length).toBeGreaterThan(100);
      expect(demonstrations.has(text)).toBe(false);
      demonstrations.add(text);
      await expect(page.locator('link[rel="canonical"]')).toHaveAttribute("href", new RegExp(`${path}$`));
      for (const link of await page.locator(".further a").all()) {
        const href = (await link.getAttribute("href")) ?? "";
        expect((await request.get(href)).status(), href).toBe(200);
      }
    });
});

test("trust: contact, data flow, responsibilities, security.txt", async ({ page, request }) => {
  await page.goto("/trust");
  await expect(page.getByRole("heading", { name: "Report a hole" })).toBeVisible();
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

test("changelog: entries, newest first, and the same as an RSS feed", async ({ page, request }) => {
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
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });
  for (const path of pages)
    test(`${path} is complete`, async ({ page }) => {
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      for (const heading of await page.getByRole("heading", { level: 2 }).all())
        await expect(heading).toBeVisible();
      await expect(page.getByRole("button", { name: /animation|theme/ })).toHaveCount(0);
    });
});

for (const path of pages)
  test(`${path} is not wider than the screen`, async ({ page }) => {
    await page.goto(path);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
      0,
    );
  });

for (const colorScheme of ["light", "dark"] as const)
  test.describe(`${colorScheme} theme`, () => {
    test.use({ colorScheme, contextOptions: { reducedMotion: "reduce" } });
    for (const path of pages)
      test(`axe finds nothing on ${path}`, async ({ page }) => {
        await page.goto(path);
        const { violations } = await new AxeBuilder({ page })
          .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"])
          .analyze();
        const found = violations.map(
          (each) => `${each.id}: ${each.nodes.map((node) => node.html).join("\n  ")}`,
        );
        expect(found).toEqual([]);
      });
  });

test.describe("what it costs", () => {
  for (const path of ["/", "/cache"])
    test(`${path}: at most 4 KB of JavaScript before the first intent`, async ({ page }) => {
      let scripts = 0;
      page.on("response", async (response) => {
        if (/javascript/.test(response.headers()["content-type"] ?? "") && !/vendor-/.test(response.url()))
          scripts += (await response.request().sizes()).responseBodySize;
      });
      await page.goto(path, { waitUntil: "load" });
      const inline = await page.evaluate(() =>
        [...document.querySelectorAll("script:not([src])")]
          .filter((script) => !script.getAttribute("type")?.startsWith("text/x-"))
          .map((script) => script.textContent)
          .join("\n"),
      );
      expect(scripts + brotliCompressSync(inline).length).toBeLessThanOrEqual(4_000);
    });

  test("nothing shifts while fonts and client arrive", async ({ page }) => {
    const shift = await measureShift(page);
    await page.goto("/");
    await hydrate(page);
    expect(await shift()).toBeLessThan(0.02);
  });
});
