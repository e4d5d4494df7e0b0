import type { ContentProblem, Page } from "../types.ts";

/** Claims without a measurement: how much faster, which customers, the best of all. */
const CLAIMS: { pattern: RegExp; fix: string }[] = [
  {
    pattern:
      /\b(?:up to )?\d[\d.,]*\s?(?:x|×|times|%|percent)\s+(?:as fast|faster|quicker|cheaper|smaller|less|more)\b/i,
    fix: 'Say what happens instead ("the steps come from the layer cache"), or how a reader measures it.',
  },
  {
    pattern:
      /\b(?:blazing(?:ly)?|lightning[- ]fast|world[- ]class|industry[- ]leading|best[- ]in[- ]class|cutting[- ]edge|battle[- ]tested|unmatched|seamless(?:ly)?)\b/i,
    fix: "Remove it. Say what the reader gets.",
  },
  {
    pattern:
      /\b(?:trusted|used|loved|chosen) by (?:\d|thousands|hundreds|millions|teams|companies|developers)/i,
    fix: "Remove it: pages do not name customers.",
  },
  {
    pattern: /\b(?:from|instead of) \d[\d.]* (?:minutes?|hours?|seconds?) (?:down )?to \d/i,
    fix: "Say how to measure it: no one has measured it here.",
  },
];

export function checkClaims(pages: readonly Page[]): ContentProblem[] {
  return pages.flatMap((page) => {
    const head = [page.title, page.description].map((text) => ({ text, line: 2 }));
    return [...head, ...page.prose].flatMap(({ text, line }) =>
      CLAIMS.flatMap(({ pattern, fix }): ContentProblem[] => {
        const found = pattern.exec(text)?.[0];
        if (found === undefined) return [];
        const message = `"${found}" is an unproven claim.`;
        return [{ file: page.file, line, rule: "claim", severity: "error", message, fix }];
      }),
    );
  });
}
