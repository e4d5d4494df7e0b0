import { fetchOnce } from "../parts/fetch-once.ts";

/**
 * The messages with their own section (`src/docs/content/words/known-errors.ts`). Without them, the words of the error are
 * searched.
 */
export const loadKnownErrors = fetchOnce<readonly string[]>("/docs/errors.json", []);
