import { fetchOnce } from "../parts/fetch-once.ts";

/** The messages with a section of their own (`src/docs/content/known-errors.ts`). Without them the words of the error are searched for. */
export const loadKnownErrors = fetchOnce<readonly string[]>("/docs/errors.json", []);
