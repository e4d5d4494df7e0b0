/**
 * Properties of a search for a setup, with a server that only records requests:
 * 1. Each query with words is sent twice, the second time only for the reader's records and without facets; other queries once.
 * 2. The hits are one list by weighted score, each section once; paragraphs of one section that a server lists
 *    separately all stay.
 * 3. Facets, counts and the page are from the first answer.
 */
import { expect, it } from "vitest";
import type { SearchAnswers, SearchBody, SearchQueryBody } from "../../search/protocol.ts";
import { searchForSetup } from "./search-for-setup.ts";
import { parseSetup } from "./setup.ts";

type Scored = [objectID: string, url: string, score: number];

function serverWith(all: Scored[], own: Scored[]) {
  const sent: SearchQueryBody[] = [];
  const send = async ({ queries }: SearchBody): Promise<SearchAnswers> => {
    sent.push(...queries);
    const results = queries.map((query) => {
      const isOwn = JSON.stringify(query.filter ?? "").includes("for IN");
      const hits = (isOwn ? own : all).map(([objectID, url, score]) => ({
        objectID,
        url,
        _rankingScore: score,
      }));
      const facets = query.facets && { facetDistribution: { type: { code: 3 } } };
      return {
        indexUid: "docs",
        query: query.q ?? "",
        hits,
        processingTimeMs: 1,
        estimatedTotalHits: 9,
        ...facets,
      };
    });
    return { results };
  };
  return { sent, send };
}

const setup = parseSetup("gitlab-ci,pnpm");
const base = { indexUid: "docs", q: "cache", limit: 3, offset: 0 };

it("asks twice (1)", async () => {
  const { sent, send } = serverWith([], []);
  const filtered = { ...base, facets: ["type"], filter: ['type = "code"'] };
  const queries = [filtered, { ...base, q: " " }, { ...base, sort: ["level:desc"] }, { ...base, limit: 0 }];
  const { results } = await searchForSetup(send, { queries }, setup);
  expect(results).toHaveLength(4);
  expect(sent.slice(1, 4)).toEqual(queries.slice(1));
  const twin = { ...base, showRankingScore: true };
  expect(sent[0]).toEqual({ ...filtered, showRankingScore: true });
  expect(sent.slice(4)).toEqual([{ ...twin, filter: ['type = "code"', 'for IN ["gitlab-ci", "pnpm"]'] }]);
});

it("merges by score, each section once (2)", async () => {
  const { send } = serverWith(
    [
      ["a", "/a", 0.9],
      ["b", "/b#x", 0.5],
      ["c", "/c", 0.49],
      ["d", "/d", 0.2],
    ],
    // The reader's own paragraph of section /c; the first list has another paragraph of it.
    [
      ["c-own", "/c", 0.49],
      ["d", "/d", 0.2],
    ],
  );
  const { results } = await searchForSetup(send, { queries: [base] }, setup);
  expect(results[0]?.hits.map(({ objectID }) => objectID)).toEqual(["a", "c-own", "b"]);
});

it("keeps paragraphs of a section apart where the server does (2)", async () => {
  const { send } = serverWith(
    [
      ["b", "/b", 0.5],
      ["b2", "/b", 0.4],
    ],
    [["b2", "/b", 0.4]],
  );
  const { results } = await searchForSetup(send, { queries: [base] }, setup);
  expect(results[0]?.hits.map(({ objectID }) => objectID)).toEqual(["b", "b2"]);
});

it("shows the page that was asked for, with the first answer's facets (3)", async () => {
  const all = ["a", "b", "c", "d", "e"].map((id, at): Scored => [id, `/${id}`, 0.9 - at / 10]);
  const { sent, send } = serverWith(all, []);
  const query = { ...base, offset: 3, facets: ["type"] };
  const { results } = await searchForSetup(send, { queries: [query] }, setup);
  expect(sent.map(({ offset, limit }) => [offset, limit])).toEqual([
    [0, 6],
    [0, 6],
  ]);
  expect(results[0]).toMatchObject({
    offset: 3,
    limit: 3,
    estimatedTotalHits: 9,
    facetDistribution: { type: { code: 3 } },
  });
  expect(results[0]?.hits.map(({ objectID }) => objectID)).toEqual(["d", "e"]);
});
