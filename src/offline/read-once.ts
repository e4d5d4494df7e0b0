import { COPY_WAIT_MS } from "./limits.ts";

/**
 * Reads at the first call, and keeps the value. It reads again after it found nothing, failed or took too long: a disk
 * may fail only for a moment, and a worker can live for hours. A late value is kept, unless it was forgotten since.
 */
export function readOnce<Found>(read: () => Promise<Found | null>) {
  let kept: Promise<Found | null> | null = null;
  let timesForgotten = 0;

  function start(): Promise<Found | null> {
    const reading = read();
    const begun = timesForgotten;
    const drop = () => {
      if (kept === reading) kept = null;
    };
    const late = setTimeout(drop, COPY_WAIT_MS);
    const keep = (found: Found | null) => {
      if (found === null) drop();
      else if (begun === timesForgotten) kept = reading;
    };
    void reading.then(keep, drop).finally(() => clearTimeout(late));
    return reading;
  }

  return {
    get: () => (kept ??= start()),
    forget() {
      kept = null;
      timesForgotten++;
    },
  };
}
