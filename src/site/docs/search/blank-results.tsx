import { useLocation } from "react-router";
import { Icon } from "../../ui/icon.tsx";
import { SiteLink } from "../../ui/site-link.tsx";
import { isRefined, searchAddress, UNREFINED } from "./refinement.ts";
import type { DocsSearch } from "./use-docs-search.ts";

/** A starting point for a reader who found nothing. */
export interface Start {
  label: string;
  to: string;
  icon: string;
}

interface NoResultsProps {
  query: string;
  search: DocsSearch;
  starts: Start[];
}

export function NoResults({ query, search: { refinement, refine }, starts }: NoResultsProps) {
  const { search } = useLocation();
  if (isRefined(refinement))
    return (
      <div className="blank">
        <DryLines />
        <h2>No results found with these filters</h2>
        <p data-private>
          Nothing within these filters matches <strong>{query}</strong>.
        </p>
        <p className="blank-actions">
          <a
            className="btn btn-line"
            href={searchAddress(search, query, UNREFINED)}
            onClick={(event) => {
              event.preventDefault();
              refine(UNREFINED);
            }}
          >
            Search without filters
          </a>
        </p>
      </div>
    );
  return (
    <div className="blank">
      <DryLines />
      <h2>No results found</h2>
      <p data-private>
        Nothing in the docs matches <strong>{query}</strong>. Check the spelling, or try a shorter term.
      </p>
      <ul className="blank-links">
        {starts.map(({ label, to, icon }) => (
          <li key={to}>
            <SiteLink to={to}>
              <Icon name={icon} />
              {label}
            </SiteLink>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The x at which each of six channels runs dry, in units of the drawing. */
const DRY_AT = [96, 150, 118, 182, 70, 132];

function DryLines() {
  return (
    <svg className="blank-art" viewBox="0 0 320 60" fill="none" stroke="currentColor" aria-hidden="true">
      {DRY_AT.map((x, lane) => (
        <g key={x}>
          <path d={`M0 ${4.5 + 10 * lane}H${x}`} />
          <path d={`M${x + 8} ${4.5 + 10 * lane}H320`} strokeDasharray="1 9" opacity=".55" />
        </g>
      ))}
    </svg>
  );
}

export function SearchFailure({ onRetry, statusPath }: { onRetry: () => void; statusPath: string }) {
  return (
    <div className="blank blank-error" role="alert">
      <Icon name="cloud-alert" className="blank-icon" />
      <h2>Search is not responding</h2>
      <p>The search service did not answer. Your query is still in the box.</p>
      <div className="blank-actions">
        <button className="btn btn-line js-only" type="button" onClick={onRetry}>
          <Icon name="rotate-cw" />
          <span>Try again</span>
        </button>
        <a className="text-link" href={statusPath}>
          Check service status
        </a>
      </div>
    </div>
  );
}
