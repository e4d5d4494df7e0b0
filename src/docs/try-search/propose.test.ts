/**
 * 1. A word that readers exchanged for another one, and then opened a hit, becomes a synonym; a page that they opened becomes a
 *    redirect; pages that no longer exist are left out. 2. A word that the index does not have gets the most similar one that it
 *    has, and a concept's words for it. 3. Searches with the same words are one row, the most frequent spelling first. 4. There
 *    is always a page to write, whose title has no sign of a shell. 5. Any words, however many, give rows within their bounds.
 * 6. The effect counts searches that would find something, and others whose first three hits would differ; it ends when it may
 *    not continue.
 */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { buildDocsIndex } from "#docs/docs-index.ts";
import type { SearchRecord } from "#docs/records/types.ts";
import { measureEffect } from "./measure-effect.ts";
import { MAX_GROUPS, type MissedSearch, type ProposalRequest, proposeChanges } from "./propose.ts";

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

const bytes = buildDocsIndex(
  [
    page("/docs/runners", "Runners", "Machines that run the jobs of a workflow."),
    page("/docs/cache", "Cache", "Outputs of build tools, kept for everyone in a containerized build."),
    page("/docs/cdk", "CDK", "Describe machines in code."),
  ],
  [["runners", "workers"], { typed: ["terraform"], means: ["cdk"] }],
);

const missed = (query: string, rest: Partial<MissedSearch> = {}): MissedSearch => ({
  query,
  count: 3,
  lastDay: 0,
  outcome: "nothing",
  ...rest,
});

function propose(searches: MissedSearch[], steps: ProposalRequest["steps"] = []) {
  return proposeChanges({ kind: "proposals", bytes, missed: searches, steps });
}

test("1. what readers did next", () => {
  const [row] = propose(
    [missed("agents size")],
    [
      { query: "agents size", next: "runners size", path: "/docs/runners", readers: 4 },
      { query: "agents size", next: null, path: "/docs/cache", readers: 3 },
      { query: "agents size", next: null, path: "/docs/gone", readers: 9 },
      { query: "other", next: "cache", path: "/docs/cache", readers: 9 },
    ],
  );
  expect(row?.proposals).toEqual([
    {
      kind: "synonym",
      words: ["agents", "runners"],
      evidence: "4 readers then searched for “runners size” and opened a hit.",
    },
    {
      kind: "redirect",
      query: "agents size",
      path: "/docs/runners",
      evidence: "4 readers then found this page with “runners size”.",
    },
    {
      kind: "redirect",
      query: "agents size",
      path: "/docs/cache",
      evidence: "3 readers then opened this page.",
    },
    expect.objectContaining({ kind: "page" }),
  ]);
  const steps = [{ query: "agents", next: "runners", path: "/docs/runners", readers: 4 }];
  expect(propose([missed("agents", { outcome: "unopened" })], steps)[0]?.proposals[0]).toMatchObject({
    kind: "redirect",
  });
  const known = [{ query: "workers", next: "runners", path: "/docs/runners", readers: 4 }];
  expect(propose([missed("workers")], known)[0]?.proposals.map(({ kind }) => kind)).toEqual([
    "redirect",
    "page",
  ]);
});

test("2. similar words", () => {
  const first = (query: string) => propose([missed(query)])[0]?.proposals[0];
  expect(first("containersied")).toEqual({
    kind: "synonym",
    words: ["containersied", "containerized"],
    evidence: "2 letters differ from “containerized”, a word of 1 section.",
  });
  expect(first("terafform")).toEqual({
    kind: "synonym",
    words: ["terafform", "cdk"],
    evidence: "2 letters differ from “terraform”, whose meaning is in content/concepts.yaml.",
  });
  for (const query of ["zzzz", "runners", "x", "cdkk2"])
    expect(first(query), query).toMatchObject({ kind: "page" });
});

test("3. one row for the same words", () => {
  const rows = propose([
    missed("warm  drinks", { count: 3, lastDay: 9 }),
    missed("Drinks-Wärm", { count: 5, lastDay: 4 }),
    missed("cold drinks", { count: 20 }),
  ]);
  expect(rows).toMatchObject([
    { query: "cold drinks", alike: [], count: 20 },
    { query: "Drinks-Wärm", alike: ["warm  drinks"], count: 8, lastDay: 9 },
  ]);
});

test("4, 5. any words", () => {
  expect(propose([missed('"; $(rm -rf /) `x` \\ \n')])[0]?.proposals.at(-1)).toMatchObject({
    title: "Rm rf x",
  });
  const searches = fc.array(fc.string({ unit: "grapheme", minLength: 1, maxLength: 200 }), { maxLength: 20 });
  fc.assert(
    fc.property(searches, (queries) => {
      for (const { proposals, alike } of propose([...new Set(queries)].map((query) => missed(query)))) {
        expect(proposals.length).toBeLessThanOrEqual(4);
        expect(alike.length).toBeLessThanOrEqual(5);
        const last = proposals.at(-1);
        expect(last?.kind === "page" && /^[\p{L}\p{N} ]{0,60}$/u.test(last.title)).toBe(true);
      }
    }),
    { numRuns: 30 },
  );
  expect(propose(Array.from({ length: 1000 }, (_, index) => missed(`word${index}`)))).toHaveLength(
    MAX_GROUPS,
  );
});

test("6. the effect on past searches", () => {
  const change = { kind: "synonym", words: ["agents", "runners"] } as const;
  const searches = [
    { query: "cache", count: 50 },
    { query: "agents", count: 7 },
    { query: "nothing like it", count: 5 },
    { query: "agents jobs cache", count: 4 },
  ];
  const effect = measureEffect({ kind: "effect", bytes, change, searches });
  expect(effect.tried).toBe(4);
  expect(effect.found).toEqual({
    searches: 1,
    times: 7,
    rows: [
      { query: "agents", count: 7, before: [], after: [{ path: "/docs/runners", trail: "Docs › Runners" }] },
    ],
  });
  for (const { before, after } of effect.changed.rows) expect(before).not.toEqual(after);
  let left = 2;
  expect(measureEffect({ kind: "effect", bytes, change, searches }, () => left-- > 0).tried).toBe(2);
});
