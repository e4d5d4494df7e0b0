import { useDeferredValue, useSyncExternalStore, type CSSProperties, type ReactNode } from "react";
import { usePart } from "../late/use-late.ts";
import { answerModel } from "./answer-model.ts";
import { NoResults, SearchFailure, type Start } from "./blank-results.tsx";
import { Filters } from "./filters.tsx";
import { Hit } from "./hit.tsx";
import type { DocsHit } from "./protocol.ts";
import type { ResultsView } from "./results-view.ts";
import type { DocsSearch } from "./use-docs-search.ts";
import { hitId, type HitSelection } from "./use-hit-selection.ts";

interface SearchResultsProps {
  search: DocsSearch;
  selection: HitSelection;
  /** Starting points for a reader who found nothing. */
  starts?: Start[];
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
    // The marked words reveal the query: recordings hide the whole panel.
    <section className="hits-wrap" aria-labelledby="hits-heading" data-private>
      <div className="hits-head">
        <h1 id="hits-heading">Search results</h1>
        {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an output is a form's result, and no paragraph */}
        <p role="status" className={view === "loading" ? "is-loading" : undefined}>
          <ResultsStatus view={view} search={search} />
        </p>
        {view === "results" && <KeyHints />}
        <div className="hits-tools">
          <Filters search={search} />
          {snapshot.hits.length > 0 && (
            <button
              className="btn btn-line btn-sm js-only"
              type="button"
              aria-pressed={selection.isPreviewing}
              onClick={() => selection.setPreviewing(!selection.isPreviewing)}
            >
              Preview
            </button>
          )}
        </div>
      </div>
      {search.pasted && <Pasted search={search} />}
      <Answer question={snapshot.answeredQuery ?? ""} />
      {view === "loading" && <Skeleton />}
      {view === "none" && (
        <NoResults query={snapshot.answeredQuery ?? query} search={search} starts={starts} />
      )}
      {snapshot.hits.length > 0 && <HitList search={search} selection={selection} />}
      {selection.isPreviewing && <Preview search={search} selection={selection} />}
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

function Pasted({ search }: { search: DocsSearch }) {
  const load = async () => (await import("../late/paste/pasted-error.tsx")).PastedError;
  const [PastedError] = usePart("The error search", load);
  return PastedError && <PastedError search={search} />;
}

/** Its code decides about the question; without a model it is never fetched. */
function Answer({ question }: { question: string }) {
  const load = async () => (await import("../late/answer/answer.tsx")).QuestionAnswer;
  const [QuestionAnswer] = usePart("The answer", load, answerModel !== null);
  return QuestionAnswer && <QuestionAnswer question={question} model={answerModel} />;
}

function Preview(props: Pick<SearchResultsProps, "search" | "selection">) {
  const load = async () => (await import("../late/search-preview/search-preview.tsx")).SearchPreview;
  const [SearchPreview] = usePart("The preview", load);
  return SearchPreview && <SearchPreview {...props} />;
}

function HitList({
  search: { snapshot, showMore },
  selection,
}: Pick<SearchResultsProps, "search" | "selection">) {
  const isHydrated = useIsHydrated();
  const hits = useFirstHits(snapshot.hits, isHydrated);
  const listbox = isHydrated ? { role: "listbox", "aria-labelledby": "hits-heading" } : {};
  // For authors, each hit has a button, which a list of options must not contain.
  const owned = import.meta.env.DEV && {
    ...listbox,
    "aria-owns": snapshot.hits.map((_, index) => hitId(index)).join(" "),
  };
  return (
    <>
      {owned && isHydrated && <div {...owned} />}
      <ul className="hits" id="hits" {...(owned ? {} : listbox)}>
        {hits.map((hit, index) => (
          <Hit
            key={hit.objectID}
            hit={hit}
            index={index}
            isSelected={index === selection.activeIndex}
            isOption={isHydrated}
            onOpen={selection.onOpen}
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

/** What a window shows of a list; the rest follows in a task of its own, which a key interrupts (decision 072). */
const FIRST_HITS = 6;
const NONE: DocsHit[] = [];

function useFirstHits(hits: DocsHit[], isHydrated: boolean): DocsHit[] {
  const drawn = useDeferredValue(hits, isHydrated ? NONE : hits);
  if (drawn === hits) return hits;
  // More hits of the same answer: those that are there stay.
  return hits.slice(0, Math.max(FIRST_HITS, drawn[0] === hits[0] ? drawn.length : 0));
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
        <kbd>→</kbd> to preview
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

const never = () => () => {};

/** Before hydration the hits are plain links, which the keyboard can reach without a script. */
function useIsHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
