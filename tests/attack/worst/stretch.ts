/** How long one request may keep the event loop, in CPU time. */

/** Milliseconds at a stretch. */
export const MOST_MS = 50;
/** Too long even once: no garbage collection takes as long. Bugs that were found took 1,400. */
export const STUCK_MS = 300;
/** A busy machine makes one stretch longer, hardly three in a row. */
const REPEATS = 3;

/**
 * @param firstMs of the request alone
 * @param measureAgain sends it once more, alone
 * @returns the stretch that is too long even once, else the shortest when all are too long, else null
 */
export async function stretchTooLong(
  firstMs: number,
  measureAgain: () => Promise<number>,
): Promise<number | null> {
  let [latest, shortest] = [firstMs, firstMs];
  for (let time = 0; time < REPEATS && latest <= STUCK_MS && shortest > MOST_MS; time += 1) {
    latest = await measureAgain();
    shortest = Math.min(shortest, latest);
  }
  if (latest > STUCK_MS) return latest;
  return shortest > MOST_MS ? shortest : null;
}
