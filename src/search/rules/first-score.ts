import type { Rule } from "./rule.ts";

/** What the first stage found: rare words, often and in short and heavy fields, before others (BM25F). */
export const firstScoreRule: Rule = { name: "weight", score: ({ firstScore }) => firstScore };
