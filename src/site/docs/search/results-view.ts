import type { SearchSnapshot } from "./search-store.ts";

/**
 * The content of the panel.
 *
 * - `error`: "Search is not responding"; if a further page failed, shown below the existing hits.
 * - `results`: there are hits, so they are listed, also while a newer query runs.
 * - `loading`: no hits, and the search is stalled or the loading flag is set.
 * - `none`: no hits otherwise.
 * - `pending`: the first moments of `loading`; nothing is shown, so that a fast answer causes no flash.
 *
 * The specification's loading flag ("set when a navigation completes and the query is cleared, reset when new
 * hits arrive") is `answeredQuery === null`: clearing drops the answer, and only an answer sets it again. A
 * query that has no answer yet also counts as the flag being set; otherwise "No results found" would appear
 * before anyone has searched. In the first moments an earlier "No results found" stays, with the query it
 * belongs to.
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
