/**
 * Large bytes of all rooms: content addressed, each kept once. A room receives bytes, names them in the transaction of its
 * own record, and lets go of them in the transaction that removes it; what nobody names any more is collected.
 *
 *   receive ─► ReceivedBlob ─► keep(transaction) ─► settle        a second upload of the same bytes adopts the first
 *   drop(transaction) ─► 0 references ─► collect
 */
import { type Kysely, sql } from "kysely";
import type { Database } from "../database/database.ts";
import type { ByteStore } from "./byte-store.ts";
import { createCheckedPlaces } from "./checked-places.ts";
import { type BlobReader, openBlob } from "./open-blob.ts";
import type { BlobEncoding, BlobTables, BlobTransaction } from "./schema.ts";
import { type ReceivedBlob, Upload, type UploadOptions } from "./upload.ts";

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

export interface Blobs {
  receive(options: UploadOptions): Upload;
  /** Adds a reference, in the transaction of the record that names it. May run more than once. */
  keep(transaction: BlobTransaction, received: ReceivedBlob): Promise<void>;
  /** Adds a reference to one that is there. @returns false when it is not, or is damaged */
  keepKnown(transaction: BlobTransaction, digest: string): Promise<boolean>;
  /** After the transaction of `keep`, whether it failed or not: removes what was received in vain. */
  settle(received: ReceivedBlob): Promise<void>;
  /** Takes references away, in the transaction that removes the records. */
  drop(transaction: BlobTransaction, digests: ReadonlyMap<string, number>): Promise<void>;
  find(digest: string, db?: Kysely<BlobTables>): Promise<Blob | undefined>;
  /**
   * Opens it for reading. Bytes that are not those of the digest are never answered whole.
   * @throws MissingBytesError, DamagedBlobError; then it is marked, and no longer found
   */
  open(blob: Blob): Promise<BlobReader>;
}

export interface BlobsOptions {
  database: Pick<Database<BlobTables>, "db" | "kind">;
  store: ByteStore;
}

export function createBlobs({ database: { db }, store }: BlobsOptions): Blobs {
  const checked = createCheckedPlaces();
  const markDamaged = async ({ digest, place }: Blob) => {
    await db
      .updateTable("blobs")
      .set({ is_damaged: 1 })
      .where("digest", "=", digest)
      // Another upload may have mended it meanwhile.
      .where("place", place === null ? "is" : "=", place)
      .execute();
  };
  return {
    receive: (options) => new Upload(store, options),
    keep: keepReceived,
    async keepKnown(transaction, digest) {
      const kept = await transaction
        .updateTable("blobs")
        .set((column) => ({ reference_count: column("reference_count", "+", 1) }))
        .where("digest", "=", digest)
        .where("is_damaged", "=", 0)
        .executeTakeFirst();
      return kept.numUpdatedRows > 0n;
    },
    async settle({ digest, place }) {
      if (place === null) return;
      const row = await db
        .selectFrom("blobs")
        .select("place")
        .where("digest", "=", digest)
        .executeTakeFirst();
      if (row?.place !== place) await store.remove(place);
    },
    async drop(transaction, digests) {
      for (const [digest, count] of digests)
        // oxlint-disable-next-line no-await-in-loop -- on one connection
        await transaction
          .updateTable("blobs")
          .set((column) => ({ reference_count: column("reference_count", "-", count) }))
          .where("digest", "=", digest)
          .execute();
    },
    async find(digest, from = db) {
      const row = await from
        .selectFrom("blobs")
        .leftJoin("blob_contents", "blob_contents.digest", "blobs.digest")
        .select(["size", "stored_bytes", "encoding", "place", "content"])
        .where("blobs.digest", "=", digest)
        .where("is_damaged", "=", 0)
        .executeTakeFirst();
      if (!row) return undefined;
      const { stored_bytes: storedBytes, ...found } = row;
      return { ...found, digest, storedBytes };
    },
    open: (blob) => openBlob(blob, { store, checked, markDamaged }),
  };
}

async function keepReceived(transaction: BlobTransaction, received: ReceivedBlob): Promise<void> {
  const { digest, size, storedBytes, encoding, place, content } = received;
  const mended = <Value>(column: string) =>
    sql<Value>`case when blobs.is_damaged = 1 then excluded.${sql.ref(column)} else blobs.${sql.ref(column)} end`;
  await transaction
    .insertInto("blobs")
    .values({
      digest,
      size,
      stored_bytes: storedBytes,
      encoding,
      place,
      reference_count: 1,
      held_until: 0,
      is_damaged: 0,
    })
    .onConflict((conflict) =>
      conflict.column("digest").doUpdateSet((column) => ({
        reference_count: column("blobs.reference_count", "+", 1),
        place: mended<string | null>("place"),
        encoding: mended<BlobEncoding>("encoding"),
        stored_bytes: mended<number>("stored_bytes"),
        is_damaged: 0,
      })),
    )
    .execute();
  if (content === null) return;
  await transaction
    .insertInto("blob_contents")
    .values({ digest, content })
    .onConflict((conflict) => conflict.column("digest").doNothing())
    .execute();
}
