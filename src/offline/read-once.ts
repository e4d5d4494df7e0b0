import { COPY_WAIT_MS } from "./limits.ts";

/**
 * Reads when first asked, and keeps what was found. It reads again after it found nothing, failed or took too long: a disk
 * may be broken for a moment only, and a worker can live for hours.
 */
export function readOnce<Found>(read: () => Promise<Found | null>) {
  let kept: Promise<Found | null> | null = null;

  function start(): Promise<Found | null> {
    const reading = read();
    const drop = () => {
      if (kept === reading) kept = null;
    };
    const late = setTimeout(drop, COPY_WAIT_MS);
    void reading.then((found) => found === null && drop(), drop).finally(() => clearTimeout(late));
    return reading;
  }

  return {
    get: () => (kept ??= start()),
    forget: () => void (kept = null),
  };
}
