/**
 * The effect of a migration as a hash of the statements that it sends to an empty database. Its code may be moved, renamed or
 * bundled; its statements must not change once it has landed.
 */
import { createHash } from "node:crypto";
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import type { DatabaseKind } from "./columns.ts";
import type { Migration } from "./migration.ts";

type Hashes = ReadonlyMap<string, string>;

const known = new WeakMap<readonly Migration[], Map<DatabaseKind, Promise<Hashes>>>();

/** A query changes nothing and finds no rows here, so it does not count. */
const QUESTION = /^\s*select\b/i;

/** By migration name. Opens no database. */
export function hashMigrations(migrations: readonly Migration[], kind: DatabaseKind): Promise<Hashes> {
  const ofKinds = known.get(migrations) ?? new Map<DatabaseKind, Promise<Hashes>>();
  known.set(migrations, ofKinds);
  const hashes = ofKinds.get(kind) ?? hashAll(migrations, kind);
  ofKinds.set(kind, hashes);
  return hashes;
}

async function hashAll(migrations: readonly Migration[], kind: DatabaseKind): Promise<Hashes> {
  const hashes = new Map<string, string>();
  for (const { name, up } of migrations) {
    const hash = createHash("sha256");
    await up(
      createRecorder(kind, (statement) => hash.update(`${statement}\n`)),
      kind,
    );
    hashes.set(name, hash.digest("hex"));
  }
  return hashes;
}

function createRecorder(kind: DatabaseKind, record: (statement: string) => void): Kysely<unknown> {
  const isPostgres = kind === "postgres";
  return new Kysely<unknown>({
    dialect: {
      createAdapter: () => (isPostgres ? new PostgresAdapter() : new SqliteAdapter()),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => (isPostgres ? new PostgresIntrospector(db) : new SqliteIntrospector(db)),
      createQueryCompiler: () => (isPostgres ? new PostgresQueryCompiler() : new SqliteQueryCompiler()),
    },
    log: ({ query: { sql, parameters } }) => {
      if (!QUESTION.test(sql)) record(JSON.stringify([sql, ...parameters]));
    },
  });
}
