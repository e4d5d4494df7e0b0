/**
 * Large byte content of all rooms: content addressed, each stored once. A room receives bytes, references them in the transaction
 * of its own record, and drops the reference in the transaction that removes the record; unreferenced blobs are collected.
 *
 *   receive ─► ReceivedBlob ─► keep(transaction) ─► settle        a second upload of the same bytes adopts the first
 *   drop(transaction) ─► 0 references ─► collect
 */
import type { Kysely } from "kysely";
import { type Database, inTransaction } from "../database/database.ts";
import type { ByteStore } from "./byte-store.ts";
import { createCheckedPlaces } from "./checked-places.ts";
import { type BlobReader, openBlob } from "./open-blob.ts";
import { DIGESTS_AT_ONCE } from "./limits.ts";
import { type ExchangedReferences, exchangeReferences, keepReceived, lockBlobs } from "./references.ts";
import type { Blob, BlobTables, BlobTransaction } from "./schema.ts";
import { type ReceivedBlob, Upload, type UploadOptions } from "./upload.ts";

export type { Blob } from "./schema.ts";

export interface Blobs {
  /** @throws DiskFullError when the disk has no room */
  receive(options: UploadOptions): Upload;
  /** Adds a reference, in the transaction of the record that names it. May run more than once. */
  keep(transaction: BlobTransaction, received: ReceivedBlob): Promise<void>;
  /** Adds a reference to an existing blob. @returns false when it does not exist, or is damaged */
  keepKnown(transaction: BlobTransaction, digest: string): Promise<boolean>;
  /** Call after the transaction of `keep`, whether it failed or not: removes received bytes that are not needed. */
  settle(received: ReceivedBlob): Promise<void>;
  /** Received bytes, as they arrived, before they are kept. @throws MissingBytesError */
  readReceived(received: Pick<ReceivedBlob, "place" | "content">): AsyncIterable<Uint8Array>;
  /** Removes received bytes that will not be kept. */
  discard(received: Pick<ReceivedBlob, "place">): Promise<void>;
  /** Removes references, in the transaction that removes the records. */
  drop(transaction: BlobTransaction, digests: ReadonlyMap<string, number>): Promise<void>;
  /** `keep` and `drop` of many blobs, in few statements. */
  exchange(transaction: BlobTransaction, references: ExchangedReferences): Promise<void>;
  /**
   * Keeps existing blobs until then, even unreferenced: for clients that were told that the blobs exist and will name them soon.
   */
  hold(digests: readonly string[], until: number): Promise<void>;
  find(digest: string, db?: Kysely<BlobTables>): Promise<Blob | undefined>;
  /**
   * Opens it for reading. Bytes that do not match the digest are never returned whole.
   * @throws MissingBytesError, DamagedBlobError; the blob is then marked, and no longer found
   */
  open(blob: Blob): Promise<BlobReader>;
  /** Called with each blob that turns out to be damaged, for callers that cache blobs. */
  onDamaged(listen: (digest: string) => void): void;
}

export interface BlobsOptions {
  database: Pick<Database<BlobTables>, "db" | "kind">;
  store: ByteStore;
  /** Throws when the disk has room only for small writes. */
  requireRoom?: () => void;
  /** References were removed: the collector may find something. */
  onDropped?: () => void;
}

export function createBlobs(options: BlobsOptions): Blobs {
  const { database, store, requireRoom = () => {}, onDropped = () => {} } = options;
  const { db } = database;
  const checked = createCheckedPlaces();
  const listeners: ((digest: string) => void)[] = [];
  const markDamaged = async (blob: Blob) => {
    await writeDamage(db, blob);
    for (const listen of listeners) listen(blob.digest);
  };
  const exchange: Blobs["exchange"] = async (transaction, references) => {
    await exchangeReferences(transaction, database.kind, references);
    if (references.dropped.size > 0) onDropped();
  };
  return {
    receive(upload) {
      requireRoom();
      return new Upload(store, upload);
    },
    keep: (transaction, received) => keepReceived(transaction, [received]),
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
    readReceived: (received) => readReceived(store, received),
    async discard({ place }) {
      if (place !== null) await store.remove(place);
    },
    drop: (transaction, dropped) => exchange(transaction, { kept: [], dropped }),
    exchange,
    hold: (digests, until) => holdBlobs(database, digests, until),
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
    onDamaged: (listen) => void listeners.push(listen),
    open: (blob) => openBlob(blob, { store, checked, markDamaged }),
  };
}

const writeDamage = (db: Kysely<BlobTables>, { digest, place }: Blob) =>
  db
    .updateTable("blobs")
    .set({ is_damaged: 1 })
    .where("digest", "=", digest)
    // Another upload may have repaired it meanwhile.
    .where("place", place === null ? "is" : "=", place)
    .execute();

async function* readReceived(
  store: ByteStore,
  { place, content }: Pick<ReceivedBlob, "place" | "content">,
): AsyncIterable<Uint8Array> {
  if (place === null) return yield content ?? new Uint8Array(0);
  const reader = await store.open(place);
  try {
    yield* reader.chunks(0, reader.size);
  } finally {
    await reader.close();
  }
}

async function holdBlobs(
  database: BlobsOptions["database"],
  digests: readonly string[],
  until: number,
): Promise<void> {
  for (let start = 0; start < digests.length; start += DIGESTS_AT_ONCE)
    await inTransaction(
      database,
      async (transaction) => {
        const part = digests.slice(start, start + DIGESTS_AT_ONCE);
        await lockBlobs(transaction, database.kind, part);
        await transaction
          .updateTable("blobs")
          .set({ held_until: until })
          .where("digest", "in", part)
          .where("held_until", "<", until)
          .execute();
      },
      "read committed",
    );
}
