/** Concurrent callers of the same content share one fetch, and only so many fetches run. A caller that leaves cancels nothing. */
import { RegistryError } from "../../contract/registry-error.ts";
import { MAX_FETCHES, MAX_WAITING } from "../limits.ts";

export interface SingleFlight {
  /** @param key names what is fetched, and with whose right */
  run<Result>(key: string, fetch: () => Promise<Result>): Promise<Result>;
  /** Resolves when nothing is under way. */
  settled(): Promise<void>;
}

export function createSingleFlight(atOnce = MAX_FETCHES, waitingAtMost = MAX_WAITING): SingleFlight {
  const flights = new Map<string, Promise<unknown>>();
  const waiting: (() => void)[] = [];
  let running = 0;

  async function inTurn<Result>(fetch: () => Promise<Result>): Promise<Result> {
    if (running < atOnce) running += 1;
    // A fetch that ends gives its place to the first that waits.
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await fetch();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  }

  return {
    run<Result>(key: string, fetch: () => Promise<Result>) {
      const known = flights.get(key);
      // The key determines the type of the result.
      if (known) return known as Promise<Result>;
      if (running >= atOnce && waiting.length >= waitingAtMost)
        return Promise.reject(
          new RegistryError("TOOMANYREQUESTS", "this server is fetching too much at once; try again", {
            headers: { "retry-after": "5" },
          }),
        );
      const flight = inTurn(fetch).finally(() => void flights.delete(key));
      flights.set(key, flight);
      // Waiting callers get the error.
      flight.catch(() => {});
      return flight;
    },
    settled: async () => void (await Promise.allSettled(flights.values())),
  };
}
