/**
 * A reader's filters of a search, and how they are written: in the address as `?q=…&section=CLI&kind=code`, for the
 * engine as `[["\"hierarchy_lvl0\"=\"CLI\""],["\"type\"=\"code\""]]`. Several values of one facet widen the search.
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

/** Limits of one facet in an address, for made-up values: names of sections are the site's own. */
const MAX_VALUES = 20;
const MAX_VALUE_LENGTH = 100;

/** @param search the query of an address; unknown kinds are ignored here, unknown sections only where the list is known. */
export function readRefinement(search: string): Refinement {
  const parameters = new URLSearchParams(search);
  const valuesOf = (facet: Facet) =>
    [...new Set(parameters.getAll(facet))].filter(({ length }) => length > 0 && length <= MAX_VALUE_LENGTH);
  return {
    section: valuesOf("section").slice(0, MAX_VALUES),
    kind: valuesOf("kind").filter((kind) => Object.hasOwn(KINDS, kind)),
  };
}

/** Sets query and refinement in the parameters of an address; removes both if the query is empty. */
export function writeSearch(parameters: URLSearchParams, query: string, refinement: Refinement): void {
  for (const name of ["q", ...FACETS]) parameters.delete(name);
  if (!query) return;
  parameters.set("q", query);
  for (const facet of FACETS) for (const value of refinement[facet]) parameters.append(facet, value);
}

/** A link to a search that keeps the address's other parameters. */
export function searchAddress(address: string, query: string, refinement: Refinement): string {
  const parameters = new URLSearchParams(address);
  writeSearch(parameters, query, refinement);
  return `?${parameters}`;
}

/** @returns undefined without a refinement, so that the request equals the recorded one. */
export function filterOf(refinement: Refinement): SearchFilter | undefined {
  const filter = FACETS.map((facet) =>
    refinement[facet]
      .flatMap((value) => (facet === "kind" ? (KINDS[value] ?? []) : value))
      .map((value) => `"${ATTRIBUTES[facet]}"=${JSON.stringify(value)}`),
  ).filter((values) => values.length > 0);
  return filter.length > 0 ? filter : undefined;
}

export const isRefined = ({ section, kind }: Refinement) => section.length + kind.length > 0;
