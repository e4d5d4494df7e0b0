/**
 * 1. Nothing that is typed or clicked before the client has loaded is lost (decisions/001).
 * 2. The client starts when the reader shows intent; a pointer that merely rests where the page appears does
 *    not count (decisions/012).
 * 3. Tree and outline are in place at the first paint, and the outline follows scrolling without the client.
 */
import type { Page } from "@playwright/test";
import { drawFrames, expect, test } from "./fixtures.ts";

/** Holds back the client, every JavaScript file but the boot script, until the returned function is called. */
async function holdClient(page: Page) {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(/\/assets\/(?!boot-)[^/]*\.js$/, async (route) => {
    await held;
    await route.continue();
  });
  return release;
}

/** Before that, nothing can undo the reader's action. */
async function whenHydrated(page: Page) {
  await page.waitForFunction(() => document.documentElement.dataset["hydrated"] === "true");
  await drawFrames(page);
}

test("what was typed is searched for once the client runs", async ({ docs, page }) => {
  const release = await holdClient(page);
  await docs.open();
  await docs.searchBox.click();
  await docs.searchBox.pressSequentially("turborepo");
  await expect(docs.searchBox).toHaveValue("turborepo");
  release();
  await expect(docs.hits().first()).toContainText("/docs/cache/reference/turbo");
  await expect(docs.searchBox).toHaveValue("turborepo");
  await expect(docs.searchBox).toBeFocused();
});

test("letters typed before and while the client starts are one query", async ({ docs, page }) => {
  const release = await holdClient(page);
  await docs.open();
  const queries: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && request.url().endsWith("/multi-search"))
      queries.push(request.postData() ?? "");
  });
  await page.keyboard.press("Control+k");
  await page.keyboard.type("tur", { delay: 30 });
  // The rest arrives in the moment in which the client is ready: the browser held the keys back while it started.
  await docs.searchBox.evaluate((input: HTMLInputElement) => {
    new MutationObserver((_, observer) => {
      observer.disconnect();
      for (const text of ["turb", "turbo", "turbor"]) {
        input.value = text;
        input.dispatchEvent(new InputEvent("input", { bubbles: true }));
      }
    }).observe(document.documentElement, { attributeFilter: ["data-hydrated"] });
  });
  release();
  await expect(docs.hits().first()).toBeVisible();
  await expect(docs.searchBox).toHaveValue("turbor");
  // The first one asks for the facets only.
  const texts = queries.flatMap((body) => (JSON.parse(body) as { queries: { q?: string }[] }).queries);
  expect([...new Set(texts.map(({ q }) => q ?? ""))].filter(Boolean)).toEqual(["turbor"]);
});

test("a letter that arrives while React hydrates is searched for, and does not make React hydrate the page at once", async ({
  docs,
  page,
}) => {
  await page.addInitScript(() => {
    let start: typeof window.hydrate;
    const reached: string[] = [];
    Object.assign(window, { reached });
    Object.defineProperty(window, "hydrate", {
      set(hydrate: typeof window.hydrate) {
        start = hydrate;
      },
      get: () => (data: string, routes: string[], modules: unknown[]) => {
        start?.(data, routes, modules);
        const input = document.querySelector<HTMLInputElement>("#q")!;
        // React listens on the document.
        for (const type of ["keydown", "input", "keyup"])
          document.addEventListener(type, () => reached.push(type), { capture: true, once: true });
        input.dispatchEvent(new KeyboardEvent("keydown", { key: "o", bubbles: true }));
        input.value += "o";
        input.dispatchEvent(new InputEvent("input", { bubbles: true }));
        input.dispatchEvent(new KeyboardEvent("keyup", { key: "o", bubbles: true }));
        Object.assign(window, { reachedAtOnce: [...reached] });
      },
    });
  });
  const release = await holdClient(page);
  await docs.open();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("turb");
  release();
  // Hydration in slices gives way to everything else on a busy machine.
  await expect(docs.hits().first()).toBeVisible({ timeout: 20_000 });
  await expect(docs.searchBox).toHaveValue("turbo");
  await expect(page).toHaveURL("/docs?q=turbo");
  expect(await page.evaluate(() => (window as unknown as { reachedAtOnce: string[] }).reachedAtOnce)).toEqual(
    [],
  );
  // From then on React has them.
  await docs.searchBox.press("r");
  await expect(page).toHaveURL("/docs?q=turbor");
});

