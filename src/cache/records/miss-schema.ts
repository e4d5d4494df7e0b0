/** The tables of misses. Their content may be lost without harm: it explains, and decides nothing. */
import { columnTypes } from "#platform/database/columns.ts";
import type { Migration } from "#platform/database/migrate.ts";
import type { RemovalReason } from "../contract/misses.ts";

export interface MissTables {
  /** The last misses of each trusted namespace; a key that misses again replaces its row. */
  cache_misses: {
    namespace_id: string;
    key: string;
    missed_at: number;
    times: number;
    /** The result was there, but not everything that it names. */
    is_incomplete: number;
    /** From the tool; "": none. */
    target: string;
    mnemonic: string;
    invocation: string;
    /** When its result was written after the miss. */
    written_at: number | null;
    /** When and why it was removed before the miss. */
    removed_at: number | null;
    removed_because: RemovalReason | "";
    /** The last result of the same work, under another key; "": unknown. */
    nearest_key: string;
    /** Without a key: when another commit of the project last wrote something. */
    nearest_at: number | null;
    /** `Difference[]`; null: not compared. */
    differences: string | null;
  };
  cache_removed: {
    namespace_id: string;
    key: string;
    removed_at: number;
    because: RemovalReason;
  };
  /** The key of the last result of some work. */
  cache_work: {
    namespace_id: string;
    /**
     * A hash of what stays the same from build to build: the outputs, or target and mnemonic. Or a commit that has stored
     * something (`commits.ts`).
     */
    work: string;
    key: string;
    written_at: number;
  };
}

export const missMigration: Migration = {
  name: "cache-misses-1",
  release: 2,
  async up(db, kind) {
    const { text } = columnTypes(kind);
    await db.schema
      .createTable("cache_misses")
      .addColumn("namespace_id", text, (column) => column.notNull())
      .addColumn("key", text, (column) => column.notNull())
      .addColumn("missed_at", "bigint", (column) => column.notNull())
      .addColumn("times", "bigint", (column) => column.notNull())
      .addColumn("is_incomplete", "bigint", (column) => column.notNull())
      .addColumn("target", text, (column) => column.notNull())
      .addColumn("mnemonic", text, (column) => column.notNull())
      .addColumn("invocation", text, (column) => column.notNull())
      .addColumn("written_at", "bigint")
      .addColumn("removed_at", "bigint")
      .addColumn("removed_because", text, (column) => column.notNull())
      .addColumn("nearest_key", text, (column) => column.notNull())
      .addColumn("nearest_at", "bigint")
      .addColumn("differences", text)
      .addPrimaryKeyConstraint("cache_misses_key", ["namespace_id", "key"])
      .execute();
    await db.schema
      .createTable("cache_removed")
      .addColumn("namespace_id", text, (column) => column.notNull())
      .addColumn("key", text, (column) => column.notNull())
      .addColumn("removed_at", "bigint", (column) => column.notNull())
      .addColumn("because", text, (column) => column.notNull())
      .addPrimaryKeyConstraint("cache_removed_key", ["namespace_id", "key"])
      .execute();
    await db.schema
      .createTable("cache_work")
      .addColumn("namespace_id", text, (column) => column.notNull())
      .addColumn("work", text, (column) => column.notNull())
      .addColumn("key", text, (column) => column.notNull())
      .addColumn("written_at", "bigint", (column) => column.notNull())
      .addPrimaryKeyConstraint("cache_work_key", ["namespace_id", "work"])
      .execute();
    for (const [table, time] of [
      ["cache_misses", "missed_at"],
      ["cache_removed", "removed_at"],
      ["cache_work", "written_at"],
    ] as const)
      await db.schema.createIndex(`${table}_by_time`).on(table).columns(["namespace_id", time]).execute();
  },
};
