/**
 * Features that do not run yet say so, where readers meet them:
 * 1. A section of the tree has a quiet mark while no page in it is about something that runs; in other sections exactly
 * the waiting pages have a mark each. 2. So has every page about such a part, at its head, with a link to what exists,
 * in HTML, as Markdown and in llms.txt; and no other page has it, whatever else it is about. 3. A block of commands
 * that fails today has a mark; a block that works has none, also on a page about another part. 4. Copying copies the
 * commands, not the mark. 5. One page lists every part with its state; the first pages name those that run.
 * 6. On pages that run, every section, item, row and card that leads to a page of such a part marks it.
 * 7. The home page names and marks the products that do not run, and no others.
 */
import { readdirSync, readFileSync } from "node:fs";
import { parse } from "yaml";
import { expectAccessible } from "./axe.ts";
import { expect, test } from "./fixtures.ts";

// The file is checked against its schema by `npm test -- content`.
const { parts } = parse(readFileSync("content/facts/parts.yaml", "utf8")) as {
  parts: { id: string; name: string; state: string; page: string }[];
};
const waiting = parts.filter(({ state }) => state === "preview");
const pages = readPages();

/** Every page of the documentation, and whether its part does not run yet, by its front matter. */
function readPages(): { path: string; isWaiting: boolean }[] {
  return readdirSync("content/docs", { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".mdx"))
    .map((name) => {
      const part = /^part: (\S+)$/m.exec(readFileSync(`content/docs/${name}`, "utf8"))?.[1];
      const path = `/docs/${name.slice(0, -".mdx".length)}`.replace(/\/index$/, "");
      const isWaiting =
        part === "all" ? waiting.length === parts.length : waiting.some(({ id }) => id === part);
      return { path, isWaiting };
    });
}

interface Link {
  to: string;
  links?: Link[];
  more?: string[];
}
interface Section {
  name: string;
  links: Link[];
  subSections?: { links?: Link[]; all?: string }[];
}

/** Marks of the tree on a page that shows no nested links. */
function expectedMarks(): string[] {
  const { sections } = parse(readFileSync("content/navigation.yaml", "utf8")) as { sections: Section[] };
  const waits = (path: string) => pages.some((page) => page.path === path && page.isWaiting);
  const below = ({ to, links = [], more = [] }: Link): string[] => [to, ...more, ...links.flatMap(below)];
  return sections.flatMap(({ name, links, subSections = [] }) => {
    const inFolder = (folder: string | undefined) =>
      pages
        .filter(({ path }) => path.slice(0, path.lastIndexOf("/")) === folder)
        .map(({ path }) => ({ to: path }));
    const shown = [...links, ...subSections.flatMap((sub) => [...(sub.links ?? []), ...inFolder(sub.all)])];
    if (shown.flatMap(below).every(waits)) return [name];
    return shown.map(({ to }) => to).filter(waits);
  });
}

test("1. the tree marks what waits, and nothing else", async ({ page }) => {
  await page.goto("/docs/faq");
  const marks = page.getByRole("navigation", { name: "Documentation" }).locator("small");
  const marked = await marks.evaluateAll((all) =>
    all.map((mark) => {
      const item = mark.parentElement;
      return item?.getAttribute("href") ?? item?.querySelector("span")?.textContent;
    }),
  );
  expect(marked).toEqual(expectedMarks());
  // A section with both: some of its pages wait, and those about running the server do not.
  await page.goto("/docs/managed/overview/run");
  const tree = page.getByRole("navigation", { name: "Documentation" });
  await expect(tree.getByRole("button", { name: "Managed", exact: true })).toBeVisible();
  await expect(tree.getByRole("link", { name: "Build and run", exact: true })).toBeVisible();
  const isWaiting = waiting.some(({ id }) => id === "managed");
  await expect(tree.getByRole("link", { name: /^On AWS/ })).toHaveAccessibleName(
    isWaiting ? "On AWS Preview" : "On AWS",
  );
  // A mark on the colour of the current link.
  await page.goto("/docs/managed/on-aws");
  await expectAccessible(page, { include: "nav.tree" });
});

test("2. the first page of a part says that it is in preview", async ({ page }) => {
  for (const { page: path, name } of waiting) {
    await page.goto(path);
    const mark = page.locator("header.doc-title").getByText("Does not run yet");
    await expect(mark, name).toBeVisible();
    await expect(mark.getByRole("link", { name: "what exists today" })).toHaveAttribute(
      "href",
      "/docs/core-concepts/what-exists",
    );
  }
});

test("2, 6. pages about what does not run say so; pages that run mark where they lead there", async ({
  page,
}) => {
  // All pages are fetched from one that is not among them.
  await page.goto("/status");
  const toCome = pages.filter(({ isWaiting }) => isWaiting).map(({ path }) => path);
  const asked = { paths: pages.map(({ path }) => path), toCome };
  const { read, llms } = await page.evaluate(readPagesAsReaders, asked);
  const line = "Preview: what this page describes does not run yet.";
  for (const [at, { path, isWaiting }] of pages.entries()) {
    const { html, markdown, links } = read[at]!;
    expect(html, path).toBe(isWaiting ? 1 : 0);
    expect(markdown.includes(line), `${path}.md`).toBe(isWaiting);
    const entry = llms.split("\n").find((text) => text.includes(`${path}.md)`));
    expect(entry?.includes(line), entry).toBe(isWaiting);
    const unmarked = links.filter(({ isMarked }) => !isMarked).map(({ text }) => text);
    expect(isWaiting ? [] : unmarked, path).toEqual([]);
  }
  expect(read.flatMap(({ links }) => links).length).toBeGreaterThan(waiting.length === 0 ? -1 : 50);
  for (const path of ["/docs", "/docs/core-concepts", "/docs/faq", "/docs/security"])
    expect(pages).toContainEqual({ path, isWaiting: waiting.length === parts.length });
});

