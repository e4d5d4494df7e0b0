/**
 * Works in small transactions, between which other work has its turn: SQLite blocks the process.
 * @param step returns whether there may be more
 * @param signal ends it between two of them
 */
export async function inPortions(step: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await step())) await new Promise((resolve) => setImmediate(resolve));
}
