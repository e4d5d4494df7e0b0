/**
 * What a reader narrows a search to, and how it is written: in the address as `?q=…&section=CLI&kind=code`, for the
 * engine as `[["\"hierarchy_lvl0\"=\"CLI\""],["\"type\"=\"code\""]]`. Several values of one facet widen it.
 */
import type { SearchFilter } from "./protocol.ts";

export interface Refinement {
  /** Names of the tree's sections. */
  section: readonly string[];
  /** Keys of `KINDS`. */
  kind: readonly string[];
}

export type Facet = keyof Refinement;

export const FACETS = ["section", "kind"] as const satisfies Facet[];
/** Facet → the attribute of a record. */
export const ATTRIBUTES: Record<Facet, string> = { section: "hierarchy_lvl0", kind: "type" };
/** Kind → the types of its records. */
export const KINDS: { readonly [kind: string]: readonly string[] } = {
  pages: ["lvl1"],
  headings: ["lvl2", "lvl3", "lvl4"],
  text: ["content"],
  code: ["code"],
  rows: ["row"],
};
export const UNREFINED: Refinement = { section: [], kind: [] };

/** Of one facet in an address. Names of sections are the site's own, so this bounds only what somebody made up. */
const MAX_VALUES = 20;
const MAX_VALUE_LENGTH = 100;

/** @param search the query of an address; unknown kinds are ignored, unknown sections only where they are known. */
export function readRefinement(search: string): Refinement {
  const parameters = new URLSearchParams(search);
  const valuesOf = (facet: Facet) =>
    [...new Set(parameters.getAll(facet))].filter(({ length }) => length > 0 && length <= MAX_VALUE_LENGTH);
  return {
    section: valuesOf("section").slice(0, MAX_VALUES),
    kind: valuesOf("kind").filter((kind) => Object.hasOwn(KINDS, kind)),
  };
}

/** Sets query and refinement in the parameters of an address; both go when the query is empty. */
export function writeSearch(parameters: URLSearchParams, query: string, refinement: Refinement): void {
  for (const name of ["q", ...FACETS]) parameters.delete(name);
  if (!query) return;
  parameters.set("q", query);
  for (const facet of FACETS) for (const value of refinement[facet]) parameters.append(facet, value);
}

/** A link to a search, with everything else that the address says. */
export function searchAddress(address: string, query: string, refinement: Refinement): string {
  const parameters = new URLSearchParams(address);
  writeSearch(parameters, query, refinement);
  return `?${parameters}`;
}

/** @returns undefined without a refinement, so that the request stays as it is recorded. */
export function filterOf(refinement: Refinement): SearchFilter | undefined {
  const filter = FACETS.map((facet) =>
    refinement[facet]
      .flatMap((value) => (facet === "kind" ? (KINDS[value] ?? []) : value))
      .map((value) => `"${ATTRIBUTES[facet]}"=${JSON.stringify(value)}`),
  ).filter((values) => values.length > 0);
  return filter.length > 0 ? filter : undefined;
}

export const isRefined = ({ section, kind }: Refinement) => section.length + kind.length > 0;
