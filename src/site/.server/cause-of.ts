import { errorQuery, looksLikeError } from "../docs/anywhere/paste/error-query.ts";

/**
 * Where `?q=` with a whole line of a log leads: to a search for what matters in it. For readers without a script; what is
 * pasted where one runs never comes this far.
 * @returns the query of the new address; null for a search that a person has typed
 */
export function causeOf(search: string, known: readonly string[]): string | null {
  const parameters = new URLSearchParams(search);
  const asked = parameters.get("q") ?? "";
  if (!looksLikeError(asked)) return null;
  const found = errorQuery(asked, known);
  // Not once more for what was found, whatever it looks like.
  if (!found || found.query === asked.trim() || looksLikeError(found.query)) return null;
  parameters.set("q", found.query);
  return `?${parameters}`;
}
