/**
 * Counts without a reader: how often a name of a kind occurred on a day, and nothing else.
 *
 *     search · 20779 · layer cache · 4        path · 20779 · /docs/faq · 31        referrer · 20779 · github.com · 2
 *
 * An address without a page is named with its referrer: `/docs/cache/keys github.com`.
 *
 * Rows are in the order of their names and have no number, so that the table does not reveal which came first.
 */
import type { DatabaseSync } from "node:sqlite";
import type { MissingRow, SearchRow, ViewRow } from "../contract/types.ts";

export const COUNT_KINDS = [
  "path",
  "referrer",
  "browser",
  "search",
  "search without hits",
  "missing",
] as const;
export type CountKind = (typeof COUNT_KINDS)[number];

export interface DayCount {
  kind: CountKind;
  day: number;
  name: string;
  count: number;
}

/** Different names of a kind on one day. Further ones are counted without their name, so that no one can fill the disk. */
export const MAX_NAMES = 2000;
/** The same for addresses without a page, which anyone can make up. */
export const MAX_MISSING_NAMES = 500;

/** The counts of a batch, each name once, in the order of the names. */
export function countsOf(
  views: readonly ViewRow[],
  searches: readonly SearchRow[],
  missing: readonly MissingRow[] = [],
): DayCount[] {
  const counts = new Map<string, DayCount>();
  const add = (kind: CountKind, day: number, name: string) => {
    const key = `${kind} ${day} ${name}`;
    const known = counts.get(key);
    if (known) known.count += 1;
    else counts.set(key, { kind, day, name, count: 1 });
  };
  for (const { day, path, referrer, browser } of views) {
    add("browser", day, browser);
    if (browser === "bot") continue;
    add("path", day, path);
    if (referrer !== null) add("referrer", day, referrer);
  }
  for (const { day, words, isFound } of searches) {
    add("search", day, words);
    if (!isFound) add("search without hits", day, words);
  }
  for (const { day, path, from } of missing) add("missing", day, path && `${path} ${from}`);
  return [...counts.entries()].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, count]) => count);
}

/** @returns a function that adds counts, within the caller's transaction. */
export function createDayCounter(db: DatabaseSync): (counts: readonly DayCount[]) => void {
  const add = db.prepare("UPDATE counts SET count = count + ? WHERE kind = ? AND day = ? AND name = ?");
  const insert = db.prepare("INSERT INTO counts (count, kind, day, name) VALUES (?, ?, ?, ?)");
  const isNew = db.prepare(
    `SELECT count(*) < ?3 AS isNew FROM (SELECT 1 FROM counts WHERE kind = ?1 AND day = ?2 LIMIT ?3)`,
  );
  function write({ kind, day, name, count }: DayCount): void {
    if (add.run(count, kind, day, name).changes > 0) return;
    const most = kind === "missing" ? MAX_MISSING_NAMES : MAX_NAMES;
    if (name === "" || isNew.get(kind, day, most)?.["isNew"] === 1) insert.run(count, kind, day, name);
    else write({ kind, day, name: "", count });
  }
  return (counts) => counts.forEach(write);
}
