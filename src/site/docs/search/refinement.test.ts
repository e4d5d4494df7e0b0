/**
 * 1. A refinement that is written to an address can be read back; an empty query removes the filters, and other
 *    parameters stay.
 * 2. Unknown kinds, repeated and too long values are ignored, and at most twenty sections are read.
 * 3. Values of one facet are alternatives, facets narrow each other; a quote in a value stays in it.
 */
import { expect, it } from "vitest";
import { filterOf, readRefinement, UNREFINED, writeSearch } from "./refinement.ts";

it("writes what it reads (1)", () => {
  const parameters = new URLSearchParams("?setup=arm&q=old&kind=code");
  const refinement = { section: ["Container Builds", 'A "&" B'], kind: ["rows"] };
  writeSearch(parameters, "cache", refinement);
  expect(parameters.get("setup")).toBe("arm");
  expect(parameters.get("q")).toBe("cache");
  expect(readRefinement(`?${parameters}`)).toEqual(refinement);
  writeSearch(parameters, "", refinement);
  expect(`${parameters}`).toBe("setup=arm");
});

it("ignores what it does not know (2)", () => {
  expect(readRefinement("?kind=code&kind=code&kind=constructor&kind=x&section=")).toEqual({
    section: [],
    kind: ["code"],
  });
  expect(readRefinement(`?section=${"x".repeat(101)}`)).toEqual(UNREFINED);
  const many = Array.from({ length: 50 }, (_, at) => `section=${at}`).join("&");
  expect(readRefinement(`?${many}`).section).toHaveLength(20);
});

it("makes the engine's filter (3)", () => {
  expect(filterOf(UNREFINED)).toBeUndefined();
  expect(filterOf({ section: ["CLI", 'a"b'], kind: ["headings"] })).toEqual([
    ['"hierarchy_lvl0"="CLI"', '"hierarchy_lvl0"="a\\"b"'],
    ['"type"="lvl2"', '"type"="lvl3"', '"type"="lvl4"'],
  ]);
});
