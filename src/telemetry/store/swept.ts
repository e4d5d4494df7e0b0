/** Up to when it was looked for what is too old, kept beside the counts: as the only one of its kind, on the day that it names. */
import type { DatabaseSync } from "node:sqlite";
import { DAY_MS } from "../days.ts";

export const SWEPT = "swept";

/** @returns milliseconds since 1970; null: never */
export function sweptUntil(db: DatabaseSync): number | null {
  const until = db.prepare("SELECT max(count) AS until FROM counts WHERE kind = ?").get(SWEPT)?.["until"];
  return typeof until === "number" ? until : null;
}

export function noteSwept(db: DatabaseSync, until: number): void {
  const day = Math.floor(until / DAY_MS);
  // In one statement, or a server that is killed in between knows nothing of it.
  const { changes } = db
    .prepare("UPDATE counts SET day = ?, count = ? WHERE kind = ?")
    .run(day, until, SWEPT);
  if (changes === 0) db.prepare("INSERT INTO counts VALUES (?, ?, '', ?)").run(SWEPT, day, until);
}
