/**
 * What `?q=` shows without a script, and before one runs: the results and the filters, from one request to the engine. Kinds
 * are counted in the browser only, which takes five queries.
 */
import { renderToStaticMarkup } from "react-dom/server";
import { readCounts, sectionRequests } from "../anywhere/search-filters/counts.ts";
import { FilterList } from "../anywhere/search-filters/filter-list.tsx";
import styles from "../anywhere/search-filters/search-filters.css?inline";
import type { SiteSource } from "../../site-source.ts";
import { MAX_QUERY_LENGTH, searchOnServer, type InitialResults } from "./protocol.ts";
import { ATTRIBUTES, FACETS, filterOf, readRefinement, type Refinement, UNREFINED } from "./refinement.ts";

type Send = SiteSource["search"];

export interface PageSearch {
  query: string;
  /** Without filters that the site does not know. */
  refinement: Refinement;
  initialResults: InitialResults | null;
  /** The filters' HTML; "" where there are none. */
  filters: string;
}

/** @param search the query of the address. @throws what the engine throws. */
export async function searchPage(send: Send, indexUid: string, search: string): Promise<PageSearch> {
  const query = queryOf(search);
  if (!query) return { query, refinement: UNREFINED, initialResults: null, filters: "" };
  const refinement = await knownRefinement(send, indexUid, readRefinement(search));
  const counting = sectionRequests(indexUid, query, refinement);
  const asked = { indexUid, query, filter: filterOf(refinement) };
  const { initialResults, others } = await searchOnServer(send, asked, counting);
  const list = renderToStaticMarkup(
    <>
      <style>{styles}</style>
      <KeptFilters {...refinement} />
      <FilterList address={search} query={query} refinement={refinement} counts={readCounts(others)} />
    </>,
  );
  return { query, refinement, initialResults, filters: list };
}

/** With them other words are searched for within the same filters, as a script does it. */
function KeptFilters(refinement: Refinement) {
  return FACETS.flatMap((facet) =>
    refinement[facet].map((value) => (
      <input key={facet + value} type="hidden" form="search" name={facet} value={value} />
    )),
  );
}

export function queryOf(search: string): string {
  return (new URLSearchParams(search).get("q") ?? "").trim().slice(0, MAX_QUERY_LENGTH);
}

/** A link of another day may name a section that is gone: better all results than none. */
async function knownRefinement(send: Send, indexUid: string, asked: Refinement): Promise<Refinement> {
  if (asked.section.length === 0) return asked;
  const { results } = await send({ queries: [{ indexUid, facets: [ATTRIBUTES.section], limit: 0 }] });
  const known = results[0]?.facetDistribution?.[ATTRIBUTES.section] ?? {};
  return { ...asked, section: asked.section.filter((section) => Object.hasOwn(known, section)) };
}
