/**
 * 1. A search in steps finds the same as a search in one go, whatever other searches of the same index run between its
 *    steps (oracle: each alone).
 * 2. A search does only the requested work: names that are repeated or unknown cost nothing, and a text is read once for
 *    each operation on it.
 * 3. Beyond its work a search has fewer hits and says so; the first ones are those that it would have had.
 * 4. Facets and filters beyond it are refused: partial ones would be wrong.
 * 5. Only the beginning of a giant text is searched for matches, and all of it is there.
 * 6. With many phrases and exclusions the first ones count.
 */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  buildIndex,
  createWork,
  openIndex,
  search,
  searchSteps,
  type SearchDocument,
  type SearchQuery,
} from "./index.ts";
import { MAX_FORMATTED_CHARACTERS, MAX_QUERY_CONDITIONS } from "./contract/limits.ts";
import { createTokenizer } from "./text/tokenize.ts";
import { parseQuery } from "./query/parse-query.ts";

const WORDS = "build cache docker image warm builder registry token layer deploy".split(" ");

function textOf(seed: number, words: number): string {
  return Array.from(
    { length: words },
    (_, at) => WORDS[(seed * 7 + at * ((seed % 5) + 1)) % WORDS.length],
  ).join(" ");
}

const documents: SearchDocument[] = Array.from({ length: 300 }, (_, id) => ({
  id,
  title: textOf(id, 3),
  content: textOf(id + 3, 40),
  kind: WORDS[id % WORDS.length]!,
  size: id % 17,
}));
const index = openIndex(
  buildIndex(documents, {
    primaryKey: "id",
    searchableAttributes: ["title", "content"],
    filterableAttributes: ["kind", "size"],
    sortableAttributes: ["size"],
  }),
);

const everything: SearchQuery = {
  q: "build cache",
  limit: 300,
  highlight: { attributes: ["*"], preTag: "<", postTag: ">" },
  crop: { attributes: ["content"], length: 5, marker: "…" },
  showMatchesPosition: true,
};

const queries = fc.record(
  {
    q: fc.constantFrom(
      "",
      "b",
      "build cache",
      '"docker image"',
      "-cache token",
      'failed: "warm" build',
      "dokcer",
    ),
    limit: fc.integer({ min: 0, max: 40 }),
    facets: fc.constantFrom("*", "kind").map((name) => [name]),
    filter: fc.constantFrom("size > 3", 'kind = build OR kind IN ["cache", token]', "NOT size = 2"),
    sort: fc.constant("size:asc").map((rule) => [rule]),
    distinct: fc.constant("kind"),
    minScore: fc.constant(0.2),
    highlight: fc.constant(everything.highlight!),
    crop: fc.constant(everything.crop!),
    showScoreDetails: fc.boolean(),
  },
  { requiredKeys: ["q"] },
);

test("1. interleaved", () => {
  fc.assert(
    fc.property(
      fc.array(queries, { minLength: 2, maxLength: 4 }),
      fc.infiniteStream(fc.nat()),
      (asked, choices) => {
        const alone = asked.map((query) => search(index, query));
        const running = asked.map((query, at) => ({ at, steps: searchSteps(index, query) }));
        const results: unknown[] = [];
        for (const choice of choices) {
          const one = running[choice % running.length]!;
          const step = one.steps.next();
          if (!step.done) continue;
          results[one.at] = step.value;
          running.splice(running.indexOf(one), 1);
          if (running.length === 0) break;
        }
        expect(results).toEqual(alone);
      },
    ),
    { numRuns: 40 },
  );
});

function workOf(query: SearchQuery): number {
  const work = createWork();
  search(index, { ...query, work });
  return work.done;
}

test("2. work", () => {
  const names = Array.from({ length: 100 }, (_, at) => `unknown${at}`);
  const plain = workOf({ q: "build cache", limit: 300 });
  expect(workOf({ q: "build cache", limit: 300, retrieve: names })).toBe(plain);
  const characters = documents.reduce((sum, document) => sum + JSON.stringify(document).length, 0);
  expect(workOf(everything) - plain).toBeLessThan(2 * characters);
  expect(workOf({ ...everything, limit: 1 }) - workOf({ ...everything, limit: 0 })).toBeLessThan(2000);
});

test("3. fewer hits", () => {
  const { hits, total } = search(index, everything);
  const whole = workOf(everything);
  for (const part of [0.9, 0.7, 0.5]) {
    const work = createWork({ most: whole * part });
    const some = search(index, { ...everything, work });
    expect(some.isDegraded).toBe(true);
    expect(some.total).toBe(total);
    expect(some.hits.length).toBeLessThan(hits.length);
    expect(some.hits.length).toBeGreaterThan(0);
    expect(some.hits).toEqual(hits.slice(0, some.hits.length));
    // One hit is finished when it ends.
    expect(work.done).toBeLessThan(whole * part + 2000);
  }
  const room = createWork({ hasRoomFor: () => false });
  expect(search(index, { ...everything, work: room })).toMatchObject({ hits: [], total, isDegraded: true });
  const late = createWork({ isLate: () => true });
  expect(search(index, { ...everything, work: late })).toMatchObject({ hits: [], total, isDegraded: true });
});

test("4. facets and filters", () => {
  const work = () => createWork({ most: 100 });
  expect(() => search(index, { q: "build", facets: ["*"], work: work() })).toThrow(/facets takes longer/);
  expect(() =>
    search(index, { q: "", facets: ["kind"], work: createWork({ hasRoomFor: () => false }) }),
  ).toThrow(/values of the facets are longer/);
  const conditions = Array.from({ length: 500 }, (_, at) => `kind != ${at}`);
  expect(() => search(index, { q: "", filter: conditions, work: work() })).toThrow(/filter takes longer/);
  expect(search(index, { q: "", filter: conditions }).total).toBe(300);
});

test("5. a giant text", () => {
  const content = "build cache ".repeat(MAX_FORMATTED_CHARACTERS / 6);
  const giant = openIndex(buildIndex([{ id: 1, content }], { primaryKey: "id" }));
  const [hit] = search(giant, {
    ...everything,
    q: "build",
    crop: { attributes: ["none"], length: 3, marker: "" },
  }).hits;
  const formatted = String(hit!.formatted!["content"]);
  expect(formatted.replaceAll(/[<>]/g, "")).toBe(content);
  const marks = formatted.split("<").length - 1;
  expect(marks).toBe(Math.floor(MAX_FORMATTED_CHARACTERS / 12));
  expect(hit!.matches!["content"]).toHaveLength(marks);
  const [cropped] = search(giant, { ...everything, q: "cache" }).hits;
  expect(cropped!.formatted!["content"]).toBe("…<cache> build <cache> build <cache>…");
});

test("6. conditions", () => {
  const parse = (q: string) =>
    parseQuery(q, {
      tokenize: createTokenizer({ separatorTokens: [], nonSeparatorTokens: [], dictionary: [] }),
      stopWords: new Set(),
      isPrefixSearch: true,
    });
  const { phrases, excluded, words } = parse('"a b" '.repeat(40));
  expect(phrases.length + excluded.length).toBe(MAX_QUERY_CONDITIONS);
  expect(words.every(({ isLiteral }) => isLiteral)).toBe(true);
  expect(parse("-a ".repeat(40)).excluded).toHaveLength(MAX_QUERY_CONDITIONS);
});
