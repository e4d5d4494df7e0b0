import { columnTypes } from "#platform/database/columns.ts";
import type { Migration } from "#platform/database/migrate.ts";

export interface AccessTables {
  /** Requests in one minute at one server, of one key in `SAMPLED_OF`. */
  cache_accesses: {
    /** The trusted namespace; requests of overlays are included. */
    namespace_id: string;
    at: number;
    /** Random: servers write at the same time. */
    part: string;
    /** Requests for an entry, of all keys. */
    requests: number;
    records: number;
    /** As `records.ts` writes them. */
    data: Uint8Array;
  };
}

export const accessMigration: Migration = {
  name: "cache-accesses-1",
  release: 2,
  async up(db, kind) {
    const { text } = columnTypes(kind);
    await db.schema
      .createTable("cache_accesses")
      .addColumn("namespace_id", text, (column) => column.notNull())
      .addColumn("at", "bigint", (column) => column.notNull())
      .addColumn("part", text, (column) => column.notNull())
      .addColumn("requests", "bigint", (column) => column.notNull())
      .addColumn("records", "bigint", (column) => column.notNull())
      .addColumn("data", kind === "postgres" ? "bytea" : "blob", (column) => column.notNull())
      .addPrimaryKeyConstraint("cache_accesses_key", ["namespace_id", "at", "part"])
      .execute();
  },
};
