/**
 * 1. The path is the one that an exhaustive search finds: of all chains to the last step that cannot be made longer at their
 *    beginning, without what was cached, the one whose ends, read backwards, are the latest.
 * 2. It is a chain of inputs that have begun, also in a circle.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Step } from "./build-model.ts";
import { findCriticalPath } from "./critical-path.ts";
import { makeStep } from "./test-steps.ts";

const NOW = 100;

/** Steps whose inputs are among those before them. */
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

const keyOf = (step: Step) => [step.end ?? NOW, step.number] as const;

/** Every chain that ends with this step, longest first of its kind, last step first. */
function chainsTo(step: Step, steps: readonly Step[]): Step[][] {
  const inputs = steps.filter(({ id, start }) => step.inputs.includes(id) && start !== null);
  if (inputs.length === 0) return [[step]];
  return inputs.flatMap((input) => chainsTo(input, steps).map((chain) => [step, ...chain]));
}

function isLater(one: readonly Step[], other: readonly Step[]): boolean {
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
      const isWork = ({ start, state }: Step) => start !== null && state !== "cached";
      const all = steps
        .filter(isWork)
        .flatMap((step) => chainsTo(step, steps).map((chain) => chain.filter(isWork)));
      let best: Step[] = [];
      for (const chain of all) if (best.length === 0 || isLater(chain, best)) best = chain;
      expect(findCriticalPath(steps, NOW)).toEqual(best.toReversed().map(({ id }) => id));
    }),
    { numRuns: 500 },
  );
});

test("circles and unknown inputs end (2)", () => {
  const steps = [
    makeStep({ id: "a", number: 1, start: 0, end: 5, inputs: ["b", "a"] }),
    makeStep({ id: "b", number: 2, start: 5, end: 9, inputs: ["a", "nobody"] }),
  ];
  expect(findCriticalPath(steps, NOW)).toEqual(["a", "b"]);
  expect(findCriticalPath([], NOW)).toEqual([]);
});
