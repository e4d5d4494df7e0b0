/** The time up to which old rows were deleted, stored in the table of counts: the only row of its kind, on that time's day. */
import type { DatabaseSync } from "node:sqlite";
import { DAY_MS } from "../contract/days.ts";

export const SWEPT = "swept";

/** @returns milliseconds since 1970; null: never */
export function sweptUntil(db: DatabaseSync): number | null {
  const until = db.prepare("SELECT max(count) AS until FROM counts WHERE kind = ?").get(SWEPT)?.["until"];
  return typeof until === "number" ? until : null;
}

export function noteSwept(db: DatabaseSync, until: number): void {
  const day = Math.floor(until / DAY_MS);
  // In one statement, so that a server that is killed in between does not lose it.
  const { changes } = db
    .prepare("UPDATE counts SET day = ?, count = ? WHERE kind = ?")
    .run(day, until, SWEPT);
  if (changes === 0) db.prepare("INSERT INTO counts VALUES (?, ?, '', ?)").run(SWEPT, day, until);
}
