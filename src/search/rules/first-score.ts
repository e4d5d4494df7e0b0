import type { Rule } from "./rule.ts";

/** The first stage's score: rare words, often and in short and heavy fields, before others (BM25F). */
export const firstScoreRule: Rule = { name: "weight", score: ({ firstScore }) => firstScore };
