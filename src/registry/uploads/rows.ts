/** Uploads in the database: each has parts, which are durable, in their order. */
import { randomBytes } from "node:crypto";
import { inTransaction } from "#platform/database/database.ts";
import type { ReceivedBlob } from "#platform/blobs/upload.ts";
import { MAX_UPLOAD_PARTS, UPLOAD_MS } from "../contract/limits.ts";
import type { Repository, UploadState } from "../contract/registry.ts";
import { RegistryError } from "../contract/registry-error.ts";
import { ensureRepository } from "../blobs/rows.ts";
import type { RegistryDatabase, RegistryTransaction } from "../contract/schema.ts";

type Named = Readonly<{ repository: Repository; id: string }>;

export async function addUpload(
  database: RegistryDatabase,
  repository: Repository,
  now: number,
): Promise<UploadState> {
  const id = `upl_${randomBytes(16).toString("hex")}`;
  const row = { id, repository_id: repository.id, started_at: now, received_bytes: 0 };
  await inTransaction(database, async (transaction) => {
    await ensureRepository(transaction, repository, now);
    await transaction.insertInto("registry_uploads").values(row).execute();
  });
  return { id, receivedBytes: 0 };
}

/** Uploads of the repository, and of its whole organization, that have not expired. */
export async function countUploads(
  { db }: RegistryDatabase,
  { id, organizationId }: Repository,
  now: number,
): Promise<{ own: number; all: number }> {
  const counted = await db
    .selectFrom("registry_uploads")
    .select(({ fn, eb }) => [
      fn.countAll<number>().as("all"),
      fn.sum<number | null>(eb.case().when("repository_id", "=", id).then(1).else(0).end()).as("own"),
    ])
    .where("repository_id", "in", (repositories) =>
      repositories
        .selectFrom("registry_repositories")
        .select("registry_repositories.id")
        .where("organization_id", "=", organizationId)
        .where("mirror", "=", ""),
    )
    .where("started_at", ">", now - UPLOAD_MS)
    .executeTakeFirstOrThrow();
  return { own: counted.own ?? 0, all: counted.all };
}

/** @throws RegistryError BLOB_UPLOAD_UNKNOWN: unknown, another repository's, or too old */
export async function findUpload(
  { db }: Pick<RegistryDatabase, "db">,
  { repository, id }: Named,
  now: number,
): Promise<UploadState> {
  const row = await db
    .selectFrom("registry_uploads")
    .select("received_bytes")
    .where("id", "=", id)
    .where("repository_id", "=", repository.id)
    .where("started_at", ">", now - UPLOAD_MS)
    .executeTakeFirst();
  if (!row) throw unknownUpload(id);
  return { id, receivedBytes: row.received_bytes };
}

export async function findParts({ db }: Pick<RegistryDatabase, "db">, id: string): Promise<ReceivedBlob[]> {
  const rows = await db
    .selectFrom("registry_upload_parts")
    .select(["digest", "size", "place", "content"])
    .where("upload_id", "=", id)
    .orderBy("number")
    .execute();
  return rows.map((row) => ({ ...row, storedBytes: row.size, encoding: "identity" }));
}

/**
 * Adds a part after the others.
 * @throws RegistryError when the upload is gone, or another part took this one's place meanwhile
 */
export function addPart(
  database: RegistryDatabase,
  upload: Named & UploadState & { now: number },
  part: ReceivedBlob,
): Promise<UploadState> {
  const { id, receivedBytes } = upload;
  return inTransaction(database, async (transaction) => {
    const now = await findUpload({ db: transaction }, upload, upload.now);
    if (now.receivedBytes !== receivedBytes) throw outOfOrder(now);
    const last = await transaction
      .selectFrom("registry_upload_parts")
      .select("number")
      .where("upload_id", "=", id)
      .orderBy("number", "desc")
      .limit(1)
      .executeTakeFirst();
    const number = (last?.number ?? 0) + 1;
    if (number > MAX_UPLOAD_PARTS) throw tooManyParts();
    const { place, content, size, digest } = part;
    await transaction
      .insertInto("registry_upload_parts")
      .values({ upload_id: id, number, place, content, size, digest })
      .execute();
    const received_bytes = receivedBytes + size;
    await transaction.updateTable("registry_uploads").set({ received_bytes }).where("id", "=", id).execute();
    return { id, receivedBytes: received_bytes };
  });
}

/** The caller that removes the records owns the files. */
export async function removeUploads(
  transaction: RegistryTransaction,
  ids: readonly string[],
): Promise<{ place: string | null }[]> {
  if (ids.length === 0) return [];
  const parts = await transaction
    .selectFrom("registry_upload_parts")
    .select("place")
    .where("upload_id", "in", ids)
    .execute();
  await transaction.deleteFrom("registry_upload_parts").where("upload_id", "in", ids).execute();
  await transaction.deleteFrom("registry_uploads").where("id", "in", ids).execute();
  return parts;
}

export const unknownUpload = (id: string) =>
  new RegistryError(
    "BLOB_UPLOAD_UNKNOWN",
    `there is no upload ${id.slice(0, 100)} in this repository: it has ended, was canceled, or took longer than a day; start another upload`,
  );

export function outOfOrder({ id, receivedBytes }: UploadState): RegistryError {
  return new RegistryError(
    "BLOB_UPLOAD_INVALID",
    `this upload has ${receivedBytes} bytes, so the next chunk must begin at ${receivedBytes}`,
    { status: 416, headers: { range: rangeOf(receivedBytes), "docker-upload-uuid": id } },
  );
}

/** The received bytes in the form of `Range`: the last byte is part of it. */
export const rangeOf = (receivedBytes: number): string => `0-${Math.max(0, receivedBytes - 1)}`;

const tooManyParts = () =>
  new RegistryError(
    "BLOB_UPLOAD_INVALID",
    `an upload can have at most ${MAX_UPLOAD_PARTS} chunks; send larger chunks`,
    { status: 413 },
  );
