import type { Rule } from "./rule.ts";

/** How near the section is to what the query means; rank/add-meaning.ts asks. */
export const meaningRule: Rule = { name: "meaning", score: ({ meaning = 0 }) => meaning };
