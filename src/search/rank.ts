import type { OpenedIndex } from "./open-index.ts";
import type { Candidates } from "./query/retrieve.ts";
import { scanUnit, type BlockMatch } from "./query/scan-unit.ts";
import type { TermMarks } from "./query/term-marks.ts";
import { blockCoverage, queryCoverage, smallestWindow } from "./rules/features.ts";
import { Field } from "./unit-fields.ts";

export const P = { title: 1, context: 0.8, prox: 0.5, tight: 0.5, base: 1, pageRoot: 0, order: 0, exact: 0 };
export function rankUnit(
  index: OpenedIndex,
  candidates: Candidates,
  at: number,
  marks: TermMarks,
): { score: number; blocks: BlockMatch[] } {
  const { rarities } = candidates;
  const R = rarities.reduce((a, b) => a + b, 0) || 1;
  const unit = candidates.units[at]!;
  const blocks = scanUnit(index, unit, marks);
  const base = candidates.scores[at]! / R;
  const headings = blocks.filter((b) => b.field === Field.heading);
  const context = blocks.filter((b) => b.field <= Field.section);
  let T = 0;
  for (const h of headings) {
    const c2 = blockCoverage(h);
    T = Math.max(T, queryCoverage([h], rarities) * c2, P.context * queryCoverage(context, rarities) * c2);
  }
  let best = 0;
  for (const b of blocks) {
    const c = queryCoverage([b], rarities);
    let k = 0;
    for (let w = 0; w < rarities.length; w++) if (b.mask & (1 << w)) k++;
    const tight = Math.min(1, k / smallestWindow(b));
    best = Math.max(best, c * (1 - P.tight + P.tight * tight));
  }
  return { score: P.base * base + P.title * T + P.prox * best, blocks };
}
