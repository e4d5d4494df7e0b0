/**
 * The specification's section 2, "Navigation tree" and "How navigation links behave". Each test is named
 * after the sentence that it proves.
 */
import { expect, markWindow, test } from "./fixtures.ts";
import { specifiedLabels, specifiedPages } from "./specified-pages.ts";

test("every URL of the specification's tree is in its place and order, answers 200, and has its label, an h1 that no other page has, a description and enough to say", async ({
  docs,
  request,
}) => {
  await docs.open();
  const shown = await docs.tree
    .locator("a")
    .evaluateAll((links) => links.map((link) => [link.getAttribute("href"), link.firstChild?.textContent]));
  expect(shown).toEqual(specifiedPages.map((path) => [path, specifiedLabels[path]]));
  const titles = new Map<string, string>();
  for (const path of new Set(specifiedPages)) {
    const response = await request.get(path);
    expect(response.status(), path).toBe(200);
    const html = await response.text();
    const headings = [...html.matchAll(/<h1[^>]*>(.*?)<\/h1>/gs)].map(([, text = ""]) => text);
    expect(headings, path).toHaveLength(1);
    expect(titles.get(headings[0] ?? ""), `${path} has the h1 of another page`).toBeUndefined();
    titles.set(headings[0] ?? "", path);
    expect(html, path).toMatch(/<meta name="description" content="[^"]{50,}"/);
    // The page's own words: code and tables are left out, because tables repeat facts of other pages.
    const markdown = await (await request.get(path === "/docs" ? "/docs.md" : `${path}.md`)).text();
    const own = markdown.replace(/^```[\s\S]*?^```$/gm, "").replace(/^(\||#).*$/gm, "");
    const words = own.split(/\s+/).filter((word) => /\w/.test(word)).length;
    expect(words, path).toBeGreaterThanOrEqual(path === "/docs" ? 80 : 250);
  }
});

/** The targets of the tree's links whose tags, in a page's HTML, have this text. */
const hrefsWith = (html: string, mark: string) =>
  [...(/<nav class="tree"[\s\S]*?<\/nav>/.exec(html)?.[0] ?? "").matchAll(/<a [^>]*>/g)]
    .filter(([link]) => link.includes(mark))
    .map(([link]) => /href="([^"]*)"/.exec(link)?.[1]);

test("every page of the documentation is in the tree as the current link, in the HTML itself", async ({
  request,
}) => {
  const sitemap = await (await request.get("/sitemap.xml")).text();
  const paths = [...sitemap.matchAll(/<loc>[^<]*?(\/docs[^<]*)<\/loc>/g)].map(([, path = ""]) => path);
  expect(paths.length).toBeGreaterThan(new Set(specifiedPages).size + 20);
  for (const path of paths) {
    const html = await (await request.get(path)).text();
    const current = new Set(hrefsWith(html, 'aria-current="page"'));
    expect([...current], path).toEqual([path]);
  }
});

const parent = "/docs/managed/overview";
const below = [
  "run",
  "variables",
  "sizing",
  "one-machine",
  "kubernetes",
  "replicas",
  "proxy",
  "tls",
  "backup",
  "upgrade",
  "logs",
  "monitoring",
  "alerts",
].map((slug) => `${parent}/${slug}`);

test("pages below one of the specification's tree are its sub-links: counted everywhere, shown while it or one of them is read", async ({
  docs,
  page,
}) => {
  await docs.open("/docs/faq");
  await expect(docs.tree.locator(`a[href="${parent}"]`).getByLabel(`${below.length} pages`)).toBeVisible();
  for (const path of [parent, ...below]) {
    expect(specifiedPages.includes(path)).toBe(path === parent);
    await docs.open(path);
    const shown = docs.tree.locator(`a[href^="${parent}/"]`);
    expect(await shown.evaluateAll((links) => links.map((link) => link.getAttribute("href")))).toEqual(below);
    expect(await shown.evaluateAll((links) => links.every((link) => link.checkVisibility()))).toBe(true);
    await expect(docs.tree.locator("[aria-current]")).toHaveAttribute("href", path);
    await expect(docs.tree.locator(`a[href="${parent}"]`)).toHaveClass(/is-matched/);
  }
  await page
    .getByRole("navigation", { name: /breadcrumb/i })
    .getByRole("link", { name: "Overview and Benefits" })
    .click();
  await expect(page).toHaveURL(parent);
});

test("a client navigation brings the sub-links with it, keeps the focus on them, and takes them away", async ({
  docs,
  page,
}) => {
  await docs.openHydrated("/docs/managed/on-aws");
  await expect(docs.tree.locator(`a[href^="${parent}/"]`)).toHaveCount(0);
  await docs.tree.locator(`a[href="${parent}"]`).click();
  const backup = docs.tree.locator(`a[href="${parent}/backup"]`);
  await expect(backup).toBeVisible();
  const top = () => page.locator("#sidebar").evaluate((element) => element.scrollTop);
  await backup.scrollIntoViewIfNeeded();
  const before = await top();
  await backup.click();
  await expect(page).toHaveURL(`${parent}/backup`);
  await expect(backup).toHaveAttribute("aria-current", "page");
  await expect(backup).toBeFocused();
  expect(await top()).toBe(before);
  const updated = await docs.tree.innerHTML();
  await page.goBack();
  await expect(docs.tree.locator(`a[href="${parent}"]`)).toHaveAttribute("aria-current", "page");
  await docs.tree.locator('a[href="/docs/managed/using-gpus"]').click();
  await expect(page).toHaveURL("/docs/managed/using-gpus");
  await expect(docs.tree.locator(`a[href^="${parent}/"]`)).toHaveCount(0);
  await docs.open(`${parent}/backup`);
  expect(await docs.tree.innerHTML()).toBe(updated);
});

const dockerfiles = "/docs/container-builds/how-to-guides/optimal-dockerfiles";

test("the tree of /docs", async ({ docs }) => {
  await docs.open();
  await test.step("top-level links are Get Started, Core Concepts, FAQs and Security", async () => {
    const top = docs.tree.getByRole("list").first().getByRole("link");
    await expect(top).toHaveText([/^Get Started$/, /^Core Concepts\d*$/, /^FAQs$/, /^Security\d*$/]);
  });
  await test.step("sections are shown with an icon", async () => {
    const names = ["Agents", "Container Builds", "Registry", "CI runners", "Cache", "CLI", "API", "Managed"];
    const heads = docs.tree.getByRole("button");
    // A part that does not run yet is marked next to the section's name.
    const labels = names.map((name) => new RegExp(`^${name}(Preview)?$`));
    await expect(heads).toHaveText(labels);
    for (const [at] of names.entries()) await expect(heads.nth(at).locator("svg").first()).toBeVisible();
  });
  await test.step("labels that the specification gives are the tree's", async () => {
    const overview = docs.tree.locator('a[href="/docs/managed/overview"]');
    await expect(overview).toHaveAccessibleName("Overview and Benefits 13 pages");
    await expect(docs.tree.locator('a[href="/docs/managed/using-gpus"]')).toHaveAccessibleName(/^Using GPUs/);
    await expect(docs.tree.locator(".tree-sub")).toHaveText([
      "Claude Code",
      "How-To Guides",
      "Reference",
      "How-To Guides",
      "Reference",
      "Reference",
    ]);
  });
  await test.step("a link that has sub-links shows a badge with the number of sub-links", async () => {
    const badges = docs.tree.getByLabel(/^\d+ pages?$/);
    await expect(badges).toHaveCount(21);
    await expect(docs.tree.locator('a[href="/docs/cli/installation"]').getByLabel("1 page")).toHaveText("1");
    await expect(docs.tree.locator(`a[href="${dockerfiles}"]`).getByLabel("8 pages")).toHaveText("8");
  });
  await expect(docs.link("Get Started")).toHaveAttribute("aria-current", "page");
});

test("/docs is matched only on an exact path, and the current route's link is styled active", async ({
  docs,
}) => {
  await docs.open("/docs/core-concepts");
  await expect(docs.link("Get Started")).not.toHaveAttribute("aria-current", /.*/);
  await expect(docs.link("Get Started")).not.toHaveClass(/is-matched/);
  const active = docs.tree.locator("[aria-current]");
  await expect(active).toHaveText(/^Core Concepts\d*$/);
  const [colour, other] = await Promise.all(
    [active, docs.link("FAQs")].map((link) => link.evaluate((element) => getComputedStyle(element).color)),
  );
  expect(colour).not.toBe(other);
});

test("a link is matched when the pathname starts with it, and its sub-links are shown one level deeper", async ({
  docs,
}) => {
  await docs.open(`${dockerfiles}/node`);
  const parent = docs.tree.locator(`a[href="${dockerfiles}"]`);
  const child = docs.tree.locator(`a[href="${dockerfiles}/node"]`);
  await expect(parent).toHaveClass(/is-matched/);
  await expect(child).toHaveAttribute("aria-current", "page");
  await expect(docs.tree.locator(`a[href="${dockerfiles}"] + ul > li > a`)).toHaveCount(8);
  const boxes = await Promise.all([parent, child].map((link) => link.boundingBox()));
  expect(boxes[1]?.x ?? 0).toBeGreaterThan((boxes[0]?.x ?? 0) + 8);
  await test.step("indentation grows with each level, up to 3 levels", async () => {
    const x = async (href: string) => (await docs.tree.locator(`a[href="${href}"]`).boundingBox())?.x ?? 0;
    const hrefs = ["/docs/faq", dockerfiles, `${dockerfiles}/node`, `${dockerfiles}/node/nextjs`];
    const levels = await Promise.all(hrefs.map(x));
    expect(levels).toEqual([...new Set(levels)].sort((a, b) => a - b));
    // No page is deeper today: a fourth level would be put below the third.
    await docs.tree.locator(`a[href="${hrefs[3]}"]`).evaluate((link) => {
      const branch = document.createElement("ul");
      branch.className = "branch is-flat";
      branch.innerHTML = '<li><a href="/deep">Deep</a></li>';
      link.after(branch);
    });
    expect(await x("/deep")).toBe(levels[3]);
  });
});

test("sub-links of a link that is not matched are hidden", async ({ docs }) => {
  await docs.open("/docs/container-builds/overview");
  await expect(docs.tree.locator(`a[href="${dockerfiles}"]`)).toBeVisible();
  await expect(docs.tree.locator(`a[href="${dockerfiles}/node"]`)).toBeHidden();
});

test("links prefetch their target on intent, and the click navigates without loading the page anew", async ({
  docs,
  page,
}) => {
  await docs.openHydrated();
  const isSameWindow = await markWindow(page);
  const prefetch = page.waitForRequest((request) => request.url().endsWith("/docs/security.data"));
  await docs.link("Security 1 page").hover();
  await prefetch;
  await docs.link("Security 1 page").click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/security/i);
  await expect(docs.link("Security 1 page")).toHaveAttribute("aria-current", "page");
  expect(await isSameWindow()).toBe(true);
});

