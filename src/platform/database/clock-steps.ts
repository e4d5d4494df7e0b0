/**
 * Whether a clock has just been set. Servers of a database see that one after the other: what others have let last by the time before
 * says nothing of whether they live, until each of them has seen it and has said so anew.
 */

/** Less is a look that came late. */
export const STEP_MS = 5_000;

export interface ClockStepsOptions {
  clock: () => number;
  /** Milliseconds from any origin, by a clock that nobody sets. */
  elapsed: () => number;
  /** When it was set before, by `elapsed`; absent: never. */
  setAt?: number;
}

/** @returns how many milliseconds ago the clock was set; to be asked in one go with what is judged by its time */
export function createClockSteps({ clock, elapsed, setAt = Number.NEGATIVE_INFINITY }: ClockStepsOptions) {
  let ahead = clock() - elapsed();
  let at = setAt;
  return (): number => {
    const passed = elapsed();
    const now = clock() - passed;
    if (Math.abs(now - ahead) >= STEP_MS) at = passed;
    ahead = now;
    return passed - at;
  };
}
