import { setImmediate as nextTurn } from "node:timers/promises";
import type { Steps } from "#search/index.ts";
import { TURN_MS } from "../protocol/limits.ts";

/** Does all steps, and gives everything else its turn whenever `TURN_MS` are used up. */
export async function runInTurns<Result>(steps: Steps<Result>): Promise<Result> {
  for (;;) {
    const end = performance.now() + TURN_MS;
    do {
      const step = steps.next();
      if (step.done) return step.value;
    } while (performance.now() < end);
    await nextTurn();
  }
}
