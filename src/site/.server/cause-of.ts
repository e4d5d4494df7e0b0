import { errorQuery, looksLikeError } from "../docs/anywhere/paste/error-query.ts";

/**
 * Replaces `?q=` with a whole log line by a search for its cause. For readers without a script; with one, pasted text
 * never reaches the server.
 * @returns the query of the new address; null for a search that a person has typed
 */
export function causeOf(search: string, known: readonly string[]): string | null {
  const parameters = new URLSearchParams(search);
  const asked = parameters.get("q") ?? "";
  if (!looksLikeError(asked)) return null;
  const found = errorQuery(asked, known);
  // Not again for a query that this function found, whatever it looks like.
  if (!found || found.query === asked.trim() || looksLikeError(found.query)) return null;
  parameters.set("q", found.query);
  return `?${parameters}`;
}
