/**
 * On SQLite, and on PostgreSQL where there is one:
 *
 * 1. A migration whose effect differs from when it ran is refused with its name and the remedy, and nothing is changed.
 * 2. Rows from before hashes existed get hashes if the tables are right; otherwise nothing is changed.
 * 3. Tables that statements would fail on are refused at the start, each with its problem; additional tables, as after a newer
 *    release, are accepted. A running server finds the same differences.
 * 4. Unknown migrations of a newer release are left alone.
 */
import { type Kysely, sql } from "kysely";
import { describe, expect, test } from "vitest";
import { openDatabase } from "./database.ts";
import { findDifferences, type Migration, UnfitDatabaseError } from "./migrate.ts";
import { openTestDatabase, testDatabaseKinds } from "../testing/database.ts";

const things: Migration = {
  name: "things-1",
  release: 1,
  async up(db) {
    await db.schema
      .createTable("things")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("size", "bigint", (column) => column.notNull().defaultTo(0))
      .addColumn("note", "text")
      .addColumn("name", "text", (column) => column.notNull())
      .execute();
    await db.schema.createIndex("things_name").on("things").columns(["name"]).unique().execute();
  },
};
const edited: Migration = {
  ...things,
  async up(db, kind) {
    await things.up(db, kind);
    await db.schema.createTable("exchanges").addColumn("id", "text").execute();
  },
};
const migrations = [things];

type Row = { name: string; hash: string | null };
// oxlint-disable-next-line typescript/no-explicit-any -- tables that a test makes
type AnyTables = any;

describe.each(testDatabaseKinds)("%s", (kind) => {
  async function openPlace() {
    const place = await openTestDatabase(kind);
    const open = (list: readonly Migration[] = migrations) =>
      openDatabase<AnyTables>({ at: place.at, migrations: list });
    const change = async (run: (db: Kysely<AnyTables>) => Promise<unknown>) => {
      const { db, close } = await openDatabase<AnyTables>({ at: place.at, migrations: [] });
      await run(db);
      await close();
    };
    const readRows = async () => {
      let rows: Row[] = [];
      await change(async (db) => {
        rows = await db.selectFrom("migrations").select(["name", "hash"]).orderBy("name").execute();
      });
      return rows;
    };
    return { open, change, readRows, remove: place.remove };
  }

  test("1. an edited migration", async () => {
    const { open, readRows, remove } = await openPlace();
    await (await open()).close();
    const rows = await readRows();
    await expect(open([edited])).rejects.toThrow(UnfitDatabaseError);
    await expect(open([edited])).rejects.toThrow(
      /does something else in this release: things-1 \(\d{4}-\d\d-\d\d\)\. Nothing was changed\. Start the build that ran it, or restore a backup/,
    );
    expect(await readRows()).toEqual(rows);
    await (await open()).close();
    await remove();
  });

  test("2. rows of before", async () => {
    const { open, change, readRows, remove } = await openPlace();
    await (await open()).close();
    const rows = await readRows();
    expect(rows).toEqual([{ name: "things-1", hash: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
    await change(async (db) => {
      await db.schema.alterTable("migrations").dropColumn("hash").execute();
      await db.schema.alterTable("things").renameColumn("note", "remark").execute();
    });
    await expect(open()).rejects.toThrow("the column things.note is missing");
    expect(await readRows()).toEqual([{ name: "things-1", hash: null }]);
    await change((db) => db.schema.alterTable("things").renameColumn("remark", "note").execute());
    await (await open()).close();
    expect(await readRows()).toEqual(rows);
    await remove();
  });

  const harm: [what: string, statement: string, undo: string][] = [
    ["the table things is missing", "alter table things rename to lost", "alter table lost rename to things"],
    [
      "the column things.note is missing",
      "alter table things rename column note to lost",
      "alter table things rename column lost to note",
    ],
    [
      "the unique key of things (name) is missing",
      "drop index things_name",
      "create unique index other_name on things (name)",
    ],
    [
      "the column things.more is unknown to this release and has no default",
      "alter table things add column more text not null",
      "alter table things drop column more",
    ],
  ];
  const harmOfPostgres: typeof harm = [
    [
      "the column things.size has lost its default",
      "alter table things alter column size drop default",
      "alter table things alter column size set default 0",
    ],
    [
      "the column things.note does not allow null",
      "alter table things alter column note set not null",
      "alter table things alter column note drop not null",
    ],
    [
      "the column things.size is text instead of a number",
      "alter table things alter column size type text",
      "alter table things alter column size type bigint using size::bigint",
    ],
  ];

  test("3. tables that were changed", async () => {
    const { open, change, remove } = await openPlace();
    const database = await open();
    const run = (statement: string) => change((db) => sql.raw(statement).execute(db));
    for (const [what, statement, undo] of kind === "postgres" ? [...harm, ...harmOfPostgres] : harm) {
      await run(statement);
      expect(await findDifferences(database, migrations), statement).toEqual([what]);
      await expect(open(), statement).rejects.toThrow(
        `do not match this release: ${what}. Nothing was changed.`,
      );
      await run(undo);
      expect(await findDifferences(database, migrations), undo).toEqual([]);
    }
    await run("alter table things add column later text");
    await run("alter table things add column counted bigint not null default 0");
    await run("create table others (id text not null)");
    await run("create index things_note on things (note)");
    expect(await findDifferences(database, migrations)).toEqual([]);
    await database.close();
    await (await open()).close();
    await remove();
  });

  test("4. a newer release", async () => {
    const { open, readRows, remove } = await openPlace();
    const newer: Migration = {
      name: "things-2",
      // The number of newer releases that are accepted is tested with `openDatabase`.
      release: 1,
      up: async (db) => void (await db.schema.alterTable("things").addColumn("later", "text").execute()),
    };
    await (await open([things, newer])).close();
    const rows = await readRows();
    await (await open()).close();
    expect(await readRows()).toEqual(rows);
    await remove();
  });
});
