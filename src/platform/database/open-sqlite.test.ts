/**
 * 1. Whichever migrations a file has run, all have run exactly once afterwards, in order; a failing migration leaves the file
 *    unchanged.
 * 2. A file of a newer version is not touched; a damaged file is set aside whole, with its journal, but only on request.
 * 3. A file that another process has open is reported as such.
 * 4. A file whose tables do not match the migrations is refused with what is missing; additional tables are accepted.
 */
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  DamagedDatabaseError,
  DatabaseInUseError,
  NewerSchemaError,
  openOrReplaceSqlite,
  openSqlite,
  setSqliteAside,
  type SqliteOptions,
  WrongSchemaError,
} from "./open-sqlite.ts";

const STEPS = Array.from(
  { length: 5 },
  (_, at) => `CREATE TABLE IF NOT EXISTS ran (step); INSERT INTO ran VALUES (${at})`,
);
const newPath = () => join(mkdtempSync(join(tmpdir(), "sqlite-")), "some.sqlite");
const optionsOf = (path: string | null, count = STEPS.length): SqliteOptions => ({
  path,
  what: "the test's file",
  migrations: STEPS.slice(0, count),
  pragmas: "PRAGMA journal_mode = WAL",
});
const ran = (db: DatabaseSync) =>
  db
    .prepare("SELECT step FROM ran")
    .all()
    .map((row) => row["step"]);

test("1. migrations", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: STEPS.length }), { minLength: 1 }), (versions) => {
      const path = newPath();
      for (const count of versions.sort((a, b) => a - b)) {
        const db = openSqlite(optionsOf(path, count));
        expect(ran(db)).toEqual(Array.from({ length: count }, (_, at) => at));
        db.close();
      }
    }),
    { numRuns: 20 },
  );
  const path = newPath();
  openSqlite(optionsOf(path, 2)).close();
  const broken = { ...optionsOf(path, 2), migrations: [...STEPS.slice(0, 3), "CREATE nonsense"] };
  expect(() => openSqlite(broken)).toThrow(/syntax/);
  const db = openSqlite(optionsOf(path, 2));
  expect(ran(db)).toEqual([0, 1]);
  db.close();
});

test("2. newer and damaged files", () => {
  const now = new Date("2026-11-22T10:00:00Z");
  const newer = newPath();
  openSqlite(optionsOf(newer)).close();
  const before = readFileSync(newer);
  expect(() => openOrReplaceSqlite({ ...optionsOf(newer, 2), now })).toThrow(NewerSchemaError);
  expect(readFileSync(newer)).toEqual(before);

  const damaged = newPath();
  writeFileSync(damaged, "no database at all, and long enough to be looked at");
  expect(() => openSqlite(optionsOf(damaged))).toThrow(DamagedDatabaseError);
  const { db, setAside } = openOrReplaceSqlite({ ...optionsOf(damaged), now });
  expect(ran(db)).toHaveLength(STEPS.length);
  expect(setAside?.path).toBe(`${damaged}.damaged-2026-11-22T10-00-00-000Z`);
  expect(readFileSync(setAside?.path ?? "", "utf8")).toContain("no database at all");
  db.close();

  const journaled = newPath();
  for (const suffix of ["", "-wal", "-shm"]) writeFileSync(journaled + suffix, suffix);
  const kept = basename(setSqliteAside(journaled, now));
  expect(readdirSync(dirname(journaled)).sort()).toEqual([kept, `${kept}-shm`, `${kept}-wal`]);
});

test("3. in use", () => {
  const path = newPath();
  const exclusive = {
    ...optionsOf(path),
    pragmas: "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL",
  };
  const first = openSqlite(exclusive);
  expect(() => openSqlite(exclusive)).toThrow(DatabaseInUseError);
  expect(() => openSqlite(exclusive)).toThrow(/stop it, or use a different folder for this one/);
  first.close();
  openSqlite(exclusive).close();
});

test("4. other tables", () => {
  const migrations = [
    "CREATE TABLE notes (id INTEGER PRIMARY KEY, at INTEGER NOT NULL, uuid TEXT UNIQUE) STRICT",
  ];
  const options = { ...optionsOf(newPath()), migrations };
  const db = openSqlite(options);
  db.exec("CREATE TABLE more (id); ALTER TABLE notes ADD COLUMN more TEXT");
  db.close();
  openSqlite(options).close();
  const edited = { ...options, migrations: [`${migrations[0]}; CREATE TABLE others (id)`] };
  expect(() => openSqlite(edited)).toThrow(WrongSchemaError);
  expect(() => openSqlite(edited)).toThrow(
    "does not have the tables that this release needs (the table others is missing)",
  );
  const { db: fresh, setAside } = openOrReplaceSqlite({
    ...edited,
    now: new Date(),
    mayReplace: (error) => error instanceof WrongSchemaError,
  });
  expect(setAside).not.toBeNull();
  fresh.close();
});
