/** What several ask for at once is fetched once, and not for more at once than there is room for. Who leaves cancels nothing. */
import { RegistryError } from "../registry-error.ts";
import { MAX_FETCHES, MAX_WAITING } from "./limits.ts";

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
    // Whoever ends gives its place to the first that waits.
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
      // The key names the kind of its result.
      if (known) return known as Promise<Result>;
      if (running >= atOnce && waiting.length >= waitingAtMost)
        return Promise.reject(
          new RegistryError("TOOMANYREQUESTS", "this server is fetching too much at once; try again", {
            headers: { "retry-after": "5" },
          }),
        );
      const flight = inTurn(fetch).finally(() => void flights.delete(key));
      flights.set(key, flight);
      // Those who wait hear of it.
      flight.catch(() => {});
      return flight;
    },
    settled: async () => void (await Promise.allSettled(flights.values())),
  };
}
