import { type Build, type Step, sinceStart } from "./build-model.ts";
import type { Span } from "./span.ts";

/** When each step of a build ran in the other build: milliseconds since the other build's start, by the ids of `build`. */
export function compareSteps(build: Build, other: Build): Map<string, Span> {
  const others = new Map<string, Step[]>();
  for (const step of other.steps) {
    const key = keyOf(step, other);
    const same = others.get(key);
    if (same) same.push(step);
    else others.set(key, [step]);
  }
  const spans = new Map<string, Span>();
  for (const step of build.steps) {
    // If an instruction occurs twice: the first is compared with the first.
    const match = others.get(keyOf(step, build))?.shift();
    if (!match || match.start === null) continue;
    const start = sinceStart(other, match.start);
    spans.set(step.id, { start, end: Math.max(start, sinceStart(other, match.end ?? match.start)) });
  }
  return spans;
}

/** Platform, stage and instruction: an inserted step changes only the position of later ones. Export names always differ. */
const keyOf = (step: Step, build: Build) =>
  step.stage === "export"
    ? "export"
    : [step.platform ?? build.platform, step.stage, step.keyword, step.rest].join("\n");

/** The first step of a file that was not reused; the builder's own work always runs. */
export function firstToRunAgain(build: Build): string | null {
  let first: Step | null = null;
  for (const step of build.steps) {
    if (step.place === null || step.start === null || step.state === "cached" || step.state === "waiting")
      continue;
    if (first === null || step.start < (first.start ?? 0)) first = step;
  }
  return first?.id ?? null;
}
