/**
 * References of blobs, in a transaction. Rows are locked in the order of their digests, so that transactions on the same rows
 * cannot deadlock.
 */
import { sql } from "kysely";
import type { DatabaseKind } from "../database/columns.ts";
import { DIGESTS_AT_ONCE } from "./limits.ts";
import type { BlobEncoding, BlobTransaction } from "./schema.ts";
import type { ReceivedBlob } from "./upload.ts";

export interface ExchangedReferences {
  kept: readonly ReceivedBlob[];
  dropped: ReadonlyMap<string, number>;
}

const inOrder = (digests: Iterable<string>) => [...new Set(digests)].toSorted();

/** Locks existing rows. Not needed for SQLite, which has a single writer. */
export async function lockBlobs(
  transaction: BlobTransaction,
  kind: DatabaseKind,
  digests: Iterable<string>,
): Promise<void> {
  const sorted = inOrder(digests);
  if (kind === "sqlite" || sorted.length < 2) return;
  for (let start = 0; start < sorted.length; start += DIGESTS_AT_ONCE)
    await transaction
      .selectFrom("blobs")
      .select("digest")
      .where("digest", "in", sorted.slice(start, start + DIGESTS_AT_ONCE))
      .orderBy("digest")
      .forUpdate()
      .execute();
}

export async function exchangeReferences(
  transaction: BlobTransaction,
  kind: DatabaseKind,
  { kept, dropped }: ExchangedReferences,
): Promise<void> {
  // Without dropped references, `keepReceived` inserts in this order anyway.
  if (dropped.size > 0)
    await lockBlobs(transaction, kind, [...kept.map(({ digest }) => digest), ...dropped.keys()]);
  await keepReceived(transaction, kept);
  await dropReferences(transaction, dropped);
}

/** Adds a reference per received blob. */
export async function keepReceived(
  transaction: BlobTransaction,
  received: readonly ReceivedBlob[],
): Promise<void> {
  if (received.length === 0) return;
  const all = Map.groupBy(received, ({ digest }) => digest);
  const mended = <Value>(column: string) =>
    sql<Value>`case when blobs.is_damaged = 1 then excluded.${sql.ref(column)} else blobs.${sql.ref(column)} end`;
  const firsts = inOrder(all.keys()).flatMap((digest) => all.get(digest)?.[0] ?? []);
  const kept = await transaction
    .insertInto("blobs")
    .values(
      firsts.map(({ digest, size, storedBytes, encoding, place }) => ({
        digest,
        size,
        stored_bytes: storedBytes,
        encoding,
        place,
        reference_count: all.get(digest)?.length ?? 0,
        held_until: 0,
        is_damaged: 0 as const,
      })),
    )
    .onConflict((conflict) =>
      conflict.column("digest").doUpdateSet((column) => ({
        reference_count: sql`${column.ref("blobs.reference_count")} + excluded.reference_count`,
        place: mended<string | null>("place"),
        encoding: mended<BlobEncoding>("encoding"),
        stored_bytes: mended<number>("stored_bytes"),
        is_damaged: 0,
      })),
    )
    .returning(["digest", "place", "encoding", "stored_bytes"])
    .execute();
  const rows = new Map(kept.map((row) => [row.digest, row]));
  // Existing rows stay, and may store their bytes in another form.
  const contents = firsts.flatMap(({ digest, content, encoding, storedBytes }) => {
    const row = rows.get(digest);
    const isKeptSo = row?.place === null && row.encoding === encoding && row.stored_bytes === storedBytes;
    return content !== null && isKeptSo ? [{ digest, content }] : [];
  });
  if (contents.length === 0) return;
  await transaction
    .insertInto("blob_contents")
    .values(contents)
    .onConflict((conflict) => conflict.column("digest").doNothing())
    .execute();
}

/** One statement per distinct count. */
async function dropReferences(
  transaction: BlobTransaction,
  digests: ReadonlyMap<string, number>,
): Promise<void> {
  for (const [count, dropped] of Map.groupBy(digests.keys(), (digest) => digests.get(digest) ?? 0))
    for (let start = 0; start < dropped.length; start += DIGESTS_AT_ONCE)
      await transaction
        .updateTable("blobs")
        .set((column) => ({ reference_count: column("reference_count", "-", count) }))
        .where("digest", "in", dropped.slice(start, start + DIGESTS_AT_ONCE))
        .execute();
}
