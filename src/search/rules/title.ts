import type { BlockMatch } from "../query/block-match.ts";
import { Field } from "../contract/unit-fields.ts";
import { blockCoverage, orderKept, queryCoverage } from "./coverage.ts";
import type { Rule, RuleMatch } from "./rule.ts";

/** Factor for a section inside the page whose title the query is. */
const PAGE_OF_SECTION = 0.9;
/** Factor for a heading that covers the query only together with the headings above it. */
const IN_CONTEXT = 0.8;
/** How much of a heading's score depends on the order of the words. */
const ORDER = 0.1;
/** How sharply a heading's other words count against it: the exponent of the share that the query has. */
const SHARPNESS = 2;
/** Factor for a page whose address is the typed text, relative to one whose title is. */
const BY_ADDRESS = 0.85;
/** A page's own title counts more than a section's heading with the same words, by this factor. */
const PAGE = 1.2;

/**
 * The heading is the typed text: the share of the query that it has times the share of it that the query has, so that
 * only a heading of the same words gets all. 1 is a page whose title is the query. The name that a page has in its
 * address is a second title.
 */
export const titleRule: Rule = {
  name: "title",
  score({ blocks, rarities }: RuleMatch): number {
    let best = 0;
    const context = blocks.filter(({ field }) => field < Field.text);
    for (const block of context) {
      if (block.field === Field.heading) best = Math.max(best, scoreHeading(block, context, rarities));
      if (block.field === Field.page) {
        best = Math.max(best, PAGE_OF_SECTION * queryCoverage([block], rarities) * blockCoverage(block));
      }
    }
    for (const block of blocks) {
      if (block.field === Field.name) best = Math.max(best, BY_ADDRESS * PAGE * scoreOwn(block, rarities));
    }
    return best / PAGE;
  },
};

function scoreHeading(
  heading: BlockMatch,
  context: readonly BlockMatch[],
  rarities: readonly number[],
): number {
  // Level 1 is the page's title; see indexing/units.ts.
  const own = scoreOwn(heading, rarities) * (heading.attribute === 1 ? PAGE : 1);
  return Math.max(own, blockCoverage(heading) ** SHARPNESS * IN_CONTEXT * queryCoverage(context, rarities));
}

function scoreOwn(block: BlockMatch, rarities: readonly number[]): number {
  const order = 1 - ORDER + ORDER * orderKept(block, rarities.length);
  return blockCoverage(block) ** SHARPNESS * queryCoverage([block], rarities) * order;
}
