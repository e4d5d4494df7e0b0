import type { Step } from "./build-model.ts";

/**
 * The chain of steps that decided when the build ended, first step first. It is read from its end: the step that ended last (or
 * still runs), the one of its inputs that ended last and so let it begin, and so on.
 *
 * @param now milliseconds since 1970, as the end of what runs
 */
export function findCriticalPath(steps: readonly Step[], now: number): string[] {
  const byId = new Map(steps.map((step) => [step.id, step]));
  const path: string[] = [];
  const seen = new Set<string>();
  let step = lastOf(steps, now);
  // What is sent may go round in a circle.
  while (step && !seen.has(step.id)) {
    seen.add(step.id);
    path.unshift(step.id);
    step = lastOf(
      step.inputs.flatMap((id) => byId.get(id) ?? []).filter(({ id }) => !seen.has(id)),
      now,
    );
  }
  return path;
}

/** Of those that have begun the one that ends last; of two at the same time the one named later, which is nearer to the end. */
function lastOf(steps: readonly Step[], now: number): Step | undefined {
  let last: Step | undefined;
  for (const step of steps) {
    if (step.start === null) continue;
    if (!last || compare(step, last, now) > 0) last = step;
  }
  return last;
}

const compare = (one: Step, other: Step, now: number) =>
  (one.end ?? now) - (other.end ?? now) || one.number - other.number;
