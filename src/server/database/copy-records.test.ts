/**
 * From SQLite to PostgreSQL, with the tables of every room:
 * 1. Any rows that the tables can hold arrive unchanged, in an order that satisfies every reference; the file keeps its own.
 * 2. It happens once: at the next start nothing is copied again, and a database with other records is left alone,
 *    which is reported.
 * 3. A copy that fails midway leaves nothing; the next start copies all.
 * 4. A hundred thousand rows are copied with little memory.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { type Database, openDatabase } from "#platform/database/database.ts";
import { openTestDatabase, testDatabaseKinds } from "#platform/testing/database.ts";
import { openRecords } from "./open-records.ts";
import { recordMigrations } from "./record-migrations.ts";
import { createTestLog } from "../testing/log.ts";

// Any table, by name.
// oxlint-disable-next-line typescript/no-explicit-any
type Tables = any;
type Row = Record<string, string | number | Uint8Array | null>;
type Rows = [table: string, rows: Row[]][];

const hasPostgres = testDatabaseKinds.includes("postgres");

/** A folder with a `millrace.db`, and an empty PostgreSQL. */
async function openPlaces() {
  const DATA_DIR = mkdtempSync(join(tmpdir(), "copy-"));
  const place = await openTestDatabase("postgres");
  const MILLRACE_DATABASE_URL = "url" in place.at ? place.at.url : "";
  const { lines, log } = createTestLog();
  const file = join(DATA_DIR, "millrace.db");
  const env = { DATA_DIR, MILLRACE_DATABASE_URL };
  return {
    env,
    lines,
    file,
    openFile: () => openDatabase<Tables>({ at: { file }, migrations: recordMigrations }),
    start: () => openRecords<Tables>(env, { migrations: recordMigrations, log, waitMs: 0 }),
    openTarget: () =>
      openDatabase<Tables>({ at: { url: MILLRACE_DATABASE_URL }, migrations: recordMigrations }),
    remove: place.remove,
  };
}

async function addRows({ db }: Database<Tables>, rows: Rows): Promise<void> {
  for (const [table, values] of rows)
    for (const row of values) await db.insertInto(table).values(row).execute();
}

/** All of its rows, in a fixed order. */
async function readAll(
  { db }: Database<Tables>,
  tables: readonly string[],
): Promise<Record<string, unknown[]>> {
  const all: Record<string, unknown[]> = {};
  for (const table of tables) {
    const rows = (await db.selectFrom(table).selectAll().execute()) as Row[];
    const texts = rows.map((row) =>
      JSON.stringify(
        Object.fromEntries(
          Object.entries(row)
            .map(([name, value]) => [
              name,
              value instanceof Uint8Array ? Buffer.from(value).toString("hex") : value,
            ])
            .sort(([a], [b]) => (a! < b! ? -1 : 1)),
        ),
      ),
    );
    all[table] = texts.sort();
  }
  return all;
}

interface Column {
  name: string;
  isInt: boolean;
  isBytes: boolean;
  isOptional: boolean;
  parent: string | null;
}

/** As SQLite describes them, so that new tables and columns are covered automatically. */
async function readTables({ db }: Database<Tables>): Promise<Map<string, Column[]>> {
  const { rows } = await sql<{
    tab: string;
    name: string;
    type: string;
    required: number;
    parent: string | null;
  }>`
    select t.name as tab, c.name, c.type, max(c."notnull", c.pk) as required, f."table" as parent
    from sqlite_schema t join pragma_table_info(t.name) c
    left join pragma_foreign_key_list(t.name) f on f."from" = c.name
    where t.type = 'table' and t.name not in ('migrations', 'leases', 'events', 'secret_key_check') and substr(t.name, 1, 7) <> 'sqlite_'`.execute(
    db,
  );
  const tables = new Map<string, Column[]>();
  for (const { tab, name, type, required, parent } of rows) {
    const column = {
      name,
      isInt: type.includes("int"),
      isBytes: type.toLowerCase() === "blob",
      isOptional: required === 0,
      parent,
    };
    tables.set(tab, [...(tables.get(tab) ?? []), column]);
  }
  return tables;
}

const anyText = fc.string({ unit: "grapheme", maxLength: 30 }).filter((text) => !text.includes("\0"));

/** Rows whose texts and numbers are unique where necessary, with references to earlier rows. */
function anyRows(tables: Map<string, Column[]>): fc.Arbitrary<Rows> {
  const ordered = ["organizations", "users", "projects", ...tables.keys()];
  const names = [...new Set(ordered)];
  const values = fc.record({
    count: fc.integer({ min: 1, max: 4 }),
    text: anyText,
    number: fc.maxSafeNat(),
    isNull: fc.boolean(),
    pick: fc.nat(),
  });
  return fc.array(values, { minLength: names.length * 4, maxLength: names.length * 4 }).map((seeds) => {
    const made = new Map<string, Row[]>();
    names.forEach((table, at) => {
      const rows = Array.from({ length: seeds[at]?.count ?? 1 }, (_, number) => {
        const seed = seeds[(at * 4 + number) % seeds.length]!;
        const entries = (tables.get(table) ?? []).map(({ name, isInt, isBytes, isOptional, parent }) => {
          const parents = parent === null ? [] : (made.get(parent) ?? []);
          if (parent !== null && parents.length > 0 && !(isOptional && seed.isNull))
            return [name, parents[seed.pick % parents.length]!["id"]];
          // There is only one authority.
          if (table === "build_authority" && name === "id") return [name, 1];
          if (name === "is_first") return [name, number === 0 ? 1 : null];
          if (isOptional && (seed.isNull || parent !== null)) return [name, null];
          if (isBytes) return [name, Buffer.from(`${seed.text}\0\xff${number}`)];
          return [
            name,
            isInt ? (name === "position" ? number : seed.number) : `${seed.text}-${table}-${number}`,
          ];
        });
        return Object.fromEntries(entries) as Row;
      });
      made.set(table, withoutTwins(table, rows));
    });
    return [...made];
  });
}

