import type { Step } from "./build-model.ts";

export interface FoldedSteps {
  /** The step whose name is shown. */
  shown: Step;
  /** In order, including the shown one. */
  steps: readonly Step[];
}

/** The builder's own steps are folded when shorter. Milliseconds. */
const SHORT = 250;

/**
 * Consecutive cached steps of a stage become one row: the last step represents the others, or the first step if it is the
 * base. So do the builder's own short steps.
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

/** `FROM` says more than the steps after it. */
function shownOf(steps: readonly Step[]): Step {
  const base = steps.find(({ keyword }) => keyword === "FROM");
  return base ?? (steps.at(-1) as Step);
}
