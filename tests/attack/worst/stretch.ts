/** How long one request may keep the event loop, in CPU time. */

/** Milliseconds at a stretch. */
export const MOST_MS = 50;
/** At once too much: no collection of garbage takes as long. What was found took 1,400. */
export const STUCK_MS = 300;
/** A busy machine makes one stretch longer, hardly three in a row. */
const REPEATS = 3;

/**
 * @param firstMs of the request alone
 * @param measureAgain sends it once more, alone
 * @returns the shortest of the stretches when all are too long, else null
 */
export async function stretchTooLong(
  firstMs: number,
  measureAgain: () => Promise<number>,
): Promise<number | null> {
  if (firstMs > STUCK_MS) return firstMs;
  let shortest = firstMs;
  for (let time = 0; time < REPEATS && shortest > MOST_MS; time += 1)
    // oxlint-disable-next-line no-await-in-loop -- each alone
    shortest = Math.min(shortest, await measureAgain());
  return shortest > MOST_MS ? shortest : null;
}
