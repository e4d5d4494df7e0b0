/** Compares a database's tables with the tables that the migrations make: a server starts only if they match. */
import { DatabaseSync } from "node:sqlite";
import { Kysely, type QueryExecutorProvider, sql } from "kysely";
import type { DatabaseKind } from "./columns.ts";
import type { Migration } from "./migration.ts";
import { createSqliteDialect } from "./sqlite-dialect.ts";

interface Column {
  type: string;
  isOptional: boolean;
  hasDefault: boolean;
}

export interface TableShape {
  columns: Map<string, Column>;
  /** The columns of each unique key, sorted and joined: `name organization_id`. */
  keys: Set<string>;
}

/** By table name. */
export type TableShapes = ReadonlyMap<string, TableShape>;

interface ColumnRow {
  table: string;
  column: string;
  type: string;
  is_required: number | boolean;
  has_default: number | boolean;
}

interface KeyRow {
  table: string;
  key: string;
  column: string;
}

const QUESTIONS: Record<DatabaseKind, { columns: string; keys: string }> = {
  sqlite: {
    columns: `select t.name as "table", c.name as "column", c.type, c."notnull" or c.pk > 0 as is_required,
      c.dflt_value is not null as has_default
      from sqlite_schema t join pragma_table_xinfo(t.name) c
      where t.type = 'table' and substr(t.name, 1, 7) <> 'sqlite_'`,
    keys: `select t.name as "table", i.name as "key", c.name as "column"
      from sqlite_schema t join pragma_index_list(t.name) i join pragma_index_info(i.name) c
      where t.type = 'table' and i."unique" and not i.partial
      union all select t.name, '', c.name from sqlite_schema t join pragma_table_info(t.name) c
      where t.type = 'table' and substr(t.name, 1, 7) <> 'sqlite_' and c.pk > 0`,
  },
  postgres: {
    columns: `select t.relname as "table", a.attname as "column", format_type(a.atttypid, null) as type,
      a.attnotnull as is_required, a.atthasdef as has_default
      from pg_class t join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
      where t.relkind in ('r', 'p') and t.relnamespace = (select oid from pg_namespace where nspname = current_schema())`,
    keys: `select t.relname as "table", i.indexrelid::text as "key", a.attname as "column"
      from pg_index i join pg_class t on t.oid = i.indrelid
      join pg_attribute a on a.attrelid = t.oid and a.attnum = any (i.indkey)
      where i.indisunique and i.indisvalid and i.indpred is null
      and t.relnamespace = (select oid from pg_namespace where nspname = current_schema())`,
  },
};

export async function readShapes(db: QueryExecutorProvider, kind: DatabaseKind): Promise<TableShapes> {
  const { columns, keys } = QUESTIONS[kind];
  const columnRows = await sql.raw<ColumnRow>(columns).execute(db);
  return toShapes(columnRows.rows, (await sql.raw<KeyRow>(keys).execute(db)).rows);
}

/** The same, for stores that use SQLite directly. */
export function readSqliteShapes(db: DatabaseSync): TableShapes {
  const { columns, keys } = QUESTIONS.sqlite;
  const ask = (question: string): unknown[] => db.prepare(question).all();
  return toShapes(ask(columns) as ColumnRow[], ask(keys) as KeyRow[]);
}

function toShapes(columns: readonly ColumnRow[], keys: readonly KeyRow[]): TableShapes {
  const shapes = new Map<string, TableShape>();
  for (const { table, column, type, is_required, has_default } of columns) {
    const shape = shapes.get(table) ?? { columns: new Map(), keys: new Set() };
    shapes.set(table, shape);
    const rest = { isOptional: !is_required, hasDefault: Boolean(has_default) };
    shape.columns.set(column, { type: typeOf(type), ...rest });
  }
  const named = new Map<string, { table: string; names: string[] }>();
  for (const { table, key, column } of keys) {
    const { names } = named.get(`${table} ${key}`) ?? { names: [] };
    named.set(`${table} ${key}`, { table, names: [...names, column] });
  }
  for (const { table, names } of named.values()) shapes.get(table)?.keys.add(names.toSorted().join(" "));
  return shapes;
}

/** Common names for types that each database names differently. */
function typeOf(type: string): string {
  if (/int/i.test(type)) return "a number";
  if (/text/i.test(type)) return "text";
  return /blob|bytea/i.test(type) ? "bytes" : type;
}

const knownShapes = new WeakMap<readonly Migration[], Promise<TableShapes>>();

/** The tables that the migrations create in an empty database. */
export function expectedShapes(migrations: readonly Migration[]): Promise<TableShapes> {
  const shapes = knownShapes.get(migrations) ?? makeShapes(migrations);
  knownShapes.set(migrations, shapes);
  return shapes;
}

async function makeShapes(migrations: readonly Migration[]): Promise<TableShapes> {
  const db = new Kysely<unknown>({ dialect: createSqliteDialect(new DatabaseSync(":memory:")) });
  try {
    for (const { up } of migrations) await up(db, "sqlite");
    return await readShapes(db, "sqlite");
  } finally {
    await db.destroy();
  }
}

/**
 * Differences that would make statements for the expected tables fail. Additional tables, columns and keys come from a newer
 * release.
 * @returns phrases: `the table exchanges is missing`
 */
export function compareShapes(expected: TableShapes, found: TableShapes): string[] {
  const differences: string[] = [];
  for (const [table, { columns, keys }] of expected) {
    const other = found.get(table);
    if (!other) {
      differences.push(`the table ${table} is missing`);
      continue;
    }
    for (const [column, wanted] of columns)
      differences.push(...compareColumn(`${table}.${column}`, wanted, other.columns.get(column)));
    for (const [column, { isOptional, hasDefault }] of other.columns)
      if (!columns.has(column) && !isOptional && !hasDefault)
        differences.push(`the column ${table}.${column} is unknown to this release and has no default`);
    for (const key of keys)
      if (!other.keys.has(key))
        differences.push(`the unique key of ${table} (${key.replaceAll(" ", ", ")}) is missing`);
  }
  return differences;
}

function compareColumn(name: string, wanted: Column, found: Column | undefined): string[] {
  if (!found) return [`the column ${name} is missing`];
  if (found.type !== wanted.type) return [`the column ${name} is ${found.type} instead of ${wanted.type}`];
  if (wanted.isOptional && !found.isOptional) return [`the column ${name} does not allow null`];
  if (wanted.hasDefault && !found.hasDefault) return [`the column ${name} has lost its default`];
  return [];
}
