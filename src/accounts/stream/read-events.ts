/** Reads the table for one reader: missed events, and the last events that they may read. */
import type { Accounts } from "../contract/accounts.ts";
import type { Actor } from "../contract/actor.ts";
import { askDatabase } from "../contract/database-away.ts";
import type { Cursor } from "../events/event-cursor.ts";
import type { StoredEvent } from "../contract/events.ts";
import { eventOf, selectEvents } from "../events/event-rows.ts";
import {
  FRESH_OVERLAP_MS,
  LATEST_SHOWN,
  MAX_AHEAD,
  MAX_AWAY_MS,
  MAX_LATEST_READ,
  MAX_MISSED,
} from "../events/limits.ts";
import { isFullyVisible, showEvent, type VisibleEvent } from "../events/visible-event.ts";

/**
 * @param since null: a new reader, who gets the events from while pages were being read
 * @param last number up to which this server has read the table
 * @returns null: too many events, too long ago, or another database
 */
export async function readMissed(
  { database, clock }: Pick<Accounts, "database" | "clock">,
  { organizationId, since, last }: { organizationId: string; since: Cursor | null; last: number },
): Promise<StoredEvent[] | null> {
  if (since && (since.time < clock() - MAX_AWAY_MS || since.id > last + MAX_AHEAD)) return null;
  let query = selectEvents(database).where("organization_id", "=", organizationId);
  query = since ? query.where("id", ">", since.id) : query.where("time", ">=", clock() - FRESH_OVERLAP_MS);
  const rows = await askDatabase(() =>
    query
      .orderBy("id")
      .limit(MAX_MISSED + 1)
      .execute(),
  );
  return rows.length > MAX_MISSED ? null : rows.map(eventOf);
}

/** The newest last; only events with a sentence for the reader. */
export async function readLatestEvents(
  { database }: Pick<Accounts, "database">,
  actor: Actor,
  organizationId: string,
): Promise<VisibleEvent[]> {
  const query = selectEvents(database).where("organization_id", "=", organizationId);
  const rows = await askDatabase(() => query.orderBy("id", "desc").limit(MAX_LATEST_READ).execute());
  const events = rows.map(eventOf).filter((event) => isFullyVisible(event, actor));
  return events
    .slice(0, LATEST_SHOWN)
    .toReversed()
    .map((event) => showEvent(event, actor));
}
