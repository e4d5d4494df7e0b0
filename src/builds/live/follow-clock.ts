/**
 * Setting the clock while the server runs does nothing to builds: the times of queued and running builds move with it. Otherwise,
 * an hour ahead would cancel all queued builds, because no client asked for them in ten minutes; an hour back would keep the places
 * of clients that are gone.
 *
 * With PostgreSQL, all servers use its clock, which none of them follows alone; see `servers.ts`.
 */
import { sql } from "kysely";
import { STEP_MS } from "#platform/database/clock-steps.ts";
import { inTransaction } from "#platform/database/database.ts";
import type { BuildParts } from "../contract/parts.ts";

export interface FollowClockOptions extends Pick<BuildParts, "database" | "clock"> {
  /** Milliseconds from any origin, by a clock that is never set. */
  elapsed: () => number;
}

/** @returns a function to call every few seconds */
export function followClock({ database, clock, elapsed }: FollowClockOptions): () => Promise<void> {
  let last = { now: clock(), elapsed: elapsed() };
  return async () => {
    if (database.kind === "postgres") return;
    const next = { now: clock(), elapsed: elapsed() };
    const passedMs = next.elapsed - last.elapsed;
    const setByMs = Math.round(next.now - last.now - passedMs);
    if (Math.abs(setByMs) >= STEP_MS)
      await moveTimes(database, { byMs: setByMs, after: next.now - passedMs, until: next.now });
    last = next;
  };
}

/** Moves times that were written before the clock was set, and not in the last moments. */
const moveTimes = (
  database: BuildParts["database"],
  { byMs, after, until }: { byMs: number; after: number; until: number },
): Promise<void> =>
  inTransaction(database, async (db) => {
    await db
      .updateTable("build_places")
      .set((row) => ({
        asked_at: row("asked_at", "+", byMs),
        granted_at: sql<number | null>`granted_at + ${byMs}`,
        opened_at: sql<number | null>`opened_at + ${byMs}`,
      }))
      .where((row) => row.or([row("asked_at", "<", after), row("asked_at", ">", until)]))
      .execute();
    for (const [column, states] of [
      ["created_at", ["queued", "running"]],
      ["asked_at", ["queued"]],
      ["started_at", ["running"]],
    ] as const)
      await db
        .updateTable("builds")
        .set((row) => ({ [column]: row(column, "+", byMs) }))
        .where("state", "in", states)
        // Skips builds that no client has asked for.
        .where(column, ">", 0)
        .where((row) => row.or([row(column, "<", after), row(column, ">", until)]))
        .execute();
  });
