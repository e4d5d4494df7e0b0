/**
 * Properties of the questions in `questions/held-out/`, which only measure:
 * 1. They are at least a hundred, asked once each, every answer is a page, and neither another file of this folder nor a page asks them.
 * 2. The share that finds a page among the first three does not fall. The test does not name the others: whoever reads them
 *    tunes the search to them, and then they measure nothing.
 *
 * They were written from the pages' contents before anyone saw the search's answers. Never choose a synonym, a keyword, a
 * concept or a weight because of one of them. `npm run node bench/search-questions.ts` prints their figures.
 */
import { expect, test } from "vitest";
import { placeOf } from "#docs/author/find-pages.ts";
import {
  readHeldOutQuestions,
  readRankedQuestions,
  readWholeQuestions,
} from "#docs/author/relevance-questions.ts";
import { root } from "#server/pages/build-folders.ts";
import { openDocsSearch } from "./docs-search.ts";

/** Raise it when the search gets better. */
const LEAST_SHARE = 0.86;

const { questions, problems } = readHeldOutQuestions(root);
const docs = await openDocsSearch();

test("1. a hundred questions that no other file asks, with pages that exist", () => {
  expect(problems).toEqual([]);
  const asked = questions.map(({ query }) => query);
  expect(asked.length).toBeGreaterThanOrEqual(100);
  const others = [readRankedQuestions(root), readWholeQuestions(root)].flatMap((all) =>
    all.questions.map(({ query }) => query),
  );
  const onPages = docs.pages.flatMap((page) => page.questions);
  const all = [...asked, ...others, ...onPages];
  expect(asked.filter((query) => all.indexOf(query) !== all.lastIndexOf(query))).toEqual([]);
  const known = new Set(docs.pages.map(({ path }) => path));
  expect(questions.flatMap(({ answers }) => answers).filter((page) => !known.has(page))).toEqual([]);
});

test("2. their share among the first three", () => {
  const found = questions.filter(({ query, answers, within }) => {
    const first = docs.findPages(query).slice(0, within);
    return answers.some((answer) => placeOf(first, answer) > 0);
  });
  expect(found.length / questions.length).toBeGreaterThanOrEqual(LEAST_SHARE);
});
