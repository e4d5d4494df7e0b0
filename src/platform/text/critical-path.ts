/** The properties of a step that the path depends on. */
export interface PathStep {
  id: string;
  /** From 1, in the builder's order. */
  number: number;
  inputs: readonly string[];
  /** Milliseconds; null before the step begins or ends. */
  start: number | null;
  end: number | null;
  /** "cached": its result was reused. */
  state: string;
}

/**
 * The chain of steps that decided when the build ended, first step first. It is found from its end: the step that ended last (or
 * still runs), then the input that ended last and so let it begin, and so on. Cached steps decided nothing: the path passes
 * through them. A step without connections that began when all earlier steps had ended has waited for them: BuildKit gives its
 * exports no inputs.
 *
 * @param now the end of running steps, in the steps' time
 */
export function findCriticalPath(steps: readonly PathStep[], now: number): string[] {
  const graph = createGraph(steps, now);
  const path: string[] = [];
  const seen = new Set<string>();
  let step = lastOf(steps.filter(isWork), now);
  // The data may contain cycles.
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

/** Derived once for all steps of the path: a build may have 5,000 steps with 100 inputs each. */
interface Graph {
  now: number;
  byId: ReadonlyMap<string, PathStep>;
  /** The ids of all inputs. */
  needed: ReadonlySet<string>;
  /** For a cached step, by id: of the nearest working steps before it, the one that ended last. */
  behind: Map<string, PathStep | undefined>;
  /** In order of start. */
  begun: readonly Begun[];
}

/** A step that has begun, with all steps that began no later. */
interface Begun {
  start: number;
  /** When all of them had ended; Infinity while one runs. */
  allEnded: number;
  /** The one that ended last, among them or the steps before cached ones. */
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

/** The inputs of a step that worked, with cached inputs replaced by the nearest working steps before them. */
function findWorkBefore(step: PathStep, graph: Graph): PathStep[] {
  if (step.inputs.length === 0 && !graph.needed.has(step.id)) return findLastBefore(step, graph);
  return step.inputs.flatMap((id) => {
    const input = graph.byId.get(id);
    if (!input || isWork(input)) return input ?? [];
    return findBehind(input, graph) ?? [];
  });
}

/** The working step before a cached step; each is visited once for the whole path, and once per cycle. */
function findBehind(step: PathStep, { byId, behind, now }: Graph): PathStep | undefined {
  // Not recursive: a chain may be as long as the number of steps.
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

/** The last of the steps that began earlier, if all of them had ended by then. */
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

/** The step that ends last; of two that end at the same time, the one with the higher number, which is nearer to the end. */
function lastOf(steps: readonly PathStep[], now: number): PathStep | undefined {
  let last: PathStep | undefined;
  for (const step of steps) if (!last || compare(step, last, now) > 0) last = step;
  return last;
}

const compare = (one: PathStep, other: PathStep, now: number) =>
  (one.end ?? now) - (other.end ?? now) || one.number - other.number;
