/**
 * Properties of the documentation's search, on the pages as they are:
 * 1. Of the questions in `questions/`, written as readers type them before anybody looked at what the search answers, at
 *    least nine in ten have a page that answers among the first three. The test names all that have not.
 * 2. They are at least sixty, asked once each, and every one has an answer in the documentation.
 *
 * A file has question → pages that answer, any of them. The test beside this one (relevance.test.ts) is about words and
 * page names; a question of this one is never given to a page as a keyword.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import * as z from "zod";
import { openDocsSearch, pathOf, type DocsSearch } from "./docs-search.ts";

const folder = join(import.meta.dirname, "questions");
const fileSchema = z.record(z.string(), z.array(z.string().startsWith("/docs")).min(1));
const LEAST_SHARE = 0.9;
const LOOKED_AT = 3;

const questions = readdirSync(folder)
  .filter((name) => name.endsWith(".yaml"))
  .flatMap((name) => Object.entries(fileSchema.parse(parse(readFileSync(join(folder, name), "utf8")))));

let docs: DocsSearch;

beforeAll(async () => {
  docs = await openDocsSearch();
}, 60_000);

test("1. nine in ten are answered among the first three pages", () => {
  const missed = questions.flatMap(([query, answers]) => {
    const first = docs.findPages(query).map(pathOf).slice(0, LOOKED_AT);
    return first.some((page) => answers.includes(page))
      ? []
      : [`${query} → ${first.join(", ") || "nothing"}; answered by ${answers.join(", ")}`];
  });
  const share = 1 - missed.length / questions.length;
  expect(
    share,
    `${missed.length} of ${questions.length} missed:\n${missed.join("\n")}`,
  ).toBeGreaterThanOrEqual(LEAST_SHARE);
});

test("2. at least sixty, once each, with an answer", () => {
  const asked = questions.map(([query]) => query);
  expect(asked.length).toBeGreaterThanOrEqual(60);
  expect(asked.filter((query, at) => asked.indexOf(query) !== at)).toEqual([]);
  const known = new Set(docs.pages.map(({ path }) => path));
  const open = questions.filter(([, answers]) => !answers.some((page) => known.has(page)));
  expect(open.map(([query]) => query)).toEqual([]);
});
