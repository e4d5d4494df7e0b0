/** The tables of blobs: which exist, where their bytes are, and how many records of other rooms name each. */
import type { Transaction } from "kysely";
import { columnTypes } from "../database/columns.ts";
import type { Migration } from "../database/migrate.ts";
import { sql } from "kysely";

export type BlobEncoding = "identity" | "zstd";

/** A blob that exists, as records find it. */
export interface Blob {
  digest: string;
  size: number;
  storedBytes: number;
  encoding: BlobEncoding;
  place: string | null;
  /** Null where `place` is not. */
  content: Uint8Array | null;
}

export interface BlobTables {
  blobs: {
    /** `sha256:` or `sha512:` and the hash in hexadecimal, of the decoded bytes. */
    digest: string;
    /** Of the decoded bytes. */
    size: number;
    /** What it takes where it is kept. */
    stored_bytes: number;
    encoding: BlobEncoding;
    /** Its name in the byte store, unlike that of any other upload; null: the bytes are in `blob_contents`. */
    place: string | null;
    /** Records that name it. At 0 it is removed once `held_until` has passed. */
    reference_count: number;
    /** Milliseconds since 1970: until then it stays without a reference, for who was told that it is there. */
    held_until: number;
    /** 1: its bytes are not those of its digest. The next upload of the same bytes mends it. */
    is_damaged: 0 | 1;
  };
  /** The bytes of small blobs: one write instead of two, and no file of its own. */
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
