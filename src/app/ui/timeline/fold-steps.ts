import type { Step } from "./build-model.ts";

export interface FoldedSteps {
  /** The one whose name is shown. */
  shown: Step;
  /** In their order, with the one that is shown. */
  steps: readonly Step[];
}

/** Of the builder's own work, what is too short to be looked at. Milliseconds. */
const SHORT = 250;

/**
 * Cached steps that follow each other in one stage become one row: the last, which holds the others, or the first when they
 * are of a base. So do the short ones of the builder's own work.
 */
export function foldSteps(steps: readonly Step[]): FoldedSteps[] {
  const folds: { steps: Step[] }[] = [];
  for (const step of steps) {
    const open = folds.at(-1);
    const before = open?.steps.at(-1);
    if (open && before && joins(before, step)) open.steps.push(step);
    else folds.push({ steps: [step] });
  }
  return folds.map((fold) => ({ steps: fold.steps, shown: shownOf(fold.steps) }));
}

function joins(before: Step, step: Step): boolean {
  if (before.stage !== step.stage) return false;
  if (before.state === "cached" && step.state === "cached") return true;
  return step.stage === "internal" && isShort(before) && isShort(step);
}

const isShort = ({ state, start, end, transferred }: Step) =>
  (state === "worked" || state === "cached") && transferred === 0 && (end ?? 0) - (start ?? 0) < SHORT;

/** `FROM` says more than what is done to it. */
function shownOf(steps: readonly Step[]): Step {
  const base = steps.find(({ keyword }) => keyword === "FROM");
  return base ?? (steps.at(-1) as Step);
}
