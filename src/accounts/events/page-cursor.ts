import type { Accounts } from "../contract/accounts.ts";
import { formatCursor } from "./event-cursor.ts";

/**
 * The stream position from which a page listens that reads everything else afterwards. It reveals no more than the stream's
 * `hello`, and is for callers who may have one.
 * @returns null: the database does not answer
 */
export async function readPageCursor({
  events,
  clock,
}: Pick<Accounts, "events" | "clock">): Promise<string | null> {
  // Taken first: the database's answer may take long, and events may be removed in the meantime.
  const time = clock();
  const id = await events.findSafe().catch(() => null);
  return id === null ? null : formatCursor({ id, time });
}
