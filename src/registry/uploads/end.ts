/** The ends of an upload: a blob, or nothing. */
import { MissingBytesError } from "#platform/blobs/byte-store.ts";
import { type ReceivedBlob, UploadError } from "#platform/blobs/upload.ts";
import { inTransaction } from "#platform/database/database.ts";
import type { RegistryParts } from "../contract/parts.ts";
import { payerOf } from "../blobs/quota.ts";
import type { Repository, UploadState } from "../contract/registry.ts";
import type { RegistryError } from "../contract/registry-error.ts";
import { nameReceived } from "../blobs/rows.ts";
import { combineParts } from "./receive.ts";
import { findParts, findUpload, outOfOrder, removeUploads, unknownUpload } from "./rows.ts";

type Places = readonly Pick<ReceivedBlob, "place">[];

interface Finishing {
  repository: Repository;
  upload: UploadState;
  digest: string;
  /** The whole blob, if it arrived with the last request; otherwise the upload has parts. */
  whole?: ReceivedBlob;
}

export async function finishUpload(parts: RegistryParts, finishing: Finishing): Promise<void> {
  const { database, blobs, clock, quota } = parts;
  const { repository, upload, digest, whole } = finishing;
  const { id } = upload;
  const named = { repository, id };
  const pieces = whole ? [whole] : await findParts(database, id);
  const receivedBytes = whole ? 0 : pieces.reduce((sum, { size }) => sum + size, 0);
  if (!whole) await quota.room(payerOf(repository), 0);
  const received = await combineParts(blobs, pieces, digest).catch(async (error: unknown) => {
    if (whole) await discardAll(parts, [whole]);
    if (error instanceof MissingBytesError) throw await endLost(parts, named);
    if (error instanceof UploadError) await endUpload(parts, named);
    throw error;
  });
  // A part stays with the records of the upload until these are removed.
  const isPart = !whole && pieces.includes(received);
  if (isPart && (await isLost(parts, received))) throw await endLost(parts, named);
  const { places, isNew } = await inTransaction(database, async (transaction) => {
    const now = await findUpload({ db: transaction }, named, clock());
    if (now.receivedBytes !== receivedBytes) throw outOfOrder(now);
    const isNew = await nameReceived(transaction, blobs, { repository, received, now: clock() });
    return { isNew, places: await removeUploads(transaction, [id]) };
  }).catch(async (error: unknown) => {
    if (!isPart) await settle(parts, received);
    throw error;
  });
  quota.add(payerOf(repository), (isNew ? received.size : 0) - receivedBytes);
  await settle(parts, received);
  await discardAll(
    parts,
    places.filter(({ place }) => place !== received.place),
  );
}

/** A restored backup has the records of uploads that were under way, but not their files. */
const isLost = async ({ store }: RegistryParts, { place }: ReceivedBlob): Promise<boolean> =>
  place !== null && (await store.writtenAt(place)) === null;

/** @throws RegistryError also when another request has ended it meanwhile */
async function endLost(
  parts: RegistryParts,
  named: { repository: Repository; id: string },
): Promise<RegistryError> {
  await endUpload(parts, named);
  return unknownUpload(named.id);
}

export async function putBlob(
  parts: RegistryParts,
  { repository, digest }: { repository: Repository; digest: string },
  piece: ReceivedBlob | null,
): Promise<void> {
  const { database, blobs, clock, quota } = parts;
  const received = await combineParts(blobs, piece ? [piece] : [], digest).catch(async (error: unknown) => {
    await discardAll(parts, piece ? [piece] : []);
    throw error;
  });
  try {
    const isNew = await inTransaction(database, (transaction) =>
      nameReceived(transaction, blobs, { repository, received, now: clock() }),
    );
    if (isNew) quota.add(payerOf(repository), received.size);
  } finally {
    await settle(parts, received);
  }
}

/** Ends an upload whose bytes are no longer of use. @throws RegistryError BLOB_UPLOAD_UNKNOWN */
export async function endUpload(
  parts: RegistryParts,
  { repository, id }: { repository: Repository; id: string },
): Promise<void> {
  const { database, clock, quota } = parts;
  const removed = await inTransaction(database, async (transaction) => {
    const { receivedBytes } = await findUpload({ db: transaction }, { repository, id }, clock());
    return { places: await removeUploads(transaction, [id]), receivedBytes };
  });
  quota.add(payerOf(repository), -removed.receivedBytes);
  await discardAll(parts, removed.places);
}

/** Files that no record names any more. The request is answered as if it had worked: leftovers are collected after a day. */
export async function discardAll(
  { blobs, log }: Pick<RegistryParts, "blobs" | "log">,
  places: Places,
): Promise<void> {
  try {
    for (const place of places) await blobs.discard(place);
  } catch (error) {
    log.warn("Could not remove the files of an upload. They will be removed after a day.", { error });
  }
}

const settle = ({ blobs, log }: RegistryParts, received: ReceivedBlob) =>
  blobs
    .settle(received)
    .catch((error: unknown) =>
      log.warn("Could not remove the file of an upload. It will be removed after a day.", { error }),
    );
