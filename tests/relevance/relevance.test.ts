/**
 * Properties of the documentation's search, on the pages as they are:
 * 1. Each question in the files beside this one finds its page first, or among the first three (five) pages.
 * 2. Where the answer has an anchor, the page's best hit is that section.
 * 3. Every page of the tree has at least two questions, and every expected page and anchor exists.
 *
 * A file has page → `first`, `top3` or `top5` → what readers type. A question as an object has a `note`, which says why less
 * than `first` is expected. "Wish:" in a comment is a question that the engine does not answer yet: make it a question when
 * it does. Hits are grouped by page as a reader counts them: the address without its anchor, in order, within the hits that
 * the search box shows.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import * as z from "zod";
import { openDocsSearch, pathOf, type DocsSearch } from "./docs-search.ts";

const ranks = { first: 1, top3: 3, top5: 5 } as const;

const question = z.union([z.string(), z.strictObject({ query: z.string(), note: z.string() })]);
const questions = z.array(question).optional();
const fileSchema = z.record(
  z.string().startsWith("/docs"),
  z.strictObject({ first: questions, top3: questions, top5: questions }),
);

interface Question {
  query: string;
  /** `/docs/…`, with `#anchor` where the section matters. */
  wanted: string;
  within: number;
}

function readQuestions(name: string): Question[] {
  const file = fileSchema.parse(parse(readFileSync(join(import.meta.dirname, name), "utf8")));
  return Object.entries(file).flatMap(([wanted, byRank]) =>
    (["first", "top3", "top5"] as const).flatMap((rank) =>
      (byRank[rank] ?? []).map((one) => {
        return { query: typeof one === "string" ? one : one.query, wanted, within: ranks[rank] };
      }),
    ),
  );
}

const files = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith(".yaml"))
  .map((name) => ({ name, questions: readQuestions(name) }));
const allQuestions = files.flatMap((file) => file.questions);

let docs: DocsSearch;

beforeAll(async () => {
  docs = await openDocsSearch();
}, 60_000);

describe.each(files)("$name", ({ questions: asked }) => {
  test.each(asked)("$query", ({ query, wanted, within }) => {
    const came = docs.findPages(query);
    const isWanted = (address: string) => (wanted.includes("#") ? address : pathOf(address)) === wanted;
    const rank = came.findIndex(isWanted) + 1;
    const list = came.map((address, at) => `${at + 1}. ${address}`).join("\n");
    expect(rank > 0 && rank <= within, `wanted ${wanted} within ${within}, came:\n${list}`).toBe(true);
  });
});

describe("the questions", () => {
  test("name pages and anchors that exist", () => {
    const known = new Set(
      docs.pages.flatMap(({ path, anchors }) => [path, ...anchors.map((id) => `${path}#${id}`)]),
    );
    expect(allQuestions.map(({ wanted }) => wanted).filter((wanted) => !known.has(wanted))).toEqual([]);
  });

  test("are asked once each", () => {
    const texts = allQuestions.map(({ query }) => query);
    expect(texts.filter((text, at) => texts.indexOf(text) !== at)).toEqual([]);
  });

  test("are at least two for each page", () => {
    const count = (path: string) => allQuestions.filter(({ wanted }) => pathOf(wanted) === path).length;
    expect(docs.pages.map(({ path }) => path).filter((path) => count(path) < 2)).toEqual([]);
  });
});