test("a section folded by a click before the client runs is folded", async ({ docs, page }) => {
  const release = await holdClient(page);
  await docs.open();
  await docs.tree.getByRole("button", { name: "Registry" }).click();
  release();
  await whenHydrated(page);
  await expect(docs.tree.getByRole("button", { name: "Registry" })).toHaveAttribute("aria-expanded", "false");
});

test("a tab chosen before the client runs is shown", async ({ docs, page }) => {
  const release = await holdClient(page);
  await docs.open("/docs/container-builds/how-to-guides/optimal-dockerfiles/node");
  const tab = docs.article.getByRole("tab").nth(1);
  await tab.click();
  release();
  await whenHydrated(page);
  await expect(tab).toHaveAttribute("aria-selected", "true");
  // The next page shows the tab immediately: nothing of the article changes when the client runs.
  await page.reload();
  await expect(tab).toHaveAttribute("aria-selected", "true");
  await expect(tab).toHaveAccessibleName(await docs.article.getByRole("tabpanel").first().evaluate(nameOf));
  expect(await page.evaluate(() => document.documentElement.dataset["hydrated"])).toBeUndefined();
});

/** An element's name, from the element that labels it. */
function nameOf(element: Element): string {
  const id = element.getAttribute("aria-labelledby") ?? "";
  return document.getElementById(id)?.textContent?.trim() ?? "";
}

test("the theme, copying and the search shortcut work without the client", async ({
  docs,
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await holdClient(page);
  await docs.open("/docs/container-builds/quickstart");
  await page.getByRole("button", { name: /^Switch to/ }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await page.keyboard.press("Control+k");
  await expect(docs.searchBox).toBeFocused();
  await docs.article.getByRole("button", { name: "Copy code" }).first().click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).not.toBe("");
});

test("a link clicked before the client runs loads the page", async ({ docs, page }) => {
  await holdClient(page);
  await docs.open();
  await docs.link("FAQs").click();
  await expect(page).toHaveURL("/docs/faq");
});

test("hydration leaves the page as it was: no message, no shift, the same article", async ({ docs }) => {
  await docs.open("/docs/cache/overview");
  const before = await docs.article.innerText();
  await docs.hydrate();
  expect(await docs.article.innerText()).toBe(before);
});

for (const late of ["manifest", "root", "your-data", "entry.client"])
  test(`the client starts once all of its files are there: ${late} last`, async ({ page }) => {
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route(new RegExp(`/assets/${late}-[^/]*\\.js$`), async (route) => {
      await held;
      await route.continue();
    });
    await page.goto("/your-data");
    for (const screenX of [1, 2]) await page.dispatchEvent("body", "pointermove", { screenX });
    // The file with most of the site's code, an import of another file, has loaded and run.
    await page.waitForFunction(() =>
      performance.getEntriesByType("resource").some(({ name }) => /\/assets\/docs-[^/]*\.js$/.test(name)),
    );
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 5000 })));
    expect(await page.evaluate(() => document.documentElement.dataset["hydrated"])).toBeUndefined();
    release();
    await page.waitForFunction(() => document.documentElement.dataset["hydrated"] === "true");
  });

/** True from the moment at which the boot script begins to load the client. */
const isStarted = (page: Page) => page.locator('script[type="text/x-loaded"]').count().then(Boolean);

test("a pointer that lies where the page appears starts nothing; one that is moved does", async ({
  docs,
  page,
}) => {
  await docs.open("/docs/faq");
  await page.mouse.move(700, 400);
  await docs.open("/docs/cache/overview");
  // Browsers report the pointer's place again after a change of the layout below it, and when the page is scrolled.
  for (const act of [
    () => page.evaluate(() => scrollTo(0, 500)),
    () => page.setViewportSize({ width: 1300, height: 800 }),
  ]) {
    await act();
    await page.mouse.move(700, 400);
    await page.evaluate(() => new Promise(requestAnimationFrame));
  }
  expect(await isStarted(page)).toBe(false);
  await page.mouse.move(701, 400);
  await page.waitForFunction(() => document.documentElement.dataset["hydrated"] === "true");
});

