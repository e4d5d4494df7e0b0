import { findCriticalPath } from "#platform/text/critical-path.ts";
import type { StepRecord } from "./types.ts";

/** @param now milliseconds since 1970, used as the end of running steps */
export const findPath = (steps: readonly StepRecord[], now: number): string[] =>
  findCriticalPath(
    steps.map((step) => ({
      id: step.id,
      number: step.number,
      inputs: step.inputs,
      start: step.startedAt,
      end: step.finishedAt,
      state: step.isCached ? "cached" : step.state,
    })),
    now,
  );
