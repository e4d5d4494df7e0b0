/**
 * An identifier that was typed whole and that the documents have: its parts say as much only where they are together;
 * those of `remote_cache`, only inside a longer identifier, not in prose.
 *
 *   query   CreateBuild
 *   block   Create a project, create a build, send CreateBuildRequest
 *           ½ create          ½ create ½ build    create build
 */
import type { Occurrence } from "./block-match.ts";
import type { Span } from "./spans.ts";

/** Query words `[from, to)`. */
export interface IdentifierRange {
  from: number;
  to: number;
  isSnakeCase: boolean;
}

/** The weight of a part that is found alone. */
const SCATTERED = 0.5;

export function identifierRanges(spans: readonly Span[]): IdentifierRange[] {
  return spans.filter(({ isIdentifier }) => isIdentifier);
}

/** Lowers the weights of the parts that stand alone; `occurrences` are those of one block, in order of position. */
export function lowerScatteredParts(
  occurrences: readonly Occurrence[],
  { from, to, isSnakeCase }: IdentifierRange,
): void {
  const whole = ((1 << to) - 1) & ~((1 << from) - 1);
  const together = new Set<Occurrence>();
  for (const first of occurrences) {
    if ((first.mask & (1 << from)) === 0) continue;
    const run = followParts(occurrences, first, from, to);
    if (run && (!isSnakeCase || run.every(({ isPart }) => isPart)))
      for (const part of run) together.add(part);
  }
  for (const one of occurrences) {
    const isPart = (one.mask & whole) !== 0 && (one.mask & whole) !== whole;
    if (isPart && !together.has(one)) one.weight *= SCATTERED;
  }
}

/** The identifier's parts one after the other, from its first one on; null if they do not stand so. */
function followParts(
  occurrences: readonly Occurrence[],
  first: Occurrence,
  from: number,
  to: number,
): Occurrence[] | null {
  const run = [first];
  for (let word = from + 1; word < to; word++) {
    const last = run.at(-1)!;
    const position = last.position + last.length;
    const next = occurrences.find((one) => one.position === position && one.mask & (1 << word));
    if (!next) return null;
    run.push(next);
  }
  return run;
}