test("the link that the pointer reaches before the client runs is prefetched as well", async ({
  docs,
  page,
}) => {
  await docs.open();
  const prefetch = page.waitForRequest((request) => request.url().endsWith("/docs/security.data"));
  const link = docs.link("Security 1 page");
  await page.mouse.move(400, 300);
  await link.hover();
  await prefetch;
  await expect(page.locator("html")).toHaveAttribute("data-hydrated", "true");
});

test("the tree is not rendered anew on navigation, and equals the one the server renders", async ({
  docs,
  page,
}) => {
  await docs.openHydrated("/docs/cache/overview");
  await docs.tree.evaluate((tree) => Object.assign(tree.querySelector("a") ?? {}, { isOriginal: true }));
  await docs.tree.locator(`a[href="${dockerfiles}"]`).click();
  await expect(page).toHaveURL(dockerfiles);
  await expect(docs.tree.locator(`a[href="${dockerfiles}/node"]`)).toBeVisible();
  expect(await docs.tree.evaluate((tree) => "isOriginal" in (tree.querySelector("a") ?? {}))).toBe(true);
  const updated = await docs.tree.innerHTML();
  await docs.open(dockerfiles);
  expect(await docs.tree.innerHTML()).toBe(updated);
});

test("a section's header folds it, and the choice survives navigation and reload", async ({ docs, page }) => {
  await docs.openHydrated();
  const head = docs.tree.getByRole("button", { name: "Registry" });
  const link = docs.tree.locator('a[href="/docs/registry/overview"]');
  await expect(head).toHaveAttribute("aria-expanded", "true");
  await head.click();
  await expect(head).toHaveAttribute("aria-expanded", "false");
  await expect(link).toBeHidden();
  await docs.link("FAQs").click();
  await expect(page).toHaveURL("/docs/faq");
  await expect(link).toBeHidden();
  await page.reload();
  await expect(link).toBeHidden();
  await docs.hydrate();
  await expect(head).toHaveAttribute("aria-expanded", "false");
  await head.click();
  await expect(link).toBeVisible();
});

test("the tree's scroll position survives client navigation", async ({ docs, page }) => {
  await docs.openHydrated();
  const sidebar = page.locator("#sidebar");
  const target = docs.tree.locator('a[href="/docs/managed/on-aws"]');
  await target.scrollIntoViewIfNeeded();
  const before = await sidebar.evaluate((element) => element.scrollTop);
  expect(before).toBeGreaterThan(100);
  await target.click();
  await expect(page).toHaveURL("/docs/managed/on-aws");
  await expect(target).toHaveAttribute("aria-current", "page");
  expect(await sidebar.evaluate((element) => element.scrollTop)).toBe(before);
});

test("on load the current link is in view in the sidebar, and the page has not moved", async ({
  docs,
  page,
}) => {
  await docs.open("/docs/managed/using-gpus");
  await expect(docs.tree.locator("[aria-current]")).toBeInViewport({ ratio: 1 });
  expect(await page.evaluate(() => scrollY)).toBe(0);
});
