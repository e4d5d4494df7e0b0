/**
 * 1. A batch becomes one row for each name and day; bots are in the browsers only; later batches add to it.
 * 2. The table does not reveal what came first: rows have no number, and the same rows in another order are the same file.
 * 3. A kind with too many names on a day is counted without names.
 * 4. A former database keeps the counts of searches and views, and nothing of the searches and errors themselves, not even in
 *    its file. Files that were set aside are deleted when all of their content is too old.
 */
import { mkdtempSync, readFileSync, utimesSync, writeFileSync, existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import type { SearchRow } from "../contract/types.ts";
import { countsOf, createDayCounter, MAX_NAMES } from "./day-counts.ts";
import { deleteLeftovers } from "./leftovers.ts";
import { openDatabase } from "./open-database.ts";
import { MIGRATIONS } from "./schema.ts";

const search = (words: string, isFound = true, day = 20_000): SearchRow => ({ day, words, isFound });
const inFolder = (name = "telemetry.sqlite") => join(mkdtempSync(join(tmpdir(), "counts-")), name);
const all = (db: DatabaseSync) => db.prepare("SELECT kind, day, name, count FROM counts").all();

test("1. counts", () => {
  const view = { day: 20_000, path: "/docs", referrer: null, browser: "Chrome" };
  const counts = countsOf(
    [view, { ...view, browser: "bot" }, { ...view, referrer: "github.com" }],
    [search("turbo"), search("turbo", false), search("turbo", true, 20_001)],
  );
  expect(counts.map(({ kind, day, name, count }) => `${kind} ${day} ${name} ${count}`)).toEqual([
    "browser 20000 Chrome 2",
    "browser 20000 bot 1",
    "path 20000 /docs 2",
    "referrer 20000 github.com 1",
    "search 20000 turbo 2",
    "search 20001 turbo 1",
    "search without hits 20000 turbo 1",
  ]);
  const { db } = openDatabase(inFolder());
  const add = createDayCounter(db);
  add(counts);
  add(counts);
  expect(all(db)).toContainEqual({ kind: "search", day: 20_000, name: "turbo", count: 4 });
  expect(all(db)).toHaveLength(counts.length);
  db.close();
});

test("2. no order", () => {
  const words = ["zebra", "apple", "mango", "kiwi"];
  const [one, other] = [words, words.toReversed()].map((each) => {
    const { db } = openDatabase(inFolder());
    createDayCounter(db)(
      countsOf(
        [],
        each.map((word) => search(word)),
      ),
    );
    const rows = all(db);
    expect(() => db.prepare("SELECT rowid FROM counts")).toThrow("no such column");
    db.close();
    return rows;
  });
  expect(one).toEqual(other);
  expect(one?.map((row) => row["name"])).toEqual(words.toSorted());
});

test("3. a flood of names", () => {
  const { db } = openDatabase(inFolder());
  const flood = Array.from({ length: MAX_NAMES + 100 }, (_, index) => search(`flood ${index}`));
  createDayCounter(db)(countsOf([], flood));
  createDayCounter(db)(countsOf([], [search("flood 7"), search("other day", true, 20_001)]));
  const total = db.prepare("SELECT count(*) AS names, sum(count) AS count FROM counts").get();
  expect(total).toEqual({ names: MAX_NAMES + 2, count: MAX_NAMES + 102 });
  expect(all(db)).toContainEqual({ kind: "search", day: 20_000, name: "", count: 100 });
  db.close();
});

test("4. a former database", () => {
  const file = inFolder();
  const former = new DatabaseSync(file);
  former.exec(`PRAGMA journal_mode = WAL; ${MIGRATIONS[0]}; PRAGMA user_version = 1`);
  const at = 20_000 * 86_400_000 + 3_600_000;
  former.exec(`
    INSERT INTO searches (at, query, hits) VALUES (${at}, 'former-secret', 0), (${at + 5}, 'former-secret', 3);
    INSERT INTO views (at, path, browser) VALUES (${at}, '/docs', 'Chrome'), (${at}, '/docs', 'bot');
    INSERT INTO errors (eventId, at, platform, fingerprint, type, value, culprit, frames)
      VALUES ('e', ${at}, 'browser', 'f', 'Error', 'former-secret', '', '[]');
    INSERT INTO outbox (service, kind, at, body) VALUES ('sentry', 'error', ${at}, CAST('former-secret' AS BLOB));
  `);
  former.close();
  const { db, setAside } = openDatabase(file);
  expect(setAside).toBeNull();
  expect(all(db)).toEqual([
    { kind: "browser", day: 20_000, name: "Chrome", count: 1 },
    { kind: "browser", day: 20_000, name: "bot", count: 1 },
    { kind: "path", day: 20_000, name: "/docs", count: 1 },
    { kind: "search", day: 20_000, name: "", count: 2 },
    { kind: "search without hits", day: 20_000, name: "", count: 1 },
  ]);
  for (const name of [file, `${file}-wal`]) expect(readFileSync(name).includes("former-secret")).toBe(false);
  db.close();
});

test("4. what was set aside", () => {
  const file = inFolder();
  const [old, young] = ["2026-01-01T00-00-00-000Z", "2026-02-01T00-00-00-000Z-wal"].map(
    (at) => `${file}.damaged-${at}`,
  ) as [string, string];
  const imported = join(file, "../feedback.ndjson.imported");
  for (const name of [file, old, young, imported]) writeFileSync(name, "");
  for (const name of [file, old, imported]) utimesSync(name, 1000, 1000);
  deleteLeftovers(file, 2_000_000);
  expect([file, old, young, imported].map((name) => existsSync(name))).toEqual([true, false, true, false]);
});
