/**
 * Incoming blobs:
 *
 *   begin ─► append ─► … ─► finish     each append is a part: durable, so that its client can continue after it
 *   put                                all in one request: no record until the blob is stored
 *
 * Code that removes the records of an upload, in a transaction, also removes its files.
 */
import type { ReceivedBlob } from "#platform/blobs/upload.ts";
import { MAX_UPLOADS, MAX_UPLOADS_OF_ORGANIZATION } from "../contract/limits.ts";
import type { RegistryParts } from "../contract/parts.ts";
import { payerOf } from "../blobs/quota.ts";
import type { Grant, Repository, Uploads, UploadState } from "../contract/registry.ts";
import { RegistryError } from "../contract/registry-error.ts";
import { endUpload, finishUpload, putBlob } from "./end.ts";
import { receiveChunk, requireAlgorithm } from "./receive.ts";
import { createTurns } from "./turns.ts";
import { addPart, addUpload, countUploads, findUpload } from "./rows.ts";

export function createUploads(parts: RegistryParts): Uploads {
  const { database, clock, quota } = parts;
  const find = ({ repository }: Grant, id: string) => findUpload(database, { repository, id }, clock());
  const inTurn = createTurns();
  return {
    async begin({ repository }) {
      await quota.room(payerOf(repository));
      refuseTooMany(await countUploads(database, repository, clock()));
      return addUpload(database, repository, clock());
    },
    find,
    async append(grant, id, chunk) {
      const { repository } = grant;
      const upload = await find(grant, id);
      const onBrokenOff = (part: ReceivedBlob) => keepBroken(parts, { repository, upload }, part);
      const part = await receiveChunk(parts, { repository, upload, chunk, algorithm: "sha256", onBrokenOff });
      return part ? append(parts, { repository, upload }, part) : upload;
    },
    async finish(grant, id, { digest, chunk }) {
      const { repository } = grant;
      const algorithm = requireAlgorithm(digest);
      const upload = await find(grant, id);
      const onBrokenOff = (part: ReceivedBlob) => keepBroken(parts, { repository, upload }, part);
      const last =
        chunk && (await receiveChunk(parts, { repository, upload, chunk, algorithm, onBrokenOff }));
      if (last && upload.receivedBytes === 0)
        return finishUpload(parts, { repository, upload, digest, whole: last });
      if (last) await append(parts, { repository, upload }, last);
      // All of it is read and written once more: concurrent ends of one upload would write it as many times.
      await inTurn(id, async () =>
        finishUpload(parts, { repository, upload: await find(grant, id), digest }),
      );
    },
    async put({ repository }, { digest, chunk }) {
      const algorithm = requireAlgorithm(digest);
      const upload = { id: "", receivedBytes: 0 };
      const received = await receiveChunk(parts, { repository, upload, chunk, algorithm });
      await putBlob(parts, { repository, digest }, received);
    },
    cancel: ({ repository }, id) => endUpload(parts, { repository, id }),
  };
}

interface Continued {
  repository: Repository;
  upload: UploadState;
}

async function append(
  parts: RegistryParts,
  { repository, upload }: Continued,
  part: ReceivedBlob,
): Promise<UploadState> {
  const { database, clock, quota } = parts;
  try {
    const next = await addPart(database, { ...upload, repository, now: clock() }, part);
    quota.add(payerOf(repository), part.size);
    return next;
  } catch (error) {
    await discardUnnamed(parts, part);
    throw error;
  }
}

/** The client has gone, so the result is not reported. */
const keepBroken = async (parts: RegistryParts, continued: Continued, part: ReceivedBlob) =>
  void (await append(parts, continued, part).catch(() => {}));

/** A transaction that seemed to fail may have been committed. Leftovers are collected after a day. */
async function discardUnnamed(parts: RegistryParts, { place }: ReceivedBlob): Promise<void> {
  if (place === null) return;
  const find = parts.database.db
    .selectFrom("registry_upload_parts")
    .select("upload_id")
    .where("place", "=", place)
    .executeTakeFirst();
  await find
    .then(async (row) => {
      if (!row) await parts.blobs.discard({ place });
    })
    .catch(() => {});
}

function refuseTooMany({ own, all }: { own: number; all: number }): void {
  if (own < MAX_UPLOADS && all < MAX_UPLOADS_OF_ORGANIZATION) return;
  const whose = own < MAX_UPLOADS ? "organization" : "repository";
  throw new RegistryError(
    "TOOMANYREQUESTS",
    `this ${whose} has ${own < MAX_UPLOADS ? all : own} uploads in progress; finish or cancel some, or wait until they expire`,
    // They end after a day; other uploads may end in a minute.
    { headers: { "retry-after": "60" } },
  );
}
