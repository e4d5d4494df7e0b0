import type { MouseEvent } from "react";
import {
  type Facet,
  FACETS,
  isRefined,
  type Refinement,
  UNREFINED,
  searchAddress,
} from "../../search/refinement.ts";
import type { FilterCounts } from "./counts.ts";

interface FilterListProps {
  /** The query of the address that shows them. */
  address: string;
  query: string;
  refinement: Refinement;
  counts: FilterCounts;
  /** Follows a filter without a navigation; absent on the server, whose links navigate. */
  onRefine?: (refinement: Refinement) => void;
}

const FACET_LABELS: Record<Facet, string> = { section: "Section", kind: "Kind" };
const KIND_LABELS: { [kind: string]: string } = {
  pages: "Pages",
  headings: "Headings",
  text: "Text",
  code: "Code",
  rows: "Table rows",
};

/** The filters as links: each adds one value to the search, or removes it. */
export function FilterList({ address, query, refinement, counts, onRefine }: FilterListProps) {
  const linkTo = (next: Refinement) => ({
    href: searchAddress(address, query, next),
    onClick: (event: MouseEvent) => {
      if (!onRefine || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      onRefine(next);
    },
  });
  return (
    <div className="filter-list">
      {FACETS.filter((facet) => shownValues(counts, refinement, facet).size > 0).map((facet) => (
        <div className="filter-facet" key={facet}>
          <p id={`filter-${facet}`}>{FACET_LABELS[facet]}</p>
          <ul aria-labelledby={`filter-${facet}`}>
            {[...shownValues(counts, refinement, facet)].map(([value, count]) => {
              const isOn = refinement[facet].includes(value);
              return (
                <li key={value}>
                  <a {...linkTo(toggle(refinement, facet, value))} aria-current={isOn || undefined}>
                    {facet === "kind" ? KIND_LABELS[value] : value}{" "}
                    {count !== null && (
                      <span className="filter-count">
                        {count}
                        <span className="vh"> {count === 1 ? "result" : "results"}</span>
                      </span>
                    )}
                    {isOn && <span className="vh">, chosen; remove this filter</span>}
                  </a>
                </li>
              );
            })}
          </ul>
        </div>
      ))}
      {isRefined(refinement) && (
        <p>
          <a className="text-link" {...linkTo(UNREFINED)}>
            Clear filters
          </a>
        </p>
      )}
    </div>
  );
}

/** Values with results, and chosen values, so that readers can remove them. */
function shownValues(counts: FilterCounts, refinement: Refinement, facet: Facet): Map<string, number | null> {
  const shown = new Map([...counts[facet]].filter(([, count]) => count !== 0));
  for (const value of refinement[facet]) shown.set(value, shown.get(value) ?? 0);
  return shown;
}

function toggle(refinement: Refinement, facet: Facet, value: string): Refinement {
  const others = refinement[facet].filter((other) => other !== value);
  const isOn = others.length < refinement[facet].length;
  return { ...refinement, [facet]: isOn ? others : [...others, value] };
}
