import { Field } from "../contract/unit-fields.ts";
import { blockCoverage, queryCoverage } from "./coverage.ts";
import type { Rule } from "./rule.ts";

/**
 * A reader who types an identifier (`--save-tag`, `MILLRACE_TOKEN`) asks what it is: the table row that defines it, before the
 * samples that use it. 1 is a row whose first cell is the identifier and nothing else.
 */
export const definitionRule: Rule = {
  name: "definition",
  score({ blocks, rarities, isIdentifier }) {
    if (!isIdentifier) return 0;
    const rows = blocks.filter(({ field }) => field === Field.term);
    return rows.reduce((best, row) => Math.max(best, queryCoverage([row], rarities) * blockCoverage(row)), 0);
  },
};
