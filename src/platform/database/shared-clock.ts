/**
 * The time shared by all servers of a database: PostgreSQL's. Something that expires at ten o'clock expires for all servers at
 * the same moment, whatever their own clocks say. Between two checks, time passes by a monotonic clock. An SQLite file has one
 * server, which uses its machine's clock.
 */
import { type QueryExecutorProvider, sql } from "kysely";
import { startPeriodicJob } from "../jobs/job.ts";
import type { Log } from "../log/log.ts";
import type { DatabaseKind } from "./columns.ts";

const LOOK_EVERY_MS = 10_000;
/** Difference, beyond the duration of the query, from which the clock is corrected. */
const TOLERATED_MS = 250;
/** Difference from which a warning is logged: certificates and the log use the machine's clock. */
const TOLD_MS = 60_000;

export interface SharedClock {
  /** Milliseconds since 1970. */
  now: () => number;
  /** Checks the database's clock now. */
  look: () => Promise<void>;
  stop: () => Promise<void>;
}

export interface SharedClockOptions {
  database: { db: QueryExecutorProvider; kind: DatabaseKind };
  log: Pick<Log, "warn">;
  /** The machine's clock. */
  own?: () => number;
  /** Milliseconds from any origin, by a monotonic clock. */
  elapsed?: () => number;
}

/** @throws the database's errors */
export async function openSharedClock({
  database: { db, kind },
  log,
  own = Date.now,
  elapsed = () => performance.now(),
}: SharedClockOptions): Promise<SharedClock> {
  if (kind === "sqlite") return { now: own, look: async () => {}, stop: async () => {} };
  let base = Number.NaN;
  let told = "";
  const now = () => Math.round(base + elapsed());
  const look = async () => {
    const asked = elapsed();
    const { rows } = await sql<{ now: number }>`
      select (extract(epoch from clock_timestamp()) * 1000)::bigint as now`.execute(db);
    const tookMs = elapsed() - asked;
    const theirs = Number(rows[0]?.now) - (asked + tookMs / 2);
    // A slow query moves the time by no more than its own duration.
    if (!(Math.abs(theirs - base) <= tookMs + TOLERATED_MS)) base = theirs;
    const difference = describeDifference(own() - now());
    if (difference !== told && difference !== "") log.warn(difference);
    told = difference;
  };
  await look();
  const job = startPeriodicJob({
    name: "database.clock",
    everyMs: LOOK_EVERY_MS,
    run: look,
    // While the database is unavailable, time passes as before; others report that.
    onError: () => {},
  });
  return { now, look, stop: () => job.stop() };
}

function describeDifference(aheadMs: number): string {
  const minutes = Math.round(Math.abs(aheadMs) / 60_000);
  if (Math.abs(aheadMs) < TOLD_MS) return "";
  const way = aheadMs > 0 ? "ahead of" : "behind";
  return `This server's clock is ${minutes} ${minutes === 1 ? "minute" : "minutes"} ${way} PostgreSQL's. Shared data uses PostgreSQL's clock; certificates and the log use this server's: correct the one that is wrong.`;
}
