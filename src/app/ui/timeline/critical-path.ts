import type { Step } from "./build-model.ts";

/**
 * The chain of steps that decided when the build ended, first step first. It is read from its end: the step that ended last (or
 * still runs), the one of its inputs that ended last and so let it begin, and so on. What came from the cache decided nothing:
 * the path goes through it unseen.
 *
 * @param now milliseconds since 1970, as the end of what runs
 */
export function findCriticalPath(steps: readonly Step[], now: number): string[] {
  const byId = new Map(steps.map((step) => [step.id, step]));
  const path: string[] = [];
  const seen = new Set<string>();
  let step = lastOf(steps.filter(isWork), now);
  // What is sent may go round in a circle.
  while (step && !seen.has(step.id)) {
    seen.add(step.id);
    path.unshift(step.id);
    step = lastOf(
      findWorkBefore(step, byId).filter(({ id }) => !seen.has(id)),
      now,
    );
  }
  return path;
}

const isWork = ({ start, state }: Step) => start !== null && state !== "cached";

/** The nearest steps that worked, behind those that came from the cache. */
function findWorkBefore(step: Step, byId: ReadonlyMap<string, Step>): Step[] {
  const found: Step[] = [];
  const seen = new Set([step.id]);
  const waiting = [...step.inputs];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    const input = byId.get(id);
    if (!input || seen.has(id)) continue;
    seen.add(id);
    if (isWork(input)) found.push(input);
    else if (input.state === "cached") waiting.push(...input.inputs);
  }
  return found;
}

/** The one that ends last; of two at the same time the one named later, which is nearer to the end. */
function lastOf(steps: readonly Step[], now: number): Step | undefined {
  let last: Step | undefined;
  for (const step of steps) if (!last || compare(step, last, now) > 0) last = step;
  return last;
}

const compare = (one: Step, other: Step, now: number) =>
  (one.end ?? now) - (other.end ?? now) || one.number - other.number;
