/**
 * Properties of searches for a bare name, on the current pages:
 * 1. The name of a section of the tree finds the page that leads it first.
 * 2. So does the name of the part that this page describes.
 */
import { beforeAll, expect, test } from "vitest";
import { pathOf } from "#docs/author/find-pages.ts";
import { compileContent } from "../../scripts/steps/content-step.ts";
import { openDocsSearch, type DocsSearch } from "./docs-search.ts";

const { navigation, pages } = await compileContent();
const leading = navigation.sections.map(({ name, links }) => ({ name, page: links[0]!.to }));
const parts = leading.flatMap(({ page }) => {
  const part = pages.find(({ path }) => path === page)?.part ?? "none";
  return part === "none" || part === "all" ? [] : [{ name: part.replaceAll("-", " "), page }];
});

let docs: DocsSearch;

beforeAll(async () => {
  docs = await openDocsSearch();
}, 60_000);

test.each(leading)("1. $name", ({ name, page }) => {
  expect(docs.findPages(name).map(pathOf)[0]).toBe(page);
  expect(docs.findPages(name.toLowerCase()).map(pathOf)[0]).toBe(page);
});

test.each(parts)("2. $name", ({ name, page }) => {
  expect(docs.findPages(name).map(pathOf)[0]).toBe(page);
});

test("2. the parts have names", () => {
  expect(parts.length).toBeGreaterThan(5);
});
