/**
 * The results and filters of `?q=` without a script, and before a script runs, from one request to the engine. Kinds
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
  /** Contains only filters that the site knows. */
  refinement: Refinement;
  initialResults: InitialResults | null;
  /** The filters' HTML; "" if there are none. */
  filters: string;
}

/** @param search the query of the address. @throws the engine's errors. */
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

/** Hidden inputs that keep the filters for a search of other words, as with a script. */
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

/** An old link may name a section that no longer exists: all results are better than none. */
async function knownRefinement(send: Send, indexUid: string, asked: Refinement): Promise<Refinement> {
  if (asked.section.length === 0) return asked;
  const { results } = await send({ queries: [{ indexUid, facets: [ATTRIBUTES.section], limit: 0 }] });
  const known = results[0]?.facetDistribution?.[ATTRIBUTES.section] ?? {};
  return { ...asked, section: asked.section.filter((section) => Object.hasOwn(known, section)) };
}
