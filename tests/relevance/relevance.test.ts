/**
 * Properties of the documentation's search, on the current pages:
 * 1. Each question in the files next to this one finds its page first, or among the first three (five) pages.
 * 2. Where the answer has an anchor, the page's best hit is that section.
 * 3. Every page of the tree has at least two questions, and every expected page and anchor exists.
 *
 * A file has page → `first`, `top3` or `top5` → readers' queries. A question as an object has a `note`, which says why
 * less than `first` is expected. "Wish:" in a comment is a question that the engine does not answer yet: make it a
 * question when it does. Hits are grouped by page as a reader counts them: the address without its anchor, in order,
 * within the hits that the search box shows.
 */
import { beforeAll, describe, expect, test } from "vitest";
import { pathOf, placeOf } from "#docs/author/find-pages.ts";
import { readRankedQuestions } from "#docs/author/relevance-questions.ts";
import { root } from "#server/pages/build-folders.ts";
import { openDocsSearch, type DocsSearch } from "./docs-search.ts";

const { questions: allQuestions, problems } = readRankedQuestions(root);
const files = [...new Set(allQuestions.map(({ file }) => file))].map((name) => ({
  name,
  questions: allQuestions.filter(({ file }) => file === name),
}));

let docs: DocsSearch;

beforeAll(async () => {
  docs = await openDocsSearch();
}, 60_000);

describe.each(files)("$name", ({ questions: asked }) => {
  test.each(asked)("$query", ({ query, answers, within }) => {
    const came = docs.findPages(query);
    const [wanted = ""] = answers;
    const rank = placeOf(came, wanted);
    const list = came.map((address, at) => `${at + 1}. ${address}`).join("\n");
    expect(rank > 0 && rank <= within, `wanted ${wanted} within ${within}, came:\n${list}`).toBe(true);
  });
});

describe("the questions", () => {
  test("can all be read", () => {
    expect(problems).toEqual([]);
  });

  test("name pages and anchors that exist", () => {
    const known = new Set(
      docs.pages.flatMap(({ path, anchors }) => [path, ...anchors.map((id) => `${path}#${id}`)]),
    );
    expect(allQuestions.flatMap(({ answers }) => answers).filter((wanted) => !known.has(wanted))).toEqual([]);
  });

  test("are asked once each", () => {
    const texts = allQuestions.map(({ query }) => query);
    expect(texts.filter((text, at) => texts.indexOf(text) !== at)).toEqual([]);
  });

  test("are at least two for each page", () => {
    const count = (path: string) =>
      allQuestions.filter(({ answers }) => answers.some((one) => pathOf(one) === path)).length;
    expect(docs.pages.map(({ path }) => path).filter((path) => count(path) < 2)).toEqual([]);
  });
});
