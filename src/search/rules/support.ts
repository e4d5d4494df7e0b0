import type { Rule } from "./rule.ts";

/** The other sections of its page are about the query as well; rank/page-support.ts adds them up. */
export const supportRule: Rule = { name: "page", score: ({ support }) => support };
