/** The server replaces this in the built "not found" page with suggestions (`.server/suggestions.ts`). */
export const SUGGESTIONS_PLACE = "<!--suggestions-->";