for (const [name, act] of [
  ["a press", (page: Page) => page.mouse.down()],
  ["a key", (page: Page) => page.keyboard.press("Tab")],
  ["a focus", (page: Page) => page.locator(".tree a").first().focus()],
] as const)
  test(`${name} starts the client`, async ({ docs, page }) => {
    await docs.open("/docs/cache/overview");
    expect(await isStarted(page)).toBe(false);
    await act(page);
    await page.waitForFunction(() => document.documentElement.dataset["hydrated"] === "true");
  });

/** Records what each frame shows of tree and outline; null: not there yet. */
async function recordFrames(page: Page) {
  await page.addInitScript(() => {
    const frames: { tree: number | null; outline: string | null }[] = [];
    Object.assign(window, { frames });
    requestAnimationFrame(function look() {
      // Elements after the sidebar have been parsed, so the tree is complete.
      const tree = document.querySelector("#content") && document.querySelector("#sidebar");
      const outline = document.querySelector(".toc .toc-list");
      frames.push({
        tree: tree && tree.scrollTop,
        outline: outline && (outline.querySelector("[aria-current]")?.getAttribute("href") ?? "none"),
      });
      if (document.documentElement.dataset["hydrated"] !== "true") requestAnimationFrame(look);
    });
  });
  return () =>
    page.evaluate(() => (window as unknown as { frames: { tree: number; outline: string }[] }).frames);
}

test("no frame shows the tree or the outline at another place, nor does the first movement of the pointer", async ({
  docs,
  page,
}) => {
  const shownFrames = await recordFrames(page);
  await docs.open("/docs/managed/using-gpus");
  await expect(docs.tree.locator("[aria-current]")).toBeInViewport({ ratio: 1 });
  const scrolled = await page.locator("#sidebar").evaluate((element) => element.scrollTop);
  expect(scrolled).toBeGreaterThan(1000);
  const first = await page.locator(".toc-list a").first().getAttribute("href");
  await docs.hydrate();
  const frames = await shownFrames();
  expect(new Set(frames.map(({ tree }) => tree).filter((top) => top !== null))).toEqual(new Set([scrolled]));
  expect(new Set(frames.map(({ outline }) => outline).filter(Boolean))).toEqual(new Set([first]));
});

test("the outline begins at the heading that the address names", async ({ docs, page, request }) => {
  await holdClient(page);
  const html = await (await request.get("/docs/managed/using-gpus")).text();
  const third = [...html.matchAll(/<li><a href="(#[^"]+)">/g)][2]?.[1] ?? "";
  await docs.open(`/docs/managed/using-gpus${third}`);
  await expect(page.locator(".toc [aria-current]")).toHaveAttribute("href", third);
});

test("the outline follows scrolling without the client, and the next page's with it", async ({
  docs,
  page,
}) => {
  const release = await holdClient(page);
  await docs.open("/docs/cache/overview");
  const outline = page.getByRole("complementary", { name: "On this page" });
  const links = outline.getByRole("link");
  const current = outline.locator('[aria-current="location"]');
  await expect(current).toHaveText(await links.first().innerText());
  for (const at of [2, 1]) {
    const id = (await links.nth(at).getAttribute("href"))?.slice(1) ?? "";
    await page.evaluate((heading) => document.getElementById(heading)?.scrollIntoView(), id);
    await expect(current).toHaveText(await links.nth(at).innerText());
  }
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await expect(current).toHaveText(await links.last().innerText());
  await page.evaluate(() => scrollTo(0, 0));
  await expect(current).toHaveText(await links.first().innerText());
  expect(await page.evaluate(() => document.documentElement.dataset["hydrated"])).toBeUndefined();
  release();
  await docs.hydrate();
  await docs.link("Security 1 page").click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/security/i);
  await expect(current).toHaveText(await links.first().innerText());
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await expect(current).toHaveText(await links.last().innerText());
});

for (const [platform, label] of [
  ["MacIntel", "⌘K"],
  ["iPad", "⌘K"],
  ["Linux x86_64", "Ctrl K"],
  ["Win32", "Ctrl K"],
] as const)
  test(`on ${platform} the search box names ${label} before the client runs`, async ({ docs, page }) => {
    await page.addInitScript((value) => {
      Object.defineProperty(Navigator.prototype, "platform", { get: () => value });
    }, platform);
    await holdClient(page);
    await docs.open();
    const shown = await page
      .locator(".search-key")
      .evaluate((key) => getComputedStyle(key, "::before").content);
    expect(shown).toBe(`"${label}"`);
    await expect(page.locator(".search-key")).toBeVisible();
  });
