import type { Kysely } from "kysely";
import { columnTypes, type DatabaseKind } from "#platform/database/columns.ts";
import type { Migration } from "#platform/database/migrate.ts";

export interface CountTables {
  /** The table of `shared-counts.ts`. */
  limit_counts: {
    /** A hash. */
    key: string;
    /** When the key's whole share is available again. */
    full_at: number;
  };
}

export const signInFloodsMigration: Migration = { name: "accounts-sign-in-floods", release: 4, up };

async function up(db: Kysely<unknown>, kind: DatabaseKind): Promise<void> {
  const { text } = columnTypes(kind);
  await db.schema.alterTable("users").addColumn("browsers_known_since", "bigint").execute();
  await db.schema.alterTable("device_codes").addColumn("network", text).execute();
  await db.schema.createIndex("device_codes_network").on("device_codes").column("network").execute();
  await db.schema
    .createTable("limit_counts")
    .addColumn("key", text, (column) => column.primaryKey())
    .addColumn("full_at", "bigint", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("limit_counts_full_at").on("limit_counts").column("full_at").execute();
}
