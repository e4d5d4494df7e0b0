/**
 * Look-ups that strangers can ask for: no number of them occupies the database. What comes in one turn of the event loop is
 * looked up together. A few statements run at a time, and whatever comes meanwhile waits for the next one.
 *
 *     a, b ─────► statement for a and b ──► …
 *     c, d, e ──► (wait) ──────────► statement for c, d and e
 */

import { outsideRequests } from "../log/request-context.ts";

/** So that one that hangs does not hold up all others. */
const STATEMENTS_AT_ONCE = 2;
/** Each may be several parameters. */
const MOST_AT_ONCE = 200;

interface Asked<Key, Found> {
  key: Key;
  resolve: (found: Found) => void;
  reject: (error: unknown) => void;
}

/**
 * @param ask finds all of them, in the order of the keys; what it throws is thrown to all who wait for it
 * @returns finds one. A look-up sees everything that was committed before it was asked for.
 */
export function gatherLookUps<Key, Found>(
  ask: (keys: readonly Key[]) => Promise<readonly Found[]>,
): (key: Key) => Promise<Found> {
  const waiting: Asked<Key, Found>[] = [];
  let running = 0;

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      const asked = waiting.splice(0, MOST_AT_ONCE);
      try {
        const found = await ask(asked.map(({ key }) => key));
        for (const [at, { resolve }] of asked.entries()) resolve(found[at]!);
      } catch (error) {
        for (const { reject } of asked) reject(error);
      }
    }
    running -= 1;
  }

  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject });
      if (running >= STATEMENTS_AT_ONCE) return;
      running += 1;
      // SQLite answers at once: nothing else would come meanwhile.
      setImmediate(() => void outsideRequests(run));
    });
}
