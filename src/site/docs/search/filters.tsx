import { useEffect, useState } from "react";
import { Icon } from "../../ui/icon.tsx";
import { useLate } from "../late/use-late.ts";
import { StaticHtml } from "../static-html.tsx";
import type { DocsSearch } from "./use-docs-search.ts";

/** When closed, only its button is in the page: the filters come from the server, or with the code that is fetched here. */
export function Filters({ search }: { search: DocsSearch }) {
  const { section, kind } = search.refinement;
  const count = section.length + kind.length;
  const [isOpen] = useState(count > 0);
  const [LateFilters, load] = useLate("The filters", async () => {
    const { SearchFilters } = await import("../late/search-filters/search-filters.tsx");
    return SearchFilters;
  });
  // If the document arrived with open filters, its `toggle` event may be over.
  useEffect(() => {
    if (isOpen) load();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once
  }, []);
  const known = <StaticHtml part="filters" />;
  return (
    <details className="filters" open={isOpen} onToggle={load}>
      <summary className="btn btn-line btn-sm">
        Filter{count > 0 && ` (${count})`}
        <Icon name="chevron-down" />
      </summary>
      {LateFilters ? <LateFilters search={search}>{known}</LateFilters> : known}
    </details>
  );
}
