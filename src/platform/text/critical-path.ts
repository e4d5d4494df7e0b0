/** What the path asks of a step. */
export interface PathStep {
  id: string;
  /** From 1, in the order in which the builder named the steps. */
  number: number;
  inputs: readonly string[];
  /** Milliseconds; null before. */
  start: number | null;
  end: number | null;
  /** "cached": its result was reused. */
  state: string;
}

/**
 * The chain of steps that decided when the build ended, first step first. It is read from its end: the step that ended last (or
 * still runs), the one of its inputs that ended last and so let it begin, and so on. What came from the cache decided nothing:
 * the path goes through it unseen. A step that is joined to no other and began when all before it had ended has waited for them:
 * BuildKit gives its exports no inputs.
 *
 * @param now in the time of the steps, as the end of what runs
 */
export function findCriticalPath(steps: readonly PathStep[], now: number): string[] {
  const byId = new Map(steps.map((step) => [step.id, step]));
  const path: string[] = [];
  const seen = new Set<string>();
  let step = lastOf(steps.filter(isWork), now);
  // What is sent may go round in a circle.
  while (step && !seen.has(step.id)) {
    seen.add(step.id);
    path.unshift(step.id);
    step = lastOf(
      findWorkBefore(step, { steps, byId }).filter(({ id }) => !seen.has(id)),
      now,
    );
  }
  return path;
}

const isWork = ({ start, state }: PathStep) => start !== null && state !== "cached";

/** The nearest steps that worked, behind those that came from the cache. */
function findWorkBefore(step: PathStep, { steps, byId }: Graph): PathStep[] {
  const found: PathStep[] = [];
  const seen = new Set([step.id]);
  const isJoined = step.inputs.length > 0 || steps.some(({ inputs }) => inputs.includes(step.id));
  const waiting = isJoined ? [...step.inputs] : findAllBefore(step, steps);
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    const input = byId.get(id);
    if (!input || seen.has(id)) continue;
    seen.add(id);
    if (isWork(input)) found.push(input);
    else if (input.state === "cached") waiting.push(...input.inputs);
  }
  return found;
}

interface Graph {
  steps: readonly PathStep[];
  byId: ReadonlyMap<string, PathStep>;
}

/** Those that began earlier, if all of them have ended by then. */
function findAllBefore({ start }: PathStep, steps: readonly PathStep[]): string[] {
  if (start === null) return [];
  const before = steps.filter((other) => other.start !== null && other.start < start);
  return before.every(({ end }) => end !== null && end <= start) ? before.map(({ id }) => id) : [];
}

/** The one that ends last; of two at the same time the one named later, which is nearer to the end. */
function lastOf(steps: readonly PathStep[], now: number): PathStep | undefined {
  let last: PathStep | undefined;
  for (const step of steps) if (!last || compare(step, last, now) > 0) last = step;
  return last;
}

const compare = (one: PathStep, other: PathStep, now: number) =>
  (one.end ?? now) - (other.end ?? now) || one.number - other.number;