const SINGLE = [
  "members",
  "usage_counts",
  "trust_relationships",
  "build_authority",
  "two_steps",
  "totp_secrets",
];

/** Tables whose key consists of references could get duplicates, and one table has a single row. */
function withoutTwins(table: string, rows: Row[]): Row[] {
  return SINGLE.includes(table) ? rows.slice(0, 1) : rows;
}

test.skipIf(!hasPostgres)("1. and 2. any rows, once", { timeout: 120_000 }, async () => {
  const sample = await openPlaces();
  const source = await sample.openFile();
  const tables = await readTables(source);
  await source.close();
  await sample.remove();
  await fc.assert(
    fc.asyncProperty(anyRows(tables), async (rows) => {
      const { openFile, start, openTarget, lines, remove } = await openPlaces();
      const before = await openFile();
      await addRows(before, rows);
      const expected = await readAll(before, [...tables.keys()]);
      await before.close();
      await (await start()).close();
      await (await start()).close();
      const [target, after] = [await openTarget(), await openFile()];
      expect(await readAll(target, [...tables.keys()])).toEqual(expected);
      expect(await readAll(after, [...tables.keys()])).toEqual(expected);
      expect(lines).toEqual([
        expect.stringMatching(/^Copied \d+ rows of \d+ tables from .*millrace\.db to PostgreSQL at /),
      ]);
      await Promise.all([target.close(), after.close()]);
      await remove();
    }),
    { numRuns: 5, endOnFailure: true },
  );
});

const organization = (id: string) => ({ id, name: id, is_first: 1, created_at: 1 });

test.skipIf(!hasPostgres)("2. a database with other records", { timeout: 120_000 }, async () => {
  const { openFile, start, openTarget, lines, remove } = await openPlaces();
  const [source, target] = [await openFile(), await openTarget()];
  await addRows(source, [["organizations", [organization("org_a")]]]);
  await addRows(target, [["organizations", [organization("org_b")]]]);
  await source.close();
  await (await start()).close();
  expect(lines).toEqual([expect.stringContaining("has records that PostgreSQL at")]);
  expect(await target.db.selectFrom("organizations").select("id").execute()).toEqual([{ id: "org_b" }]);
  await target.close();
  await remove();
});

test.skipIf(!hasPostgres)("3. a failure", { timeout: 120_000 }, async () => {
  const { openFile, start, openTarget, lines, remove } = await openPlaces();
  const source = await openFile();
  const user = { id: "usr_a", name: "a\0b", created_at: 1 };
  await addRows(source, [
    ["organizations", [organization("org_a")]],
    ["users", [user]],
  ]);
  await expect(start()).rejects.toThrow(/was not copied to PostgreSQL at .*, which is unchanged .*users/);
  const target = await openTarget();
  expect(await target.db.selectFrom("organizations").selectAll().execute()).toEqual([]);
  await source.db.updateTable("users").set({ name: "ab" }).execute();
  await source.close();
  await (await start()).close();
  expect(lines).toEqual([expect.stringContaining("Copied 2 rows")]);
  expect(await target.db.selectFrom("users").select("name").execute()).toEqual([{ name: "ab" }]);
  await target.close();
  await remove();
});

test.skipIf(!hasPostgres)("4. many rows", { timeout: 240_000 }, async () => {
  const { env, openFile, remove } = await openPlaces();
  const source = await openFile();
  await addRows(source, [["organizations", [organization("org_a")]]]);
  await sql`insert into audit_events (id, organization_id, time, action, actor, actor_id, target, target_id, address, details, words)
    with recursive n (i) as (select 1 union all select i + 1 from n where i < 100000)
    select 'event-' || i, 'org_a', i, 'token.created', 'Ada', 'usr_a', 'ci', 'tok_' || i, '10.0.0.1',
      '{"text":"' || hex(zeroblob(400)) || '"}', '' from n`.execute(source.db);
  await source.close();
  // The rows are 100 MB, and the code of all rooms 53: a process that held all rows would crash.
  const script = `
    const { openRecords } = await import(${JSON.stringify(new URL("open-records.ts", import.meta.url).href)});
    const { recordMigrations: migrations } = await import(${JSON.stringify(new URL("record-migrations.ts", import.meta.url).href)});
    const { consoleLog: log } = await import(${JSON.stringify(new URL("../../platform/log/log.ts", import.meta.url).href)});
    await (await openRecords(${JSON.stringify(env)}, { migrations, log })).close();`;
  const flags = ["--max-old-space-size=90", "--input-type=module", "--eval", script];
  const { status, stdout, stderr } = spawnSync(process.execPath, flags, { encoding: "utf8" });
  expect({ status, stdout }, stderr).toEqual({
    status: 0,
    stdout: expect.stringContaining("Copied 100001 rows"),
  });
  await remove();
});
