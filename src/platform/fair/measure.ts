/** The real cost of charged work. */
import { performance } from "node:perf_hooks";
import { WINDOW_MS } from "./limits.ts";

export interface Measure {
  /** @param cost from the table. @returns its real cost, in milliseconds */
  take: (cost: number, now: number) => number;
}

/** Weight of earlier measurements, per window. */
const FADE = 0.98;
const MOST_RATIO = 4;

/**
 * Multiplies table costs by the ratio of the loop's busy time to the charged time: all charges together equal the time used.
 * @param busyMs how long the event loop has been busy, in milliseconds
 */
export function createMeasure(busyMs: () => number): Measure {
  let readAt = Number.NEGATIVE_INFINITY;
  let busyBefore = busyMs();
  let charged = 0;
  /** Sums of recent windows, weighted towards the latest. */
  let sums = { busy: 10, charged: 10 };
  let ratio = 1;

  function read(now: number): void {
    const busy = busyMs();
    sums = { busy: FADE * sums.busy + busy - busyBefore, charged: FADE * sums.charged + charged };
    ratio = Math.min(MOST_RATIO, Math.max(1 / MOST_RATIO, sums.busy / (sums.charged + 0.001)));
    [readAt, busyBefore, charged] = [now, busy, 0];
  }

  return {
    take(cost, now) {
      if (now - readAt >= WINDOW_MS) read(now);
      charged += cost;
      return cost * ratio;
    },
  };
}

export const readBusyMs = (): number => performance.eventLoopUtilization().active;
