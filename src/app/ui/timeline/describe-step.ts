import { sayTime } from "../clock/format-tick.ts";
import { type Build, labelOf, type Step } from "./build-model.ts";
import type { PlatformRow, StepRow } from "./layout-timeline.ts";

/** "deps 2 of 2, RUN pnpm install, worked, 14.7 seconds, on the critical path" */
export function describeStep({ step, steps, isCritical, isFirstToRunAgain }: StepRow, build: Build): string {
  const last = steps.at(-1) ?? step;
  return [
    sayLabel(last),
    `${step.keyword} ${step.rest}`.trim(),
    steps.length > 1 && `and ${steps.length - 1} more`,
    SAID[step.state],
    timeOf(steps, build),
    step.exitCode !== null && `exit code ${step.exitCode}`,
    isFirstToRunAgain && "first to run again",
    isCritical && "on the critical path",
  ]
    .filter(Boolean)
    .join(", ");
}

const SAID: Record<Step["state"], string> = {
  waiting: "waiting",
  running: "running",
  cached: "cached",
  worked: "worked",
  failed: "failed",
  canceled: "canceled",
};

function sayLabel({ stage, place }: Step): string {
  const name = stage === "internal" ? "" : stage;
  return place ? `${name} ${place.at} of ${place.of}`.trim() : name;
}

/** A running clock is not announced: its start is. */
function timeOf(steps: readonly Step[], build: Build): string {
  const [step] = steps;
  if (step?.state === "running" && step.start !== null)
    return `since ${sayTime(step.start - build.startedAt)} after the start`;
  const time = steps.reduce((sum, { worked }) => sum + worked, 0);
  return step?.state === "worked" || step?.state === "failed" ? sayTime(time) : "";
}

/** "12 steps, 3 cached, ready to export", "7 of 9 steps, 4 cached" */
export function describePlatform(row: PlatformRow, build: Build): string {
  const all = row.isReady || build.result === "running" || build.result === "succeeded";
  return [
    all ? `${row.steps} ${row.steps === 1 ? "step" : "steps"}` : `${row.done} of ${row.steps} steps`,
    row.cached > 0 && `${row.cached} cached`,
    row.isReady && build.result === "running" && "ready to export",
  ]
    .filter(Boolean)
    .join(", ");
}

/** Next to the instruction: "deps 2/2"; the builder's own work has none. */
export const shortLabel = (step: Step) => (step.stage === "internal" ? "" : labelOf(step));
