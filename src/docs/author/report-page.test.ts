/**
 * The report for a page's author:
 * 1. Problems of its own file, errors first, even if the file is not a page yet; problems of other files are counted.
 * 2. Its records in their order, and no record of a page whose path begins with its own; long texts are shortened.
 * 3. Questions that it answers, with its current place: a section only counts if it is its page's best hit, and
 *    a question that another page answers in time is answered.
 * 4. Words that an author tries: the found pages, and the place of this page; a text of any length is accepted.
 *    Both rank as the site does: a page's known question finds it, with none of its words.
 * 5. The questions' files: both kinds are read; a malformed file is reported with its line and does not hide the others.
 */
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openIndex } from "#search/index.ts";
import { emptyNavigation } from "../content/navigation/navigation.ts";
import { pageOf } from "../content/checks/page-fixture.ts";
import type { ContentProblem } from "../content/types.ts";
import { buildDocsIndex, docsRecords } from "../docs-index.ts";
import { openEditedDocs } from "../open-edited-docs.ts";
import { readRankedQuestions, readWholeQuestions, type RelevanceQuestion } from "./relevance-questions.ts";
import { reportPage, tryQuery } from "./report-page.ts";

const pages = [
  pageOf({
    path: "/docs/cache",
    title: "Cache",
    blocks: [
      { kind: "heading", depth: 2, id: "quota", text: "Quota" },
      { kind: "paragraph", text: `Otters store ${"very ".repeat(60)}much.` },
      { kind: "heading", depth: 2, id: "keys", text: "Keys" },
    ],
  }),
  pageOf({ path: "/docs/cache/otters", title: "Otters", blocks: [] }),
];
const problem = (file: string, severity: "error" | "warning", line: number): ContentProblem => ({
  file,
  line,
  severity,
  rule: "rule",
  message: "Wrong.",
  fix: "Right.",
});
const records = docsRecords(pages, emptyNavigation);
const state = {
  pages,
  records,
  index: openIndex(buildDocsIndex(records, [])),
  problems: [
    problem("content/docs/cache.mdx", "warning", 2),
    problem("content/docs/cache/otters.mdx", "error", 3),
    problem("content/docs/cache.mdx", "error", 9),
    problem("content/docs/young.mdx", "error", 1),
  ],
};
const none = { questions: [], problems: [] };
const question = (query: string, answers: string[], within: number): RelevanceQuestion => ({
  query,
  answers,
  within,
  file: "tests/relevance/cache.yaml",
});

test("1. problems of its own file, errors first", () => {
  const report = reportPage(state, "/docs/cache", none);
  expect(report?.problems.map(({ line }) => line)).toEqual([9, 2]);
  expect(report?.elsewhere).toBe(2);
  const young = reportPage(state, "/docs/young", none);
  expect(young).toMatchObject({ title: "/docs/young", file: "content/docs/young.mdx", recordCount: 0 });
  expect(young?.problems).toHaveLength(1);
  expect(reportPage(state, "/docs/nowhere", none)).toBeUndefined();
});

test("2. its records", () => {
  const report = reportPage(state, "/docs/cache", none);
  const rows = report?.records.map(
    ({ type, hierarchy, position }) => `${position} ${type} ${hierarchy.join(" › ")}`,
  );
  expect(rows).toEqual([
    "0 lvl1 Cache",
    "1 lvl2 Cache › Quota",
    "2 content Cache › Quota",
    "3 lvl2 Cache › Keys",
  ]);
  expect(report?.recordCount).toBe(4);
  const text = report?.records.find(({ content }) => content?.startsWith("Otters"))?.content ?? "";
  expect(text.length).toBeLessThanOrEqual(140);
  expect(text).toMatch(/^Otters store very.*…$/);
});

test("3. its questions", () => {
  const asked = {
    problems: [],
    questions: [
      question("keys", ["/docs/cache#keys"], 1),
      question("keys of the cache", ["/docs/cache#quota"], 1),
      question("otters", ["/docs/cache"], 1),
      question("otters?", ["/docs/cache", "/docs/cache/otters"], 1),
      question("xylophone", ["/docs/cache"], 5),
      question("of another page", ["/docs/cache/otters"], 1),
    ],
  };
  const report = reportPage(state, "/docs/cache", asked);
  expect(
    report?.questions.map(({ query, place, other, isAnswered }) => [query, place, other, isAnswered]),
  ).toEqual([
    ["keys", 1, null, true],
    ["keys of the cache", 0, null, false],
    ["otters", 2, null, false],
    ["otters?", 2, "/docs/cache/otters", true],
    ["xylophone", 0, null, false],
  ]);
});

test("4. words that someone tries", () => {
  expect(tryQuery(state, "/docs/cache", "otters")).toEqual({
    query: "otters",
    place: 2,
    pages: [
      { address: "/docs/cache/otters", title: "Otters" },
      { address: "/docs/cache#quota", title: "Cache" },
    ],
  });
  expect(tryQuery(state, "/docs/cache", "xylophone")).toMatchObject({ place: 0, pages: [] });
  expect(tryQuery(state, "/docs/cache", "otters ".repeat(100_000)).query.length).toBeLessThan(1_000);
});

test("4. words that mean a page", async () => {
  const asked = pageOf({
    path: "/docs/retention",
    title: "Retention",
    questions: ["clean up old docker pictures"],
    blocks: [{ kind: "paragraph", text: "Expired images are removed after ninety days." }],
  });
  const all = [...pages, asked];
  const content = { pages: all, navigation: emptyNavigation, synonyms: [] };
  const ranked = { ...state, pages: all, ...(await openEditedDocs(content)) };
  expect(tryQuery(ranked, "/docs/retention", "tidying up old docker pictures").place).toBe(1);
  const questions = [question("tidying up old docker pictures", ["/docs/retention"], 1)];
  expect(reportPage(ranked, "/docs/retention", { questions, problems: [] })?.questions).toMatchObject([
    { place: 1, isAnswered: true },
  ]);
});

test("5. the files of questions", () => {
  const root = mkdtempSync(join(tmpdir(), "millrace-"));
  const folder = join(root, "tests/relevance");
  mkdirSync(join(folder, "questions"), { recursive: true });
  writeFileSync(
    join(folder, "a.yaml"),
    "/docs/a:\n  first: [a]\n  top5:\n    - { query: b, note: because }\n/docs/a#c: { top3: [c] }\n",
  );
  writeFileSync(join(folder, "b.yaml"), "/docs/b:\n  first: [b1]\n  second: [b2]\n");
  writeFileSync(join(folder, "questions/c.yaml"), "what is d: [/docs/d, /docs/e]\n");
  const ranked = readRankedQuestions(root);
  expect(ranked.questions).toEqual([
    { query: "a", answers: ["/docs/a"], within: 1, file: "tests/relevance/a.yaml" },
    { query: "b", answers: ["/docs/a"], within: 5, file: "tests/relevance/a.yaml" },
    { query: "c", answers: ["/docs/a#c"], within: 3, file: "tests/relevance/a.yaml" },
  ]);
  expect(ranked.problems).toMatchObject([{ file: "tests/relevance/b.yaml", line: 3, rule: "relevance" }]);
  expect(readWholeQuestions(root)).toEqual({
    questions: [
      {
        query: "what is d",
        answers: ["/docs/d", "/docs/e"],
        within: 3,
        file: "tests/relevance/questions/c.yaml",
      },
    ],
    problems: [],
  });
});
