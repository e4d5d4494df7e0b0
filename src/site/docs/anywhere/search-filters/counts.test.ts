/**
 * 1. Sections are counted without the section filter, kinds each with its own filter; with a filter, everything is also counted.
 * 2. Sections are ordered by their number of results; kinds have their totals, or null if they were not counted.
 */
import { expect, it } from "vitest";
import { countRequests, readCounts, sectionRequests } from "./counts.ts";

const answer = { indexUid: "docs", query: "cache", hits: [], processingTimeMs: 1 };

it("asks for what another choice would lead to (1)", () => {
  const sections = sectionRequests("docs", "cache", { section: [], kind: [] });
  expect(sections).toEqual([
    { indexUid: "docs", query: "cache", hitsPerPage: 0, facets: ["hierarchy_lvl0"], filter: undefined },
  ]);
  const refined = countRequests("docs", "cache", { section: ["CLI"], kind: ["code"] });
  const cli = ['"hierarchy_lvl0"="CLI"'];
  expect(refined.map(({ filter }) => filter)).toEqual([
    [cli, ['"type"="lvl1"']],
    [cli, ['"type"="lvl2"', '"type"="lvl3"', '"type"="lvl4"']],
    [cli, ['"type"="content"']],
    [cli, ['"type"="code"']],
    [cli, ['"type"="row"']],
    [['"type"="code"']],
    undefined,
  ]);
  expect(refined.map(({ facets }) => facets?.length ?? 0)).toEqual([0, 0, 0, 0, 0, 1, 0]);
});

it("reads the counts (2)", () => {
  const sections = { ...answer, facetDistribution: { hierarchy_lvl0: { Cache: 2, API: 2, CLI: 5 } } };
  const kinds = [1, 2, 0, 4, 5].map((total) => ({ ...answer, estimatedTotalHits: total }));
  const counts = readCounts([...kinds, sections]);
  expect([...counts.section]).toEqual([
    ["CLI", 5],
    ["API", 2],
    ["Cache", 2],
  ]);
  expect(Object.fromEntries(counts.kind)).toEqual({ pages: 1, headings: 2, text: 0, code: 4, rows: 5 });
  expect(readCounts([sections]).kind.get("code")).toBeNull();
});
