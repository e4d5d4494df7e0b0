/**
 * Tracks how far the table of events was read, so that none is missed although PostgreSQL shows them out of the order of
 * their numbers:
 *
 *   writer A   takes 5 ────────────────────── commits
 *   writer B        takes 6 ── commits
 *   reader                            sees 6      sees 5
 *
 * A skipped number is a gap. It stays a gap until its row appears, or until every transaction that could have taken it has
 * ended: the reader takes its own transaction number after it noticed the gap, and the writer with the missing number already
 * had a lower one. However late a writer commits, its event is seen.
 *
 * In SQLite, writers run one after another, and there are no gaps.
 */
import type { StoredEvent } from "../contract/events.ts";
import type { AccountDatabase } from "../records/schema.ts";
import {
  eventOf,
  readLastNumber,
  readOldestTransaction,
  selectEvents,
  takeTransactionNumber,
} from "./event-rows.ts";
import { MAX_GAPS, MAX_POLLED } from "./limits.ts";

export interface EventPosition {
  /** Everything up to this number was read. */
  readonly safe: number;
  /** Reads new events, in the order of numbers, at most `MAX_POLLED`. */
  readNew: () => Promise<NewEvents>;
}

export interface NewEvents {
  events: StoredEvent[];
  /** Whether there may already be more. */
  isFull: boolean;
  /** Whether events may have been missed, so that all listeners must read everything again. */
  isLost: boolean;
}

/** Begins at the end of the table. */
export async function openEventPosition(database: AccountDatabase): Promise<EventPosition> {
  const canHaveGaps = database.kind === "postgres";
  const highest = canHaveGaps ? await readLastNumber(database) : await readLastRow(database);
  let last = highest;
  /** Number → transactions below this one may have taken it. */
  const gaps = new Map<number, number>();
  if (canHaveGaps && highest > 0) {
    // Writers that are already at work may have taken any of the missing numbers.
    const first = Math.max(1, highest - MAX_GAPS / 2);
    const selecting = database.db.selectFrom("events").select("id").where("id", ">=", first);
    const there = await selecting.where("id", "<=", highest).orderBy("id").execute();
    await noteGaps([...there.map(({ id }) => id), highest + 1], first);
  }

  /** @param ids ascending; from `first` on, numbers missing between them are noted */
  async function noteGaps(ids: readonly number[], first: number): Promise<void> {
    const missing: number[] = [];
    let next = first;
    for (const id of ids) {
      for (; next < id && missing.length <= MAX_GAPS; next += 1) missing.push(next);
      next = Math.max(next, id + 1);
    }
    if (missing.length === 0) return;
    const number = await takeTransactionNumber(database);
    for (const id of missing) gaps.set(id, number);
  }

  const position: EventPosition = {
    get safe() {
      let safe = last;
      for (const id of gaps.keys()) safe = Math.min(safe, id - 1);
      return safe;
    },
    async readNew() {
      // Read first: rows of transactions that have ended by then are visible to the query afterwards.
      const oldest = gaps.size > 0 ? await readOldestTransaction(database) : 0;
      const missing = [...gaps.keys()];
      const rows = await selectEvents(database)
        .where((row) =>
          missing.length === 0
            ? row("id", ">", last)
            : row.or([row("id", ">", last), row("id", "in", missing)]),
        )
        .orderBy("id")
        .limit(MAX_POLLED)
        .execute();
      if (canHaveGaps) {
        const behind = rows.map(({ id }) => id).filter((id) => id > last);
        await noteGaps(behind, last + 1);
      }
      for (const { id } of rows) gaps.delete(id);
      for (const [id, number] of gaps) if (number <= oldest) gaps.delete(id);
      const isLost = gaps.size > MAX_GAPS;
      if (isLost) gaps.clear();
      last = Math.max(last, rows.at(-1)?.id ?? 0);
      return { events: rows.map(eventOf), isFull: rows.length === MAX_POLLED, isLost };
    },
  };
  // Most gaps were rolled back. No one needs these events: they are in the table for anyone who reads it from now on.
  if (gaps.size > 0) await position.readNew();
  return position;
}

async function readLastRow({ db }: AccountDatabase): Promise<number> {
  const last = await db.selectFrom("events").select("id").orderBy("id", "desc").limit(1).executeTakeFirst();
  return last?.id ?? 0;
}
