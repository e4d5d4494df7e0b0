/**
 * The current time for sweeps, which remove old data permanently. A clock that is wrong by years, for an hour or until someone
 * notices, must not empty a server: a sweep's time may be at most a day after the last sweep's, or advance 24 times as fast as
 * real time.
 *
 *   last sweep   1 May 10:00      clock   1 May 11:00     used as now:   1 May 11:00
 *                1 May 11:00              3 June 2036                    2 May 11:00, and a warning
 *                2 May 11:00              1 May 13:00                    1 May 13:00
 *
 * A server that was off for a month catches up after a day or two.
 */
import type { Kysely } from "kysely";
import type { Log } from "../log/log.ts";
import type { LeaseTables } from "./lease.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const FASTER = 24;

export interface SweepClockOptions {
  /** Name of the work: `cache.evict`. */
  name: string;
  clock: () => number;
  log: Pick<Log, "warn">;
  /** Milliseconds from any origin, by a monotonic clock. */
  elapsed?: () => number;
}

/** @returns a function to call before each sweep, which returns the sweep's clock */
export function createSweepClock(
  db: Kysely<LeaseTables>,
  { name, clock, log, elapsed }: SweepClockOptions,
): () => Promise<() => number> {
  const row = `${name}.seen`;
  const pace = createPace(elapsed);
  // Noted at the start, because the clock may be set before the first sweep.
  const noted = db
    .insertInto("leases")
    .values({ name: row, holder: "", expires_at: clock() })
    .onConflict((conflict) => conflict.column("name").doNothing())
    .execute()
    // The sweep meets the same error, and reports it.
    .catch(() => {});
  return async () => {
    await noted;
    const now = clock();
    const found = await db
      .selectFrom("leases")
      .select("expires_at")
      .where("name", "=", row)
      .executeTakeFirst();
    const until = pace(now, found?.expires_at ?? null);
    await db
      .insertInto("leases")
      .values({ name: row, holder: "", expires_at: until })
      .onConflict((conflict) => conflict.column("name").doUpdateSet({ expires_at: until }))
      .execute();
    if (until < now) log.warn(describeLag(now, until), { work: name });
    return () => clock() - (now - until);
  };
}

/** @returns the time to use. Call once per sweep */
export function createPace(
  elapsed: () => number = () => performance.now(),
): (now: number, seen: number | null) => number {
  let last: number | null = null;
  return (now, seen) => {
    const stepMs = last === null ? DAY_MS : Math.min(DAY_MS, (elapsed() - last) * FASTER);
    last = elapsed();
    return seen === null ? now : Math.min(now, seen + stepMs);
  };
}

export function describeLag(now: number, until: number): string {
  const days = Math.ceil((now - until) / DAY_MS);
  return `By this server's clock, the last cleanup of old data was ${days} ${days === 1 ? "day" : "days"} ago. If the clock is wrong, correct it. Until then, or until the cleanup catches up, little is removed.`;
}
