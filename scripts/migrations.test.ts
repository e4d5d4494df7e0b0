/**
 * 1. A landed migration still does the same, in every store and kind of database, and none is missing; a new migration is in the
 *    ledger.
 * 2. A migration's hash is always the same: it depends on no clock, chance or machine.
 * 3. An edited or removed migration is found; moving its code, or an added query before it, is not an edit.
 */
import { sql } from "kysely";
import { expect, test } from "vitest";
import { hashMigrations } from "#platform/database/migration-hashes.ts";
import type { Migration } from "#platform/database/migrate.ts";
import { recordMigrations } from "#server/database/record-migrations.ts";
import { compareLedger, hashAllMigrations, readLedger } from "./migrations/ledger.ts";

test("1. the ledger", async () => {
  const { changed, added } = compareLedger(readLedger(), await hashAllMigrations());
  expect(
    changed,
    "These have landed, and databases exist that they ran on: put them back, and write what is new as a migration at the end of the list.",
  ).toEqual([]);
  expect(added, "Add them: npm run node scripts/update-migrations.ts").toEqual([]);
});

test("2. each time the same", async () => {
  for (const kind of ["sqlite", "postgres"] as const)
    // A copy of the list, because hashes of a list are remembered.
    expect(await hashMigrations([...recordMigrations], kind)).toEqual(
      await hashMigrations(recordMigrations, kind),
    );
});

test("3. an edit", async () => {
  const table =
    (column: string): Migration["up"] =>
    async (db) => {
      await db.schema.createTable("a").addColumn(column, "text").execute();
    };
  const asksFirst: Migration["up"] = async (db, kind) => {
    await sql`select 1`.execute(db);
    await table("one")(db, kind);
  };
  const hashOf = async (up: Migration["up"]) =>
    (await hashMigrations([{ name: "a", release: 1, up }], "postgres")).get("a")!;
  const [landed, edited] = [await hashOf(table("one")), await hashOf(table("two"))];
  expect(edited).not.toBe(landed);
  expect(await hashOf(asksFirst)).toBe(landed);
  expect(compareLedger({ a: landed }, { a: edited })).toEqual({ changed: ["a"], added: [] });
  expect(compareLedger({ a: landed }, {})).toEqual({ changed: ["a"], added: [] });
  expect(compareLedger({ a: landed }, { a: landed, b: edited })).toEqual({ changed: [], added: ["b"] });
});
