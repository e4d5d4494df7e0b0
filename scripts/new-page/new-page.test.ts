/**
 * `npm run new-page`:
 * 1. Writes a draft with the sections of its type, which compiles without problems and is not published.
 * 2. Adds it to the tree where its path belongs, in one line, and the tree stays valid; comments stay.
 * 3. Invalid input (address, type, title, part, an existing page) is reported, and nothing is written.
 */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { components } from "#docs/components/components.ts";
import { loadFacts } from "#docs/content/facts/facts.ts";
import { type Content, loadContent } from "#docs/content/load-content.ts";
import type { ContentProblem } from "#docs/content/types.ts";
import { createPage, PAGE_TYPES } from "./new-page.ts";
import { placeInTree } from "./place-in-tree.ts";

const repository = join(import.meta.dirname, "../..");
const navigation = readFileSync(join(repository, "content/navigation.yaml"), "utf8");

/** A repository with the real facts and tree, and no pages. */
function emptyRepository(): string {
  const root = mkdtempSync(join(tmpdir(), "new-page-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, "content/docs"), { recursive: true });
  for (const name of ["content/facts", "content/navigation.yaml", ".prettierrc.json"])
    cpSync(join(repository, name), join(root, name), { recursive: true });
  return root;
}

let load: (root: string, withDrafts: boolean) => Promise<Content>;
beforeAll(() => {
  const facts = loadFacts(repository);
  load = (root, withDrafts) => loadContent({ root, facts, components, withDrafts });
});

test.each(PAGE_TYPES)("1. a page of type %s", { timeout: 30_000 }, async (type) => {
  const root = emptyRepository();
  const path = `/docs/cache/overview/a-${type}`;
  const title = `"Quotes": a {brace}, # and <less>`;
  const files = await createPage(root, { path, type, title });
  expect(files).toEqual([`content${path}.mdx`, "content/navigation.yaml"]);
  // The other pages of the tree are missing here.
  const isOfPage = ({ file, message }: ContentProblem) =>
    file === files[0] || message.startsWith(`There is no page ${path}.`);
  const { pages, problems } = await load(root, true);
  expect(pages).toMatchObject([{ path, title, type, part: "cache", draft: true }]);
  expect(problems.filter(isOfPage)).toEqual([]);
  const published = await load(root, false);
  expect([published.pages, published.drafts]).toEqual([[], [path]]);
  expect(published.problems.filter(isOfPage)).toEqual([]);
});

test.each([
  // [page, the line before it in the tree]
  [
    "/docs/registry/overview/tags",
    navigation.split("\n").findLast((line) => line.includes("/docs/registry/overview/")) ?? "",
  ],
  ["/docs/agents/overview/tools", "          - /docs/agents/overview/mcp"],
  ["/docs/api/errors", "          - /docs/api/authentication/ci-providers"],
])("2. %s is one new line", async (path, former) => {
  const root = emptyRepository();
  await createPage(root, { path, type: "guide", title: "New" });
  const before = navigation.split("\n");
  const after = readFileSync(join(root, "content/navigation.yaml"), "utf8").split("\n");
  const at = after.findIndex((line) => line.endsWith(path));
  expect(after[at - 1]).toBe(former);
  expect(after.toSpliced(at, 1)).toEqual(before);
});

test("2. a page of a folder that the tree has as a whole needs no line", async () => {
  const root = emptyRepository();
  const path = "/docs/cache/reference/buck2";
  expect(await createPage(root, { path, type: "reference", title: "New" })).toEqual([`content${path}.mdx`]);
  expect(readFileSync(join(root, "content/navigation.yaml"), "utf8")).toBe(navigation);
});

test("2. a link without sub-links gets its first; a place that is unknown is said", () => {
  expect(placeInTree(navigation, "/docs/faq/keys")).toContain("more: [ /docs/faq/keys ]");
  expect(() => placeInTree(navigation, "/docs/elsewhere/page")).toThrow("name it there by hand");
});

test.each([
  [{ path: "/docs/Cache/x", type: "guide", title: "X" }, "not the address of a page"],
  [{ path: "/docs", type: "guide", title: "X" }, "not the address of a page"],
  [{ path: "/docs/../x", type: "guide", title: "X" }, "not the address of a page"],
  [{ path: "/docs/cache/x", type: "tutorial", title: "X" }, "start, guide, explain, reference"],
  [{ path: "/docs/cache/x", type: "guide", title: " " }, "1 to 60 characters"],
  [{ path: "/docs/cache/x", type: "guide", title: "x".repeat(61) }, "this one has 61"],
  [{ path: "/docs/cache/x", type: "guide", title: "X", part: "cach" }, 'Did you mean "cache"?'],
  [{ path: "/docs/nowhere/x", type: "guide", title: "X" }, "by hand"],
])("3. %j is refused", async (wish, message) => {
  const root = emptyRepository();
  await expect(createPage(root, wish)).rejects.toThrow(message);
  expect((await load(root, true)).pages).toEqual([]);
  expect(readFileSync(join(root, "content/navigation.yaml"), "utf8")).toBe(navigation);
});

test("3. a page that exists is not overwritten", async () => {
  const root = emptyRepository();
  const wish = { path: "/docs/cache/reference/buck2", type: "guide", title: "Mine" };
  await createPage(root, wish);
  await expect(createPage(root, { ...wish, title: "Other" })).rejects.toThrow("already exists");
  expect(readFileSync(join(root, `content${wish.path}.mdx`), "utf8")).toContain("title: Mine");
});
