/**
 * 1. A synonym and a keyword change the hits, as they would after a build; the served index does not change. 2. One change
 *    at a time; a change that takes too long is ended, and the next one runs.
 */
import { expect, test } from "vitest";
import { buildDocsIndex } from "#docs/docs-index.ts";
import type { SearchRecord } from "#docs/records/types.ts";
import { createChangeTrials } from "./try-change.ts";

const page = (path: string, title: string, content: string): SearchRecord => ({
  objectID: path.replaceAll("/", "-"),
  url: `https://millrace.example.com${path}`,
  anchor: "null",
  hierarchy_lvl0: "Docs",
  hierarchy_lvl1: title,
  hierarchy_lvl2: "null",
  hierarchy_lvl3: "null",
  hierarchy_lvl4: "null",
  content,
  type: "lvl1",
  level: 100,
  position: 0,
});

const records = [
  page("/docs/runners", "Runners", "Machines that run the jobs of a workflow."),
  page("/docs/cache", "Cache", "Outputs of build tools, kept for everyone."),
];
const bytes = buildDocsIndex(records, []);
const open = (limitMs?: number) => createChangeTrials(() => Promise.resolve(bytes), limitMs).tryChange;
const runners = { path: "/docs/runners", trail: "Docs › Runners" };
const cache = { path: "/docs/cache", trail: "Docs › Cache" };

test("1. a synonym, and a keyword", async () => {
  const tryChange = open();
  const synonym = { kind: "synonym", words: ["agents", "runners"] } as const;
  expect(await tryChange({ change: synonym, query: "agents" })).toEqual({ before: [], after: [runners] });
  const keyword = { kind: "keyword", keyword: "runners", path: "/docs/cache#limits" } as const;
  const { before, after } = await tryChange({ change: keyword, query: "runners" });
  expect(before).toEqual([runners]);
  expect(after).toEqual(expect.arrayContaining([runners, cache]));
});

test("2. one at a time, and not forever", async () => {
  const change = { kind: "synonym", words: ["a", "b"] } as const;
  const tryChange = open(1);
  const first = tryChange({ change, query: "a" });
  await expect(tryChange({ change, query: "a" })).rejects.toThrow(/Another change/);
  await expect(first).rejects.toThrow(/not tried within/);
  await expect(tryChange({ change, query: "a" })).rejects.toThrow(/not tried within/);
});
