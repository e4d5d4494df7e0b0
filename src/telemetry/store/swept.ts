/** Up to when it was looked for what is too old, kept beside the counts: as the only one of its kind, on the day that it names. */
import type { DatabaseSync } from "node:sqlite";
import { DAY_MS } from "../days.ts";

const KIND = "swept";

/** @returns milliseconds since 1970; null: never */
export function sweptUntil(db: DatabaseSync): number | null {
  const until = db.prepare("SELECT max(count) AS until FROM counts WHERE kind = ?").get(KIND)?.["until"];
  return typeof until === "number" ? until : null;
}

export function noteSwept(db: DatabaseSync, until: number): void {
  db.prepare("DELETE FROM counts WHERE kind = ?").run(KIND);
  db.prepare("INSERT INTO counts VALUES (?, ?, '', ?)").run(KIND, Math.floor(until / DAY_MS), until);
}
