/**
 * `node:sqlite` behind Kysely, which expects the interface of the package `better-sqlite3`:
 * https://github.com/WiseLibs/better-sqlite3/blob/master/docs/api.md
 */
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { CompiledQuery, type DatabaseConnection, SqliteDialect, SqliteDriver } from "kysely";
import type { Reserve } from "../files/reserve.ts";
import { passFullDiskNow } from "./urgent.ts";

/** The most recent statements stay prepared; queries with lists of varying length create new ones forever. */
const MAX_STATEMENTS = 200;

/** Begins each transaction as a writer, so that a transaction that reads first cannot fail when it writes. */
class ImmediateDriver extends SqliteDriver {
  readonly #db: DatabaseSync;

  constructor(db: DatabaseSync, reserve: Reserve | null) {
    super({ database: { prepare: createPrepare(db, reserve), close: () => db.close() } });
    this.#db = db;
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw("begin immediate"));
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // A full disk has already ended it, and the error of a second rollback would hide that error.
    if (this.#db.isTransaction) await super.rollbackTransaction(connection);
  }
}

/** @param db closed with the Kysely instance */
export function createSqliteDialect(db: DatabaseSync, reserve: Reserve | null = null): SqliteDialect {
  const database = { prepare: createPrepare(db, reserve), close: () => db.close() };
  const dialect = new SqliteDialect({ database });
  dialect.createDriver = () => new ImmediateDriver(db, reserve);
  return dialect;
}

function createPrepare(db: DatabaseSync, reserve: Reserve | null) {
  // A transaction is retried as a whole.
  const pass = <Result>(run: () => Result): Result =>
    db.isTransaction ? run() : passFullDiskNow(reserve, run);
  const statements = new Map<string, ReturnType<typeof adapt>>();
  return (text: string) => {
    const known = statements.get(text);
    if (known) {
      // The map is in order of use.
      statements.delete(text);
      statements.set(text, known);
      return known;
    }
    const statement = adapt(db.prepare(text), pass);
    statements.set(text, statement);
    if (statements.size > MAX_STATEMENTS) statements.delete(statements.keys().next().value!);
    return statement;
  };
}

function adapt(statement: StatementSync, pass: <Result>(run: () => Result) => Result) {
  return {
    reader: statement.columns().length > 0,
    all: (values: readonly unknown[]) => pass(() => statement.all(...bind(values))),
    run: (values: readonly unknown[]) => {
      const { changes, lastInsertRowid } = pass(() => statement.run(...bind(values)));
      return { changes: BigInt(changes), lastInsertRowid: BigInt(lastInsertRowid) };
    },
    iterate: (values: readonly unknown[]) => statement.iterate(...bind(values)),
  };
}

/** SQLite has no booleans. */
function bind(values: readonly unknown[]): SQLInputValue[] {
  return values.map((value) => (typeof value === "boolean" ? Number(value) : (value as SQLInputValue)));
}
