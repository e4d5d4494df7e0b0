/** Stands in the built page that says "not found", where the server puts what may have been meant (`.server/suggestions.ts`). */
export const suggestionsPlace = "<!--suggestions-->";
