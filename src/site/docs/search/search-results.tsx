import { useSyncExternalStore, type CSSProperties, type ReactNode } from "react";
import { Icon } from "../../ui/icon.tsx";
import { SiteLink } from "../../ui/site-link.tsx";
import { Hit } from "./hit.tsx";
import type { ResultsView } from "./results-view.ts";
import type { DocsSearch } from "./use-docs-search.ts";
import type { HitSelection } from "./use-hit-selection.ts";

interface SearchResultsProps {
  search: DocsSearch;
  selection: HitSelection;
  /** Starting points for a reader who found nothing. */
  starts?: { label: string; to: string; icon: string }[];
  statusPath?: string;
}

const DEFAULT_STARTS = [
  { label: "Get Started", to: "/docs", icon: "rocket" },
  { label: "Container Builds", to: "/docs/container-builds/overview", icon: "container" },
  { label: "CLI", to: "/docs/cli/installation", icon: "square-terminal" },
  { label: "FAQs", to: "/docs/faq", icon: "circle-help" },
];

/** Shown instead of the page while the query is not empty. */
export function SearchResults({
  search,
  selection,
  starts = DEFAULT_STARTS,
  statusPath = "/status",
}: SearchResultsProps) {
  const { view, query, snapshot } = search;
  return (
    // The marked words reveal what was typed: recordings hide the whole panel.
    <section className="hits-wrap" aria-labelledby="hits-heading" data-private>
      <div className="hits-head">
        <h1 id="hits-heading">Search results</h1>
        {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an output is a form's result, and no paragraph */}
        <p role="status" className={view === "loading" ? "is-loading" : undefined}>
          <ResultsStatus view={view} search={search} />
        </p>
        {view === "results" && <KeyHints />}
      </div>
      {view === "loading" && <Skeleton />}
      {view === "none" && <NoResults query={snapshot.answeredQuery ?? query} starts={starts} />}
      {snapshot.hits.length > 0 && <HitList search={search} selection={selection} />}
      {view === "error" && <SearchFailure onRetry={search.retry} statusPath={statusPath} />}
    </section>
  );
}

function ResultsStatus({
  view,
  search: { query, snapshot },
}: {
  view: ResultsView;
  search: DocsSearch;
}): ReactNode {
  if (view === "pending") return null;
  if (view === "loading") return "Loading...";
  if (view === "error")
    return (
      <>
        Search failed for <strong>{query}</strong>
      </>
    );
  const { total, answeredQuery } = snapshot;
  return (
    <>
      {total === 1 ? "1 result" : `${total} results`} for <strong>{answeredQuery}</strong>
    </>
  );
}

function HitList({
  search: { snapshot, showMore },
  selection,
}: Pick<SearchResultsProps, "search" | "selection">) {
  const isHydrated = useIsHydrated();
  const list = isHydrated ? { role: "listbox", "aria-labelledby": "hits-heading" } : {};
  return (
    <>
      <ul className="hits" id="hits" {...list}>
        {snapshot.hits.map((hit, index) => (
          <Hit
            key={hit.objectID}
            hit={hit}
            index={index}
            isSelected={index === selection.activeIndex}
            isOption={isHydrated}
          />
        ))}
      </ul>
      {snapshot.hasMore && !snapshot.error && (
        <p className="hits-more js-only">
          <button className="btn btn-line" type="button" onClick={showMore}>
            Show more results
          </button>
        </p>
      )}
    </>
  );
}

function KeyHints() {
  return (
    <p className="hit-keys js-only">
      <span>
        <kbd>↑</kbd>
        <kbd>↓</kbd> to move
      </span>
      <span>
        <kbd>⏎</kbd> to open
      </span>
      <span>
        <kbd>esc</kbd> to close
      </span>
    </p>
  );
}

const SKELETON_ROWS = [0, 1, 2, 3];

/** Four placeholder hits of the real height. */
function Skeleton() {
  return (
    <>
      <div className="race-bar" aria-hidden="true" />
      <ul className="hits" aria-hidden="true">
        {SKELETON_ROWS.map((row) => (
          <li
            key={row}
            className="hit-skel"
            style={{ "--i": row } as CSSProperties /* custom properties have no type */}
          >
            <i style={{ width: 90 }} />
            <i style={{ width: 300 + 30 * row, height: 18 }} />
            <i style={{ width: 240 }} />
            <i style={{ width: `${90 - 4 * row}%` }} />
          </li>
        ))}
      </ul>
    </>
  );
}

function NoResults({ query, starts }: { query: string; starts: NonNullable<SearchResultsProps["starts"]> }) {
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

/** Where each of six channels runs dry, in units of the drawing. */
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

function SearchFailure({ onRetry, statusPath }: { onRetry: () => void; statusPath: string }) {
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

const never = () => () => {};

/** Before hydration the hits are plain links, which the keyboard can reach without a script. */
function useIsHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