/** Runs in the browser. For each page: how often its head has the mark, its Markdown, and its links to parts that do not run. */
async function readPagesAsReaders({ paths, toCome }: { paths: string[]; toCome: string[] }) {
  const textOf = async (path: string) => (await fetch(path)).text();
  const hasMark = (element: Element) => element.querySelector(".preview") !== null;
  /** Whether there is a mark in the same card, item, row or question, or since the last heading. */
  const isMarked = (link: Element): boolean => {
    const card = link.closest(".card");
    if (card) return hasMark(card);
    for (let at: Element | null = link; at && !at.matches(".prose"); at = at.parentElement) {
      let before: Element | null = at;
      while (before && !/^H[1-4]$/.test(before.tagName)) {
        if (hasMark(before)) return true;
        before = before.previousElementSibling;
      }
    }
    const item = link.closest("li, tr, .question, p");
    return item !== null && hasMark(item);
  };
  const read = await Promise.all(
    paths.map(async (path) => {
      const [html, markdown] = await Promise.all([textOf(path), textOf(`${path}.md`)]);
      const page = new DOMParser().parseFromString(html, "text/html");
      const links = [...page.querySelectorAll<HTMLAnchorElement>(".prose a[href]:not(.anchor)")]
        .filter((link) => toCome.includes(new URL(link.href).pathname))
        .map((link) => ({ text: link.textContent, isMarked: isMarked(link) }));
      return { html: html.split("Does not run yet").length - 1, markdown, links };
    }),
  );
  return { read, llms: await textOf("/llms.txt") };
}

test("3, 4. commands that fail today are marked, and only those", async ({ docs, page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await docs.openHydrated("/docs/cli/reference");
  const block = (text: string) => page.locator("figure.code").filter({ hasText: text }).first();
  await expect(block("millrace build --save").getByText("Preview")).toHaveCount(0);
  const waitingBlock = block("$ millrace sessions list");
  await expect(waitingBlock.getByText("Preview")).toBeVisible();
  await waitingBlock.hover();
  await waitingBlock.getByRole("button", { name: "Copy code" }).click();
  const read = () => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(read).toContain("millrace");
  expect(await read()).not.toContain("Preview");
  await page.goto("/docs/container-builds/how-to-guides/optimal-dockerfiles/node");
  await expect(page.locator("figure.code").first()).toBeVisible();
  await expect(page.locator("figure.code .preview")).toHaveCount(0);
});

test("5. one page lists every part", async ({ page }) => {
  await page.goto("/docs/core-concepts/what-exists");
  for (const { name, state } of parts) {
    const row = page.getByRole("row").filter({ has: page.getByRole("link", { name, exact: true }) });
    await expect(row.getByText("Preview")).toHaveCount(state === "preview" ? 1 : 0);
  }
  for (const [path, heading] of [
    ["/docs", "Which parts run"],
    ["/docs/faq#is-it-ready-for-production", "Is it ready for production?"],
  ] as const) {
    await page.goto(path);
    await expect(page.getByRole("heading", { name: heading })).toBeVisible();
    for (const { name } of parts.filter(({ state }) => state === "available"))
      await expect(page.getByText(/hese parts run/)).toContainText(name);
    for (const { name } of waiting) await expect(page.getByText(/hese parts run/)).not.toContainText(name);
  }
});

test("7. the home page agrees with the facts", async ({ page }) => {
  await page.goto("/");
  const note = page.getByText("Everything else runs today.");
  for (const { name, state } of parts)
    await expect(note.filter({ hasText: name })).toHaveCount(state === "preview" ? 1 : 0);
  const products = parts.filter(({ id }) => !["site", "api"].includes(id));
  for (const { id, state } of products)
    await expect(page.locator(`article#${id}`).getByRole("heading", { name: /Preview$/ })).toHaveCount(
      state === "preview" ? 1 : 0,
    );
  // The last section is also on every page of a product.
  const isWaiting = ({ state }: { state: string }) => state === "preview";
  const pagesOf = products
    .filter(({ id }) => id !== "cli")
    .map((part) => ({ path: `/${part.id}`, isMarked: isWaiting(part) }));
  for (const { path, isMarked } of [{ path: "/", isMarked: waiting.length > 0 }, ...pagesOf]) {
    await page.goto(path);
    const close = page.getByRole("main").locator("section").last();
    await expect(close.getByRole("heading", { name: "Press B to build faster" })).toBeVisible();
    await expect(close).not.toContainText(/later|come|not (?:in|yet)|preview/i);
    await expect(close.getByText("The key opens the application")).toBeVisible();
    await expect(close.getByRole("link", { name: "Build faster" })).toHaveAttribute("href", "/app");
    await expect(page.getByText(/^Preview: documented, and not in this release/)).toHaveCount(
      isMarked ? 1 : 0,
    );
  }
});
