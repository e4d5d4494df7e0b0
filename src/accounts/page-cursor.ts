import type { Accounts } from "./accounts.ts";
import { formatCursor } from "./events/event-cursor.ts";

/**
 * Where a page begins to listen that reads everything else after this. It tells no more than the stream's `hello`, and is
 * for those who may have one.
 * @returns null: the database does not answer
 */
export async function readPageCursor({
  events,
  clock,
}: Pick<Accounts, "events" | "clock">): Promise<string | null> {
  // The database's answer may take long, and events may be removed meanwhile.
  const time = clock();
  const id = await events.findSafe().catch(() => null);
  return id === null ? null : formatCursor({ id, time });
}
