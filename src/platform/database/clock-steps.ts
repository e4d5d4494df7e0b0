/**
 * Detects that a clock has just been set. Servers of a database notice this one after another: an expiry set by another server
 * under the old time does not show whether that server is alive, until it has also noticed, and renewed it.
 */

/** Smaller steps are just late checks. */
export const STEP_MS = 5_000;

export interface ClockStepsOptions {
  clock: () => number;
  /** Milliseconds from any origin, by a monotonic clock. */
  elapsed: () => number;
  /** When it was last set, by `elapsed`; absent: never. */
  setAt?: number;
}

/** @returns milliseconds since the clock was set; ask in the same turn as what is judged by that clock */
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
