import type { BlockMatch } from "../query/scan-unit.ts";
import { Field } from "../unit-fields.ts";
import { blockCoverage, orderKept, queryCoverage } from "./coverage.ts";
import type { Rule, RuleMatch } from "./rule.ts";

/** Factor for a section inside the page whose title the query is. */
const PAGE_OF_SECTION = 0.9;
/** Factor for a heading that covers the query only together with the headings above it. */
const IN_CONTEXT = 0.8;
/** How much of a heading's score depends on the order of the words. */
const ORDER = 0.1;
/** A page's own title counts more than a section's heading with the same words, by this factor. */
const PAGE = 1.2;

/**
 * The heading is what was typed: how much of the query it has times how much of it the query has, so that only a
 * heading of the same words gets all. 1 is a page whose title is the query.
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
    return best / PAGE;
  },
};

function scoreHeading(
  heading: BlockMatch,
  context: readonly BlockMatch[],
  rarities: readonly number[],
): number {
  const covered = blockCoverage(heading);
  const order = 1 - ORDER + ORDER * orderKept(heading, rarities.length);
  // Level 1 is the page's title; see build/units.ts.
  const own = queryCoverage([heading], rarities) * order * (heading.attribute === 1 ? PAGE : 1);
  return covered * Math.max(own, IN_CONTEXT * queryCoverage(context, rarities));
}
