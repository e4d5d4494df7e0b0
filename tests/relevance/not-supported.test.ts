/**
 * "No" is an answer. For each line of `content/facts/not-supported.yaml`:
 * 1. Its name, and each of its words, finds the line or the page that it leads to among the first three pages; so does
 *    the question whether Millrace supports it.
 * 2. The name finds the line itself, with its own anchor.
 * 3. The page that it leads to exists, and so does the section.
 */
import { beforeAll, describe, expect, test } from "vitest";
import { pathOf } from "#docs/author/find-pages.ts";
import { loadFacts } from "#docs/content/facts/facts.ts";
import { root } from "#server/pages/build-folders.ts";
import { openDocsSearch, type DocsSearch } from "./docs-search.ts";

const PAGE = "/docs/core-concepts/what-exists";
const FIRST_PAGES = 3;
const { notSupported } = loadFacts(root).facts["not-supported"];
let docs: DocsSearch;

beforeAll(async () => {
  docs = await openDocsSearch();
}, 60_000);

test("there are lines", () => {
  expect(notSupported.length).toBeGreaterThan(20);
});

describe.each(notSupported)("$name", ({ id, name, words, page }) => {
  test.each([...words, name, `does it support ${name}`])("1. %s", (query) => {
    const found = docs.findPages(query).slice(0, FIRST_PAGES);
    const isAnswer = (address: string) => address === `${PAGE}#no-${id}` || pathOf(address) === pathOf(page);
    expect(found.some(isAnswer), found.join("\n")).toBe(true);
  });

  test("2. the line", () => {
    expect(docs.findPages(name)).toContain(`${PAGE}#no-${id}`);
  });

  test("3. the page", () => {
    const addresses = docs.pages.flatMap(({ path, anchors }) => [
      path,
      ...anchors.map((each) => `${path}#${each}`),
    ]);
    expect(addresses).toContain(page);
  });
});
