/**
 * Properties of the questions in `questions/held-out/` and in `questions/fresh-<date>/`, which only measure:
 * 1. They are at least a hundred, asked once each, every answer is a page, and neither another file of this folder nor a page asks them.
 * 2. The share that finds a page among the first three does not fall. The test does not name the others: whoever reads them
 *    tunes the search to them, and then they measure nothing.
 *
 * They were written from the pages' contents before anyone saw the search's answers. Never choose a synonym, a keyword, a
 * concept or a weight because of one of them. A set whose total was seen while weights were chosen is worn: write a fresh one.
 * `npm run node bench/search-questions.ts` prints their figures.
 */
import { describe, expect, test } from "vitest";
import { placeOf } from "#docs/author/find-pages.ts";
import {
  readFreshQuestions,
  readHeldOutQuestions,
  readRankedQuestions,
  readWholeQuestions,
} from "#docs/author/relevance-questions.ts";
import { root } from "#server/pages/build-folders.ts";
import { openDocsSearch } from "./docs-search.ts";

/** Raise the least shares when the search gets better. */
const SETS = [
  { name: "held out", ...readHeldOutQuestions(root), leastShare: 0.9 },
  { name: "fresh", ...readFreshQuestions(root), leastShare: 0.93 },
];
const docs = await openDocsSearch();

const askedOf = (questions: readonly { query: string }[]) => questions.map(({ query }) => query);

describe.each(SETS)("$name", ({ questions, problems, leastShare }) => {
  test("1. a hundred questions that no other file asks, with pages that exist", () => {
    expect(problems).toEqual([]);
    const asked = askedOf(questions);
    expect(asked.length).toBeGreaterThanOrEqual(100);
    const sets = [readRankedQuestions(root), readWholeQuestions(root), ...SETS];
    const all = [
      ...sets.flatMap((set) => askedOf(set.questions)),
      ...docs.pages.flatMap((page) => page.questions),
    ];
    expect(asked.filter((query) => all.indexOf(query) !== all.lastIndexOf(query))).toEqual([]);
    const known = new Set(docs.pages.map(({ path }) => path));
    expect(questions.flatMap(({ answers }) => answers).filter((page) => !known.has(page))).toEqual([]);
  });

  test("2. their share among the first three", () => {
    const found = questions.filter(({ query, answers, within }) => {
      const first = docs.findPages(query).slice(0, within);
      return answers.some((answer) => placeOf(first, answer) > 0);
    });
    expect(found.length / questions.length).toBeGreaterThanOrEqual(leastShare);
  });
});
