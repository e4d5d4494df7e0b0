/**
 * 1. The path equals the result of an exhaustive search: of all chains to the last step that cannot be extended at their
 *    beginning, without cached steps, the one whose ends, read backwards, are the latest. A step without connections has waited
 *    for all steps before it, if they had ended when it began.
 * 2. It is a chain of inputs that have begun, even with cycles.
 * 3. The largest build, however its steps are connected, is processed quickly: this test ends.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { findCriticalPath, type PathStep } from "./critical-path.ts";

const makeStep = (parts: Partial<PathStep> & { id: string }): PathStep => ({
  number: 1,
  inputs: [],
  state: "worked",
  start: 0,
  end: 10,
  ...parts,
});

const NOW = 100;

/** Steps whose inputs are earlier steps. */
const graph = fc
  .array(
    fc.record({
      start: fc.option(fc.integer({ min: 0, max: 20 }), { nil: null }),
      lasts: fc.option(fc.integer({ min: 0, max: 20 }), { nil: null }),
      isCached: fc.boolean(),
      inputs: fc.array(fc.nat(7), { maxLength: 4 }),
    }),
    { minLength: 1, maxLength: 8 },
  )
  .map((parts) =>
    parts.map(({ start, lasts, isCached, inputs }, index) =>
      makeStep({
        id: `${index}`,
        number: index + 1,
        state: start === null ? "waiting" : isCached ? "cached" : "worked",
        start,
        end: start === null || lasts === null ? null : start + lasts,
        inputs: [...new Set(inputs)].filter((input) => input < index).map(String),
      }),
    ),
  );

const keyOf = (step: PathStep) => [step.end ?? NOW, step.number] as const;

function inputsOf({ id, inputs, start }: PathStep, steps: readonly PathStep[]): readonly string[] {
  const isNeeded = steps.some((other) => other.inputs.includes(id));
  if (inputs.length > 0 || isNeeded || start === null) return inputs;
  const before = steps.filter((other) => (other.start ?? start) < start);
  return before.some(({ end }) => (end ?? NOW) > start) ? [] : before.map(({ id }) => id);
}

/** Every chain that ends with this step, longest first of its kind, last step first. */
function chainsTo(step: PathStep, steps: readonly PathStep[]): PathStep[][] {
  const inputs = steps.filter(({ id, start }) => inputsOf(step, steps).includes(id) && start !== null);
  if (inputs.length === 0) return [[step]];
  return inputs.flatMap((input) => chainsTo(input, steps).map((chain) => [step, ...chain]));
}

function isLater(one: readonly PathStep[], other: readonly PathStep[]): boolean {
  for (const [index, step] of one.entries()) {
    const against = other[index];
    if (!against) return true;
    const [end, number] = keyOf(step);
    const [otherEnd, otherNumber] = keyOf(against);
    if (end !== otherEnd) return end > otherEnd;
    if (number !== otherNumber) return number > otherNumber;
  }
  return false;
}

test("the same as by exhaustive search (1)", () => {
  fc.assert(
    fc.property(graph, (steps) => {
      const isWork = ({ start, state }: PathStep) => start !== null && state !== "cached";
      const all = steps
        .filter(isWork)
        .flatMap((step) => chainsTo(step, steps).map((chain) => chain.filter(isWork)));
      let best: PathStep[] = [];
      for (const chain of all) if (best.length === 0 || isLater(chain, best)) best = chain;
      expect(findCriticalPath(steps, NOW)).toEqual(best.toReversed().map(({ id }) => id));
    }),
    { numRuns: 500 },
  );
});

test("an export decides nothing but its own time (1)", () => {
  const steps = [
    makeStep({ id: "a", number: 1, start: 0, end: 9 }),
    makeStep({ id: "b", number: 2, start: 0, end: 5 }),
    makeStep({ id: "export", number: 3, start: 10, end: 11 }),
  ];
  expect(findCriticalPath(steps, NOW)).toEqual(["a", "export"]);
});

test("circles and unknown inputs end (2)", () => {
  const steps = [
    makeStep({ id: "a", number: 1, start: 0, end: 5, inputs: ["b", "a"] }),
    makeStep({ id: "b", number: 2, start: 5, end: 9, inputs: ["a", "nobody"] }),
  ];
  expect(findCriticalPath(steps, NOW)).toEqual(["a", "b"]);
  expect(findCriticalPath([], NOW)).toEqual([]);
});

const LARGEST = 5000;
const numbered = (parts: Partial<PathStep> & { number: number }) =>
  makeStep({ id: `sha256:${String(parts.number).padStart(64, "0")}`, ...parts });
const idsOf = (steps: readonly PathStep[], count: number) => steps.slice(-count).map(({ id }) => id);

test("many steps, all behind the same ones from the cache (3)", () => {
  const steps: PathStep[] = [];
  for (let number = 1; number <= LARGEST; number += 1) {
    const isCached = number <= LARGEST / 2;
    const cached = steps.slice(0, LARGEST / 2);
    steps.push(
      isCached
        ? numbered({ number, state: "cached", inputs: idsOf(cached, 100) })
        : numbered({
            number,
            start: number,
            end: number + 1,
            inputs: [...idsOf(steps, 1), ...idsOf(cached, 1)],
          }),
    );
  }
  expect(findCriticalPath(steps, NOW)).toEqual(idsOf(steps, LARGEST / 2));
});

test("many steps that are joined to none (3)", () => {
  const steps = Array.from({ length: LARGEST }, (_, at) =>
    numbered({ number: at + 1, start: at, end: at + 1 }),
  );
  expect(findCriticalPath(steps, NOW)).toEqual(idsOf(steps, LARGEST));
});

test.each([false, true])("a long way through the cache, in a circle: %s (3)", (isCircle) => {
  const steps = [numbered({ number: 1 })];
  const end = numbered({ number: LARGEST - 1 }).id;
  for (let number = 2; number < LARGEST; number += 1)
    steps.push(
      numbered({ number, state: "cached", inputs: [...idsOf(steps, 1), ...(isCircle ? [end] : [])] }),
    );
  steps.push(makeStep({ id: "last", number: LARGEST, start: 20, end: 30, inputs: idsOf(steps, 1) }));
  const path = findCriticalPath(steps, NOW);
  if (isCircle) expect(path.at(-1)).toBe("last");
  else expect(path).toEqual([steps[0]?.id, "last"]);
});
