/**
 * Look-ups that strangers can trigger: no number of them can overload the database. Look-ups of one turn of the event loop share
 * a statement. A few statements run at a time, and look-ups that arrive meanwhile wait for the next statement.
 *
 *     a, b ─────► statement for a and b ──► …
 *     c, d, e ──► (wait) ──────────► statement for c, d and e
 */

import { outsideRequests } from "../log/request-context.ts";

/** Two, so that one hanging statement does not block all others. */
const STATEMENTS_AT_ONCE = 2;
/** Each key may be several parameters. */
const MOST_AT_ONCE = 200;

interface Asked<Key, Found> {
  key: Key;
  resolve: (found: Found) => void;
  reject: (error: unknown) => void;
}

/**
 * @param ask finds all of them, in the order of the keys; its error is thrown to all callers of that statement
 * @returns a function that finds one. A look-up sees everything committed before its call.
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
      // SQLite answers synchronously, so without this no others could join.
      setImmediate(() => void outsideRequests(run));
    });
}
