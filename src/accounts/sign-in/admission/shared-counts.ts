/**
 * Strangers' requests, counted by all servers that share PostgreSQL: a client that alternates between servers gets one share
 * in total. Each key has the time at which its whole share will be available again; each unit taken postpones it by the time
 * that a unit takes to return. One statement takes from several keys, all or nothing.
 *
 *     now ├──── used ────┤ full_at            room: full_at − now ≤ (burst − 1) × everyMs
 *
 * Counts in memory come first (`counts.ts`), and are the only ones with SQLite and while the database is unreachable.
 */
import { createHmac } from "node:crypto";
import { sql } from "kysely";
import { describeDatabaseFailure } from "#platform/database/database-away.ts";
import type { Accounts } from "../../contract/accounts.ts";
import { DAY_MS } from "../../contract/limits.ts";
import { deriveKey } from "../browser/signed-state.ts";

const SWEEP_EVERY_MS = 60_000;
/** Longer than any of these limits takes to be full again. */
const LONGEST_MS = 7 * DAY_MS;
const MAX_SWEPT = 5_000;
const KEY_LENGTH = 24;

export interface SharedLevel {
  /** The client and the purpose; stored as a hash. */
  key: string;
  /** Units that can be taken together. */
  burst: number;
  /** Milliseconds in which one unit returns, a whole number. */
  everyMs: number;
}

export interface SharedCounts {
  /** @returns 0 when all keys had enough, else the seconds until they will have */
  take: (levels: readonly SharedLevel[]) => Promise<number>;
  /** How many could be taken now. */
  left: (level: SharedLevel) => Promise<number>;
}

interface Row {
  key: string;
  full_at: number;
}

export function createSharedCounts(accounts: Accounts): SharedCounts {
  const { database, db, clock } = accounts;
  const secret = deriveKey(accounts, "counts");
  const hashOf = (key: string) =>
    createHmac("sha256", secret).update(key).digest("base64url").slice(0, KEY_LENGTH);
  let sweptAt = clock();

  async function sweep(now: number): Promise<void> {
    if (Math.abs(now - sweptAt) < SWEEP_EVERY_MS) return;
    sweptAt = now;
    const over = db
      .selectFrom("limit_counts")
      .select("key")
      // A time beyond every limit was counted by a clock that was ahead.
      .where((row) => row.or([row("full_at", "<=", now), row("full_at", ">", now + LONGEST_MS)]))
      .limit(MAX_SWEPT);
    await db.deleteFrom("limit_counts").where("key", "in", over).execute();
  }

  async function readFullAt(levels: readonly SharedLevel[]): Promise<Map<string, number>> {
    const keys = levels.map(({ key }) => hashOf(key));
    const rows = await db.selectFrom("limit_counts").selectAll().where("key", "in", keys).execute();
    return new Map(rows.map(({ key, full_at }) => [key, Number(full_at)]));
  }

  async function take(levels: readonly SharedLevel[]): Promise<number> {
    const now = clock();
    await sweep(now);
    const hashed = levels.map((level) => ({ ...level, key: hashOf(level.key) }));
    const rows = await takeAll(db, hashed, now);
    const isTaken = rows.length > 0;
    const fullAt = isTaken
      ? new Map(rows.map((row) => [row.key, Number(row.full_at)]))
      : await readFullAt(levels);
    const waits = levels.map(({ key, burst, everyMs }) => {
      // Taken: of several at the same moment, each sees the others' units, and the last ones do not get theirs.
      const room = (isTaken ? burst : burst - 1) * everyMs;
      return Math.max(0, Math.ceil(((fullAt.get(hashOf(key)) ?? now) - room - now) / 1000));
    });
    return Math.max(isTaken ? 0 : 1, ...waits);
  }

  async function left(level: SharedLevel): Promise<number> {
    const now = clock();
    const fullAt = (await readFullAt([level])).get(hashOf(level.key)) ?? now;
    return Math.max(0, Math.floor(level.burst - Math.max(0, fullAt - now) / level.everyMs));
  }

  /** While the database is unreachable, only this server's own counts apply. */
  const orElse = <Result>(asked: Promise<Result>, absent: Result): Promise<Result> =>
    asked.catch((error: unknown) => {
      if (describeDatabaseFailure(error) === undefined) throw error;
      return absent;
    });
  if (database.kind !== "postgres") return { take: async () => 0, left: async ({ burst }) => burst };
  return { take: (levels) => orElse(take(levels), 0), left: (level) => orElse(left(level), level.burst) };
}

/** @returns the new times of all keys, or nothing when one of them had too little */
async function takeAll(db: Accounts["db"], levels: readonly SharedLevel[], now: number): Promise<Row[]> {
  const wanted = sql.join(
    levels.map(
      ({ key, burst, everyMs }) =>
        sql`(${key}::text, ${everyMs}::bigint, ${now + (burst - 1) * everyMs}::bigint)`,
    ),
  );
  const { rows } = await sql<Row>`
    with wanted (key, every, latest) as (values ${wanted})
    insert into limit_counts (key, full_at)
    select wanted.key, ${now}::bigint + wanted.every from wanted
    where not exists (
      select 1 from limit_counts join wanted as other on other.key = limit_counts.key
      where limit_counts.full_at > other.latest
    )
    on conflict (key) do update
    set full_at = greatest(limit_counts.full_at, ${now}::bigint) + excluded.full_at - ${now}::bigint
    returning key, full_at`.execute(db);
  return rows;
}
