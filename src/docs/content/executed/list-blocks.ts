/** What becomes of the code blocks, for people: counts, and each block that no test executes or checks. */
import type { Facts } from "../facts/facts.ts";
import type { Page } from "../types.ts";
import { blocksOf, CHANGES, type GivenStates, REASONS, stateOf } from "./states.ts";

/** `739 code blocks: 210 run, 130 run adapted, 290 checked, 109 declared` */
export function countBlocks(pages: readonly Page[], known: { given: GivenStates; facts: Facts }): string {
  const states = pages.flatMap((page) => blocksOf(page).map((block) => stateOf(page, block, known)?.state));
  const count = (state: string | undefined) => states.filter((each) => each === state).length;
  const counts = [
    `${count("run")} run as printed`,
    `${count("adapted")} run adapted`,
    `${count("checked")} checked`,
    `${count("declared")} declared`,
    ...(count(undefined) > 0 ? [`${count(undefined)} without a state`] : []),
  ];
  return `${states.length} code blocks: ${counts.join(", ")}`;
}

/** A line for each block that is adapted or declared, with why. */
export function listBlocks(pages: readonly Page[], known: { given: GivenStates; facts: Facts }): string[] {
  return pages.flatMap((page) =>
    blocksOf(page).flatMap((block) => {
      const state = stateOf(page, block, known);
      const place = `${page.file}:${block.line}`;
      if (state?.state === "declared")
        return [`${place}  declared, ${state.reason}: ${REASONS[state.reason]} ${state.why}`];
      if (state?.state === "adapted")
        return [`${place}  adapted, ${state.change}: ${state.why ?? CHANGES[state.change]}`];
      return [];
    }),
  );
}
