import type { SearchSnapshot } from "./search-store.ts";

/**
 * What the panel shows.
 *
 * - `error`: "Search is not responding"; when a further page failed, below the hits that are there.
 * - `results`: there are hits, so they are listed, also while a newer query runs.
 * - `loading`: no hits, and the search is stalled or the loading flag is set.
 * - `none`: no hits otherwise.
 * - `pending`: `loading` in its first moments, in which nothing is shown, so that a fast answer flashes nothing.
 *
 * The specification's loading flag ("set when a navigation completes and the query is cleared, reset when new hits
 * arrive") is `answeredQuery === null`: clearing drops the answer, and only an answer sets it again. A query whose answer
 * has not come counts as the flag being set too, or "No results found" would be said of something nobody asked yet;
 * within the first moments an earlier "No results found" stays, with the query that it is true of.
 */
export type ResultsView = "error" | "results" | "loading" | "none" | "pending";

export function resultsView(snapshot: SearchSnapshot): ResultsView {
  const { status, error, hits, answeredQuery, isLate } = snapshot;
  const isPending = status === "loading" || status === "stalled";
  const isVisiblyPending = status === "stalled" || (isPending && isLate);
  if (error && !isVisiblyPending) return "error";
  if (hits.length > 0) return "results";
  if (isVisiblyPending) return "loading";
  return answeredQuery === null ? "pending" : "none";
}
