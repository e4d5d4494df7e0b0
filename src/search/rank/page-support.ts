/**
 * A page with several sections about the query is about it. The best section of each page, which stands for the page, gets
 * half of the second one's score, a quarter of the third's and so on:
 *
 *   /docs/registry/overview    0.41, 0.36, 0.30    support 0.36 / 2 + 0.30 / 4 = 0.26
 *   /docs/faq                  0.44                support 0
 *
 * This never puts a page before one that has what was typed: a section whose heading is the query, or that has all of its words
 * in one paragraph, gets as much as the page with the most. `bench/` shows the effect: without this, headings and
 * paragraphs lose what links and questions win.
 *
 * A single word gets nothing: long pages repeat it, and the page that is named after it has it once.
 */
import type { OpenedIndex } from "../reader/open-index.ts";
import { completeRule } from "../rules/complete.ts";
import { countBits } from "../rules/coverage.ts";
import type { RuleMatch } from "../rules/rule.ts";
import { titleRule } from "../rules/title.ts";
import type { Admitted } from "./admit.ts";
import { supportScore } from "./blend.ts";
import type { Ranked } from "./ranked.ts";

/** The score of a heading that has nearly the query's words and no others. */
const TYPED_TITLE = 0.65;
/** The score of a paragraph with all words. Two words often meet by chance, three seldom do. */
const TYPED_PAIR = 0.65;
const TYPED_TEXT = 0.3;

/** Raises the sections that stand for their pages. @param ranked with their scores without any support */
export function addPageSupport(
  index: OpenedIndex,
  { candidates, positions }: Admitted,
  ranked: readonly Ranked[],
): void {
  const { rarities, stopWords, units } = candidates;
  const wordCount = rarities.length - countBits(stopWords);
  if (wordCount < 2) return;
  const pages = new Map<number, Ranked[]>();
  for (const one of ranked) {
    if (!one.match) continue;
    const page = index.unitPages[units[positions[one.at]!]!]!;
    const sections = pages.get(page);
    if (sections) sections.push(one);
    else pages.set(page, [one]);
  }
  const firsts = [...pages.values()].map((sections) => {
    const [first, ...others] = sections.sort((a, b) => b.score - a.score);
    const support = others.reduce((sum, { score }, place) => sum + score / 2 ** (place + 1), 0);
    return { first: first!, match: first!.match!, support };
  });
  const most = Math.max(...firsts.map(({ support }) => support));
  for (const { first, match, support } of firsts) {
    match.support = support < most && isAsTyped(match, wordCount) ? most : support;
    first.score += supportScore(match);
  }
}

function isAsTyped(match: RuleMatch, wordCount: number): boolean {
  return (
    completeRule.score(match) >= (wordCount > 2 ? TYPED_TEXT : TYPED_PAIR) ||
    titleRule.score(match) >= TYPED_TITLE
  );
}
