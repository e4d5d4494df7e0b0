import type { ContentProblem, Page } from "../types.ts";

/**
 * Hand-written sentences about what runs: no check notices when they become false. A clause that names no part ("what does not
 * run yet") is allowed: it explains a mark. So are words about a reader's own things ("no build has run yet", "a preview image").
 */
const STATES: readonly RegExp[] = [
  // is a preview, are still in preview, (preview)
  /\b(?:in|is|are|remains?)(?: still)?(?: an?| in)?(?: early| public| technical)? (?:preview|beta)\b(?![ -](?:builds?|deployments?|environments?|images?|modes?|pages?|panels?)\b)/i,
  /\(preview\)/i,
  // does not run yet, is not yet supported
  /(?<!\b(?:what|that|which) )\b(?:do|does)(?: not|n't) (?:yet (?:offer|run|ship|support|work)\b|(?:offer|run|ship|support|work)\b[^.:;!?]{0,40} yet\b)/i,
  /(?<!\b(?:what|that|which) )\b(?:is|are)(?: not|n't) (?:yet )?(?:available|implemented|offered|part of|released|shipped|supported)\b[^.:;!?]{0,40} yet\b/i,
  /\bnot yet (?:available|implemented|offered|released|shipped|supported)\b/i,
  /\bnot currently (?:available|offered|supported)\b/i,
  /(?<!\b(?:what|that|which) is )\bnot in this (?:release|version)\b/i,
  /\bthis (?:release|server|version) (?:does not have|has no)\b[^.:;!?]{0,40} yet\b/i,
  /\bthis (?:release|version)(?: of Millrace)? has none\b/i,
  // comes with a later release, will be supported, is planned
  /\b(?:for|in|until|with) (?:an?|one of the|some) (?:coming|future|later|next|upcoming) (?:releases?|versions?)\b/i,
  /\bcom(?:es?|ing) (?:in|with) the (?:coming|later|next|upcoming) (?:release|version)\b/i,
  /\bwill be (?:available|implemented|offered|released|supported)\b/i,
  /\bcom(?:es?|ing) soon\b/i,
  /(?<!\b(?:what|that|which) )\b(?:is|are)(?: only| still| yet)? (?:planned|to come|under development)\b/i,
  /\bon (?:our|the) roadmap\b/i,
];

/** @returns the words of each sentence that states what runs, and their index in the text */
export function findStates(text: string): { words: string; at: number }[] {
  return STATES.flatMap((pattern) => {
    const found = pattern.exec(text);
    return found ? [{ words: found[0], at: found.index }] : [];
  });
}

/** Checks the prose of pages, without the text of components. */
export function checkStates(pages: readonly Page[]): ContentProblem[] {
  return pages.flatMap(({ file, title, navTitle, description, prose }) => {
    const head = [title, navTitle, description].map((text) => ({ text, line: 2 }));
    return [...head, ...prose].flatMap(({ text, line }) =>
      findStates(text).map(({ words }) =>
        stateProblem({
          file,
          line,
          words,
          fix: '<State part="…" />, or <Preview part="…" /> next to the word',
        }),
      ),
    );
  });
}

type Written = Pick<ContentProblem, "file" | "line" | "fix"> & { words: string };

export function stateProblem({ file, line, words, fix }: Written): ContentProblem {
  const message = `"${words}" hard-codes what runs, which only content/facts/parts.yaml may say.`;
  return { file, line, rule: "state", severity: "error", message, fix };
}
