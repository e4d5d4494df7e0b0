/**
 * Properties of the documentation's search, on the current pages:
 * 1. At least 97 of 100 questions of `questions/`, written as readers type them before anyone looked at the search's
 *    answers, have an answering page among the first three. The test names all others.
 * 2. They are at least sixty, asked once each, and every one has an answer in the documentation.
 *
 * 3. Every page has known questions, asked once each, and none of these tests' own, which would measure themselves.
 * 4. Letters without meaning and questions about other things find nothing, whatever the meaning is near to.
 *
 * A file has question → pages that answer, any of them. The test next to this one (relevance.test.ts) is about words
 * and page names; a question of this test is never given to a page as a keyword.
 */
import { beforeAll, expect, test } from "vitest";
import { placeOf, pathOf } from "#docs/author/find-pages.ts";
import { readRankedQuestions, readWholeQuestions } from "#docs/author/relevance-questions.ts";
import { root } from "#server/pages/build-folders.ts";
import { openDocsSearch, type DocsSearch } from "./docs-search.ts";

const LEAST_SHARE = 0.97;

const { questions, problems } = readWholeQuestions(root);

let docs: DocsSearch;

beforeAll(async () => {
  docs = await openDocsSearch();
}, 60_000);

test("1. 97 of 100 are answered among the first three pages", () => {
  const missed = questions.flatMap(({ query, answers, within }) => {
    const first = docs.findPages(query).map(pathOf).slice(0, within);
    return answers.some((answer) => placeOf(first, answer) > 0)
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
  expect(problems).toEqual([]);
  const asked = questions.map(({ query }) => query);
  expect(asked.length).toBeGreaterThanOrEqual(60);
  expect(asked.filter((query, at) => asked.indexOf(query) !== at)).toEqual([]);
  const known = new Set(docs.pages.map(({ path }) => path));
  const open = questions.filter(({ answers }) => !answers.some((page) => known.has(page)));
  expect(open.map(({ query }) => query)).toEqual([]);
});

test("3. known questions of pages", () => {
  const known = docs.pages.flatMap((page) => page.questions);
  expect(docs.pages.filter((page) => page.questions.length < 2).map(({ path }) => path)).toEqual([]);
  expect(known.filter((question, at) => known.indexOf(question) !== at)).toEqual([]);
  const tested = new Set([...questions, ...readRankedQuestions(root).questions].map(({ query }) => query));
  expect(known.filter((question) => tested.has(question))).toEqual([]);
});

const ABOUT_OTHER_THINGS = [
  "qwertzuiop",
  "quetzalcoatlus",
  "pteranodon and ornithocheirus",
  "blorft zzyzx",
  "asdf",
  "hjkl hjkl",
  "xkcd",
  "zzzzzz",
  "pizza",
  "football",
  "elephants",
  "lorem ipsum dolor",
  "weather tomorrow",
  "guitar lessons",
];

test.each(ABOUT_OTHER_THINGS)("4. %s finds nothing", (query) => {
  expect(docs.findPages(query)).toEqual([]);
});
