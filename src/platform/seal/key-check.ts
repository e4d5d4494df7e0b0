/**
 * Finds out whether the records belong to a secret key, usually from one sealed text in its own table.
 *
 *   it opens                               the key is right
 *   it does not, or does not exist yet     one of the sealed texts opens: right;  none does: wrong key
 *   nothing is sealed                      any key is right
 */
import { type Kysely, type QueryExecutorProvider, sql } from "kysely";
import { columnTypes } from "../database/columns.ts";
import type { UnreadDatabase } from "../database/database.ts";
import type { Migration } from "../database/migrate.ts";
import { readShapes } from "../database/table-shapes.ts";
import { createSeal, type SealedColumn } from "./seal.ts";

export interface KeyCheckTables {
  secret_key_check: { id: number; sealed: string };
}

const CHECK = { purpose: "millrace secret key check" };
const TEXT = "millrace";

export const keyCheckMigrations: readonly Migration[] = [
  {
    name: "secret-key-check",
    release: 3,
    async up(db, kind) {
      await db.schema
        .createTable("secret_key_check")
        .addColumn("id", "bigint", (column) => column.primaryKey())
        .addColumn("sealed", columnTypes(kind).text, (column) => column.notNull())
        .execute();
    },
  },
];

export interface SealedCount {
  what: string;
  count: number;
}

export interface KeyCheck {
  /** Texts that the key cannot open; empty: the key is right. */
  lost: SealedCount[];
  /** The check of another key, to be replaced because nothing is sealed with that key any more; null: none. */
  stale: string | null;
}

/** Read-only. @param secretKey null: there is none */
export async function checkKey(
  database: UnreadDatabase,
  secretKey: Uint8Array | null,
  columns: readonly SealedColumn[],
): Promise<KeyCheck> {
  const tables = await readShapes(database.db, database.kind);
  const check = tables.has("secret_key_check") ? await readCheck(database.db) : null;
  if (check !== null && opens(secretKey, check)) return { lost: [], stale: null };
  const found = await findSealed(
    database,
    secretKey,
    columns.filter(({ table }) => tables.has(table)),
  );
  const isRight = found.some(({ rows, lost }) => lost.length < rows);
  return { lost: isRight ? [] : countLost(found), stale: check };
}

/**
 * Records the key of the records, at the first start with a key.
 * @param stale from `checkKey`
 * @returns whether the key is right: false when another server, with another key, was first
 */
export async function keepKeyCheck(
  db: Kysely<KeyCheckTables>,
  secretKey: Uint8Array,
  stale: string | null,
): Promise<boolean> {
  const known = await readCheck(db);
  if (known !== null && opens(secretKey, known)) return true;
  const sealed = createSeal(secretKey, CHECK).seal(TEXT);
  await db
    .insertInto("secret_key_check")
    .values({ id: 1, sealed })
    .onConflict((conflict) =>
      conflict
        .column("id")
        .doUpdateSet({ sealed })
        .where("secret_key_check.sealed", "=", stale ?? ""),
    )
    .execute();
  return opens(secretKey, (await readCheck(db)) ?? "");
}

/** Texts that cannot be opened with the key. @param remove deletes them, with the check */
export async function findLost(
  database: UnreadDatabase,
  secretKey: Uint8Array | null,
  { columns, remove }: { columns: readonly SealedColumn[]; remove: boolean },
): Promise<SealedCount[]> {
  const found = await findSealed(database, secretKey, columns);
  if (remove) {
    for (const { column, lost } of found) for (const row of lost) await deleteRow(database.db, column, row);
    await sql`delete from secret_key_check`.execute(database.db);
  }
  return countLost(found);
}

const opens = (secretKey: Uint8Array | null, check: string) =>
  secretKey !== null && createSeal(secretKey, CHECK).open(check) === TEXT;

async function readCheck(db: QueryExecutorProvider): Promise<string | null> {
  const { rows } = await sql<{ sealed: string }>`select sealed from secret_key_check where id = 1`.execute(
    db,
  );
  return rows[0]?.sealed ?? null;
}

type Row = Record<string, string | number>;

interface Found {
  column: SealedColumn;
  rows: number;
  lost: Row[];
}

async function findSealed(
  { db }: UnreadDatabase,
  secretKey: Uint8Array | null,
  columns: readonly SealedColumn[],
): Promise<Found[]> {
  return Promise.all(
    columns.map(async (column) => {
      const seal = secretKey && createSeal(secretKey, column);
      const { rows } = await sql<Row>`select * from ${sql.table(column.table)}`.execute(db);
      const lost = rows.filter((row) => {
        const belongs = column.belongs.map((name) => String(row[name]));
        return !seal || seal.open(String(row[column.column]), ...belongs) === null;
      });
      return { column, rows: rows.length, lost };
    }),
  );
}

const countLost = (found: readonly Found[]): SealedCount[] =>
  found
    .filter(({ lost }) => lost.length > 0)
    .map(({ column, lost }) => ({ what: column.what, count: lost.length }));

async function deleteRow(db: QueryExecutorProvider, { table, keys }: SealedColumn, row: Row): Promise<void> {
  const isRow = keys.map((key) => sql`${sql.ref(key)} = ${row[key]}`);
  await sql`delete from ${sql.table(table)} where ${sql.join(isRow, sql` and `)}`.execute(db);
}
