/** Look-ups in batches: actions that Go asks for while requests are running share the next request. */
import type { FoundEntry } from "./find-answer.ts";
import { FINDS_AT_ONCE, MAX_ACTIONS } from "./limits.ts";

interface Waiting {
  action: string;
  resolve: (found: FoundEntry | undefined) => void;
}

/** @param findMany returns the entries it found, and never throws */
export function createFindBatches(
  findMany: (actions: readonly string[]) => Promise<ReadonlyMap<string, FoundEntry>>,
): (action: string) => Promise<FoundEntry | undefined> {
  let waiting: Waiting[] = [];
  let onTheWay = 0;
  let isPlanned = false;

  function plan(): void {
    if (isPlanned || onTheWay >= FINDS_AT_ONCE || waiting.length === 0) return;
    isPlanned = true;
    // Waits until everything that Go sent together has been read.
    setImmediate(() => {
      isPlanned = false;
      const batch = waiting.splice(0, MAX_ACTIONS);
      if (batch.length > 0) void run(batch);
      plan();
    });
  }

  async function run(batch: readonly Waiting[]): Promise<void> {
    onTheWay++;
    const found = await findMany(batch.map(({ action }) => action));
    onTheWay--;
    plan();
    for (const { action, resolve } of batch) resolve(found.get(action));
  }

  return (action) =>
    new Promise((resolve) => {
      waiting.push({ action, resolve });
      plan();
    });
}
