import { type ReactNode, useEffect, useState } from "react";
import { siteConfig } from "#config";
import type { DocsSearch } from "../../search/use-docs-search.ts";
import { adoptStyles } from "../adopt-styles.ts";
import { countRequests, type FilterCounts, readCounts } from "../../anywhere/search-filters/counts.ts";
import { FilterList } from "../../anywhere/search-filters/filter-list.tsx";
import styles from "../../anywhere/search-filters/search-filters.css?inline";

adoptStyles(styles);

interface SearchFiltersProps {
  search: DocsSearch;
  /** Shown until the first counts arrive. */
  children: ReactNode;
}

/** The filters of the shown results. */
export function SearchFilters({ search, children }: SearchFiltersProps) {
  const { refinement, provider, snapshot, refine } = search;
  const query = snapshot.answeredQuery;
  const [counts, setCounts] = useState<FilterCounts | "failed" | null>(null);

  useEffect(() => {
    if (query === null) return;
    const controller = new AbortController();
    const { signal } = controller;
    provider.search(countRequests(siteConfig.search.indexName, query, refinement), signal).then(
      (answers) => signal.aborted || setCounts(readCounts(answers)),
      () => signal.aborted || setCounts("failed"),
    );
    return () => controller.abort();
  }, [provider, query, refinement]);

  if (counts === "failed")
    return <p className="filter-list">The filters could not be loaded. Search again in a moment.</p>;
  if (!counts || query === null) return children;
  return (
    <FilterList
      address={location.search}
      query={query}
      refinement={refinement}
      counts={counts}
      onRefine={refine}
    />
  );
}
