/** The tables of blobs: which blobs exist, where their bytes are, and how many records of other rooms name each. */
import type { Transaction } from "kysely";
import { columnTypes } from "../database/columns.ts";
import type { Migration } from "../database/migrate.ts";
import { sql } from "kysely";

export type BlobEncoding = "identity" | "zstd";

/** An existing blob, as records find it. */
export interface Blob {
  digest: string;
  size: number;
  storedBytes: number;
  encoding: BlobEncoding;
  place: string | null;
  /** Null unless `place` is null. */
  content: Uint8Array | null;
}

export interface BlobTables {
  blobs: {
    /** `sha256:` or `sha512:` and the hash in hexadecimal, of the decoded bytes. */
    digest: string;
    /** Size of the decoded bytes. */
    size: number;
    /** Size as stored. */
    stored_bytes: number;
    encoding: BlobEncoding;
    /** Its unique name in the byte store; null: the bytes are in `blob_contents`. */
    place: string | null;
    /** The number of records that name it. At 0 it is removed once `held_until` has passed. */
    reference_count: number;
    /** Milliseconds since 1970: kept until then even without a reference, for clients that were told that it exists. */
    held_until: number;
    /** 1: its bytes do not match its digest. The next upload of the same bytes repairs it. */
    is_damaged: 0 | 1;
  };
  /** The bytes of small blobs: one write instead of two, and no separate file. */
  blob_contents: { digest: string; content: Uint8Array };
}

export type BlobTransaction = Transaction<BlobTables>;

export const blobMigrations: readonly Migration[] = [
  {
    name: "blobs-1",
    release: 2,
    async up(db, kind) {
      const { text } = columnTypes(kind);
      await db.schema
        .createTable("blobs")
        .addColumn("digest", text, (column) => column.primaryKey())
        .addColumn("size", "bigint", (column) => column.notNull())
        .addColumn("stored_bytes", "bigint", (column) => column.notNull())
        .addColumn("encoding", text, (column) => column.notNull())
        .addColumn("place", text)
        .addColumn("reference_count", "bigint", (column) => column.notNull())
        .addColumn("held_until", "bigint", (column) => column.notNull())
        .addColumn("is_damaged", "bigint", (column) => column.notNull())
        .execute();
      await sql`create index blobs_without_reference on blobs (held_until) where reference_count = 0`.execute(
        db,
      );
      await db.schema.createIndex("blobs_by_place").unique().on("blobs").columns(["place"]).execute();
      await db.schema
        .createTable("blob_contents")
        .addColumn("digest", text, (column) => column.primaryKey())
        .addColumn("content", kind === "postgres" ? "bytea" : "blob", (column) => column.notNull())
        .execute();
    },
  },
];
