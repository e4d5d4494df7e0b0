/**
 * Properties of the check of the marketing pages:
 * 1. The repository's own content has no mistake.
 * 2. A mistake is reported with its file and line: invalid YAML, a wrong field, an unknown limit, part or state; a product without
 *    a file, and a file without a product.
 * 3. So is a mistake in the front matter of a changelog entry, whose lines count from the file's start.
 */
import { cpSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { loadFacts } from "#docs/content/facts/facts.ts";
import { readMarketingFolder } from "./marketing-folder.ts";
import { quotesOf } from "./read-marketing.ts";

const root = mkdtempSync(join(tmpdir(), "marketing-"));
const quotes = quotesOf(loadFacts(process.cwd()).facts);
beforeEach(() => {
  rmSync(join(root, "content"), { recursive: true, force: true });
  cpSync("content", join(root, "content"), { recursive: true });
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const entry = "content/changelog/2026-11-21-documentation-and-search.md";

test("1. what is there is right", () => {
  const { marketing, problems } = readMarketingFolder(root, quotes);
  expect(problems).toEqual([]);
  expect(marketing?.products).toHaveLength(6);
});

test.each([
  ["content/marketing/home.yaml", /^hero:$/m, "hero: [", "Not YAML", 2],
  ["content/marketing/home.yaml", /^ {2}lead: .*/m, "  laed: x", "hero.lead", -1],
  ["content/marketing/home.yaml", /\{\{limit:.*?\}\}/, "{{limit:no.such}}", "{{limit:no.such}}", 0],
  ["content/marketing/home.yaml", /\{\{parts:.*?\}\}/, "{{parts:soon}}", "{{parts:soon}}", 0],
  ["content/marketing/trust.yaml", /\{\{preview:.*?\}\}/, "{{preview:manged}}", "{{preview:manged}}", 0],
  [entry, /^date: .*/m, "date: tomorrow", "date", 0],
  [entry, /^---\n/, "", "no front matter", 0],
])("2, 3. %s with %s wrong", (file, right, wrong, message, below) => {
  const source = readFileSync(join(root, file), "utf8");
  const [before = ""] = source.split(right);
  writeFileSync(join(root, file), source.replace(right, wrong));
  const found = readMarketingFolder(root, quotes).problems.filter((problem) =>
    problem.message.includes(message),
  );
  expect(found).toHaveLength(1);
  expect(found[0]?.file).toBe(file);
  // An absent field is reported at its parent's first field; an extra bracket, where the following text does not fit.
  expect(found[0]?.line).toBe(before.split("\n").length + below);
});

test("2. a file with another name", () => {
  renameSync(
    join(root, "content/marketing/products/cache.yaml"),
    join(root, "content/marketing/products/cash.yaml"),
  );
  const { marketing, problems } = readMarketingFolder(root, quotes);
  expect(marketing).toBeNull();
  expect(problems.map(({ file, message }) => `${file}: ${message}`)).toEqual([
    "content/marketing/products/cache.yaml: The file is missing.",
    "content/marketing/products/cash.yaml: No product matches this file: the file name must be a product's path.",
  ]);
});
