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
  const graph = createGraph(steps, now);
  const path: string[] = [];
  const seen = new Set<string>();
  let step = lastOf(steps.filter(isWork), now);
  // What is sent may go round in a circle.
  while (step && !seen.has(step.id)) {
    seen.add(step.id);
    path.push(step.id);
    step = lastOf(
      findWorkBefore(step, graph).filter(({ id }) => !seen.has(id)),
      now,
    );
  }
  return path.toReversed();
}

const isWork = ({ start, state }: PathStep) => start !== null && state !== "cached";

/** What is asked of every step of the path, found out once: a build may have 5,000 steps with 100 inputs each. */
interface Graph {
  now: number;
  byId: ReadonlyMap<string, PathStep>;
  /** The ids of all inputs. */
  needed: ReadonlySet<string>;
  /** The step that ended last of the nearest ones that worked behind a step from the cache; by that one's id. */
  behind: Map<string, PathStep | undefined>;
  /** By their beginnings. */
  begun: readonly Begun[];
}

/** A step that has begun, and all that began no later. */
interface Begun {
  start: number;
  /** When all of them had ended; Infinity while one runs. */
  allEnded: number;
  /** The one of them that ended last, or of what is behind them. */
  last: PathStep | undefined;
}

function createGraph(steps: readonly PathStep[], now: number): Graph {
  const graph: Graph = {
    now,
    byId: new Map(steps.map((step) => [step.id, step])),
    needed: new Set(steps.flatMap(({ inputs }) => inputs)),
    behind: new Map(),
    begun: [],
  };
  return { ...graph, begun: sumUp(steps, graph) };
}

function sumUp(steps: readonly PathStep[], graph: Graph): Begun[] {
  let allEnded = Number.NEGATIVE_INFINITY;
  let last: PathStep | undefined;
  return steps
    .flatMap((step) => (step.start === null ? [] : { step, start: step.start }))
    .toSorted((one, other) => one.start - other.start)
    .map(({ step, start }) => {
      allEnded = Math.max(allEnded, step.end ?? Number.POSITIVE_INFINITY);
      const found = isWork(step) ? step : findBehind(step, graph);
      last = lastOf(
        [last, found].filter((each) => each !== undefined),
        graph.now,
      );
      return { start, allEnded, last };
    });
}

/** Of the nearest steps that worked, behind those that came from the cache, those of which one ended last. */
function findWorkBefore(step: PathStep, graph: Graph): PathStep[] {
  if (step.inputs.length === 0 && !graph.needed.has(step.id)) return findLastBefore(step, graph);
  return step.inputs.flatMap((id) => {
    const input = graph.byId.get(id);
    if (!input || isWork(input)) return input ?? [];
    return findBehind(input, graph) ?? [];
  });
}

/** Behind a step that did not work; each is looked at once for the whole path, and once in a circle. */
function findBehind(step: PathStep, { byId, behind, now }: Graph): PathStep | undefined {
  // Not by calls within calls: a chain may have as many as there are steps.
  const open = [step];
  const asked = new Set<string>();
  for (let current = open.at(-1); current; current = open.at(-1)) {
    const { id, state } = current;
    const inputs = state === "cached" ? current.inputs.flatMap((input) => byId.get(input) ?? []) : [];
    const first = asked.has(id)
      ? []
      : inputs.filter((input) => !isWork(input) && !behind.has(input.id) && !asked.has(input.id));
    asked.add(id);
    open.push(...first);
    if (first.length > 0) continue;
    open.pop();
    const found = inputs.flatMap((input) => (isWork(input) ? input : (behind.get(input.id) ?? [])));
    if (!behind.has(id)) behind.set(id, lastOf(found, now));
  }
  return behind.get(step.id);
}

/** Of those that began earlier, if all of them have ended by then. */
function findLastBefore({ start }: PathStep, { begun }: Graph): PathStep[] {
  if (start === null) return [];
  let [from, to] = [0, begun.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    // Within the list.
    if (begun[middle]!.start < start) from = middle + 1;
    else to = middle;
  }
  const before = begun[from - 1];
  return before?.last && before.allEnded <= start ? [before.last] : [];
}

/** The one that ends last; of two at the same time the one named later, which is nearer to the end. */
function lastOf(steps: readonly PathStep[], now: number): PathStep | undefined {
  let last: PathStep | undefined;
  for (const step of steps) if (!last || compare(step, last, now) > 0) last = step;
  return last;
}

const compare = (one: PathStep, other: PathStep, now: number) =>
  (one.end ?? now) - (other.end ?? now) || one.number - other.number;
