/**
 * What is too old, for work that removes it for good. A clock that is wrong by years, for an hour or until somebody notices, must not
 * empty a server: what a sweep takes for the time may be a day after that of the last one, or pass 24 times as fast as it does.
 *
 *   last sweep   1 May 10:00      clock   1 May 11:00     taken for now: 1 May 11:00
 *                1 May 11:00              3 June 2036                    2 May 11:00, and a warning
 *                2 May 11:00              1 May 13:00                    1 May 13:00
 *
 * A server that was off for a month has caught up after a day or two.
 */
import type { Kysely } from "kysely";
import type { Log } from "../log/log.ts";
import type { LeaseTables } from "./lease.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const FASTER = 24;

export interface SweepClockOptions {
  /** The work: `cache.evict`. */
  name: string;
  clock: () => number;
  log: Pick<Log, "warn">;
  /** Milliseconds from any origin, by a clock that nobody sets. */
  elapsed?: () => number;
}

/** @returns asked for before each sweep: the clock that it goes by */
export function createSweepClock(
  db: Kysely<LeaseTables>,
  { name, clock, log, elapsed }: SweepClockOptions,
): () => Promise<() => number> {
  const row = `${name}.seen`;
  const pace = createPace(elapsed);
  // The first sweep comes a while after a start, by a clock that may have been set meanwhile.
  const noted = db
    .insertInto("leases")
    .values({ name: row, holder: "", expires_at: clock() })
    .onConflict((conflict) => conflict.column("name").doNothing())
    .execute()
    // The sweep meets the same problem, and says so.
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

/** @returns what is taken for the time. Asked once for each sweep */
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
