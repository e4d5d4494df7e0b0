/** When an upstream was last asked for a tag. A new process asks once for each. */
import { AWAY_MS, MAX_ASKED, TAG_MS } from "../limits.ts";

export interface AskedTags {
  /** Whether the stored manifest need not be compared with the upstream. */
  isFresh(host: string, key: string): boolean;
  answered(host: string, key: string): void;
  /** The upstream did not respond: for a while, callers do not wait for it where an older manifest is stored. */
  failed(host: string): void;
}

export function createAskedTags(clock: () => number): AskedTags {
  const asked = new Map<string, number>();
  const away = new Map<string, number>();
  const isWithin = (time: number | undefined, ms: number) =>
    time !== undefined && Math.abs(clock() - time) < ms;
  return {
    isFresh: (host, key) => isWithin(asked.get(key), TAG_MS) || isWithin(away.get(host), AWAY_MS),
    answered(host, key) {
      away.delete(host);
      asked.delete(key);
      asked.set(key, clock());
      // A Map iterates in insertion order.
      if (asked.size > MAX_ASKED) asked.delete(asked.keys().next().value!);
    },
    failed: (host) => void away.set(host, clock()),
  };
}
