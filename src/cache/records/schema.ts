/** The tables of the cache. Ids are texts, times milliseconds since 1970. */
import { sql, type Transaction } from "kysely";
import type { AccountTables } from "#accounts/index.ts";
import type { BlobTables } from "#platform/blobs/schema.ts";
import { columnTypes } from "#platform/database/columns.ts";
import type { Database } from "#platform/database/database.ts";
import type { LeaseTables } from "#platform/database/lease.ts";
import type { Migration } from "#platform/database/migrate.ts";
import { LARGE_ENTRY_BYTES } from "../contract/limits.ts";
import { type MissTables, missMigration } from "./miss-schema.ts";
import { accessMigration, type AccessTables } from "./access-schema.ts";
import type { Tool } from "../contract/tools.ts";

export interface CacheTables extends MissTables, AccessTables {
  /** One for each organization and tool, and one for each overlay. */
  cache_namespaces: {
    /** `cns_…` */
    id: string;
    organization_id: string;
    tool: Tool;
    /** "": the trusted one. Otherwise project and ref of the pull requests that write to it: `prj_… refs/pull/7/merge`. */
    overlay: string;
    /** This and `size_bytes`: without the changes that wait in `cache_changes`. */
    entries: number;
    size_bytes: number;
    created_at: number;
    /** Entries that were written until then are being removed; null: no reset. */
    reset_before: number | null;
  };
  /** Entries that were put and removed since the rows of the namespaces were updated: `changes.ts`. */
  cache_changes: {
    namespace_id: string;
    /** `namespaceText`; null for removals. */
    name: string | null;
    entries: number;
    size_bytes: number;
  };
  cache_entries: {
    namespace_id: string;
    /** The requested key, with its kind: `ac/<hash>`, `cas/<hash>`. */
    key: string;
    /** The blob's digest. */
    digest: string;
    size: number;
    /** The tool's metadata, as its module writes it; "" for none. */
    meta: string;
    /** The writer. */
    writer_id: string;
    written_at: number;
    /** Exact to `LAST_USE_EXACT_MS`. */
    used_at: number;
  };
  /** Writers: one row for each token, and so for each job. */
  cache_writers: {
    /** `cwr_…` */
    id: string;
    organization_id: string;
    /** `tok_…`; for a person in a browser `usr_…`. */
    token_id: string;
    /** The name of the token, or of the person. */
    name: string;
    kind: "user" | "organization" | "job";
    project_id: string | null;
    /** For a job, as its issuer vouched for it: the subject, the commit, the ref, the page of its run. */
    subject: string | null;
    commit_sha: string | null;
    ref: string | null;
    run_url: string | null;
    first_at: number;
    last_at: number;
  };
  /** Requests by hour, all of them under the trusted namespace. */
  cache_counts: {
    namespace_id: string;
    /** Hours since 1970. */
    hour: number;
    hits: number;
    misses: number;
    read_bytes: number;
    written_bytes: number;
    /** The time of the last request. */
    last_at: number;
  };
}

export type CacheDatabase = Database<CacheTables & BlobTables & AccountTables & LeaseTables>;
export type CacheTransaction = Transaction<CacheTables & BlobTables & AccountTables & LeaseTables>;

export const cacheMigrations: readonly Migration[] = [
  {
    name: "cache-1",
    release: 2,
    async up(db, kind) {
      const { text } = columnTypes(kind);
      await db.schema
        .createTable("cache_namespaces")
        .addColumn("id", text, (column) => column.primaryKey())
        .addColumn("organization_id", text, (column) => column.notNull())
        .addColumn("tool", text, (column) => column.notNull())
        .addColumn("overlay", text, (column) => column.notNull())
        .addColumn("entries", "bigint", (column) => column.notNull())
        .addColumn("size_bytes", "bigint", (column) => column.notNull())
        .addColumn("created_at", "bigint", (column) => column.notNull())
        .addColumn("reset_before", "bigint")
        .addUniqueConstraint("cache_namespaces_by_name", ["organization_id", "tool", "overlay"])
        .execute();
      await db.schema
        .createTable("cache_entries")
        .addColumn("namespace_id", text, (column) => column.notNull())
        .addColumn("key", text, (column) => column.notNull())
        .addColumn("digest", text, (column) => column.notNull())
        .addColumn("size", "bigint", (column) => column.notNull())
        .addColumn("meta", text, (column) => column.notNull())
        .addColumn("writer_id", text, (column) => column.notNull())
        .addColumn("written_at", "bigint", (column) => column.notNull())
        .addColumn("used_at", "bigint", (column) => column.notNull())
        .addPrimaryKeyConstraint("cache_entries_key", ["namespace_id", "key"])
        .execute();
      await db.schema
        .createIndex("cache_entries_by_use")
        .on("cache_entries")
        .columns(["namespace_id", "used_at"])
        .execute();
      await db.schema
        .createIndex("cache_entries_by_writer")
        .on("cache_entries")
        .columns(["writer_id", "namespace_id"])
        .execute();
      // Most entries are small, and need no place in the index.
      await db.schema
        .createIndex("cache_entries_by_size")
        .on("cache_entries")
        .columns(["namespace_id", "size"])
        .where(sql<boolean>`size >= ${sql.lit(LARGE_ENTRY_BYTES)}`)
        .execute();
    },
  },
  {
    name: "cache-2",
    release: 2,
    async up(db, kind) {
      const { text } = columnTypes(kind);
      await db.schema
        .createTable("cache_writers")
        .addColumn("id", text, (column) => column.primaryKey())
        .addColumn("organization_id", text, (column) => column.notNull())
        .addColumn("token_id", text, (column) => column.notNull())
        .addColumn("name", text, (column) => column.notNull())
        .addColumn("kind", text, (column) => column.notNull())
        .addColumn("project_id", text)
        .addColumn("subject", text)
        .addColumn("commit_sha", text)
        .addColumn("ref", text)
        .addColumn("run_url", text)
        .addColumn("first_at", "bigint", (column) => column.notNull())
        .addColumn("last_at", "bigint", (column) => column.notNull())
        // A person's token writes in each organization of that person.
        .addUniqueConstraint("cache_writers_by_token", ["organization_id", "token_id"])
        .execute();
      await db.schema.createIndex("cache_writers_by_use").on("cache_writers").columns(["last_at"]).execute();
      await db.schema
        .createTable("cache_counts")
        .addColumn("namespace_id", text, (column) => column.notNull())
        .addColumn("hour", "bigint", (column) => column.notNull())
        .addColumn("hits", "bigint", (column) => column.notNull())
        .addColumn("misses", "bigint", (column) => column.notNull())
        .addColumn("read_bytes", "bigint", (column) => column.notNull())
        .addColumn("written_bytes", "bigint", (column) => column.notNull())
        .addColumn("last_at", "bigint", (column) => column.notNull())
        .addPrimaryKeyConstraint("cache_counts_key", ["namespace_id", "hour"])
        .execute();
    },
  },
  missMigration,
  accessMigration,
  {
    name: "cache-changes",
    release: 3,
    // The previous release still updates the rows of namespaces, which this release only adds to.
    async up(db, kind) {
      const { text } = columnTypes(kind);
      await db.schema
        .createTable("cache_changes")
        .addColumn("namespace_id", text, (column) => column.notNull())
        .addColumn("name", text)
        .addColumn("entries", "bigint", (column) => column.notNull())
        .addColumn("size_bytes", "bigint", (column) => column.notNull())
        .execute();
    },
  },
];
