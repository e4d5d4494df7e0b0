import { join } from "node:path";
import type { ByteStore } from "#platform/blobs/byte-store.ts";
import { openDiskStore } from "#platform/blobs/disk-store.ts";
import { openS3Store } from "#platform/blobs/s3-store.ts";
import type { BlobEnvironment } from "./variables.ts";
import { UserError } from "#platform/environment/user-error.ts";

/** In `DATA_DIR`: a backup copies its files after the records, unchanged, even if one looks like a database. */
export const BLOB_FOLDER = "blobs";

/** Opens the blob storage, and removes unfinished writes. @throws UserError that says what to set */
export async function openBlobStore({
  DATA_DIR,
  MILLRACE_BLOB_URL: s3,
}: BlobEnvironment & { DATA_DIR: string }): Promise<ByteStore> {
  const folder = join(DATA_DIR, BLOB_FOLDER);
  try {
    const store = s3 ? await openS3Store(s3) : await openDiskStore(folder);
    await store.removeUnfinished();
    return store;
  } catch (error) {
    if (s3)
      throw new UserError(
        `Blobs cannot be stored in the bucket ${s3.bucket} (${reasonOf(error)}): ${remedyOf(error)}`,
      );
    throw new UserError(
      `Blobs cannot be stored in ${folder} (${reasonOf(error)}): set DATA_DIR to a folder that this user can write.`,
    );
  }
}

/** S3 answers a HEAD request for a bucket with a status and no message. */
function remedyOf(error: unknown): string {
  if (reasonOf(error).includes("credentials"))
    return "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give this machine a role.";
  switch (statusOf(error)) {
    case 301:
      return "it is in another region; name it in MILLRACE_BLOB_URL: ?region=eu-central-1.";
    case 404:
      return "create the bucket, or correct its name in MILLRACE_BLOB_URL.";
    case 400:
    case 401:
    case 403:
      return "correct AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY; they must be allowed to list the bucket, and to read, write and delete its objects.";
    default:
      return "correct MILLRACE_BLOB_URL, or start the store that its endpoint names.";
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  const status = statusOf(error);
  const message = error instanceof Error ? error.message : String(error);
  return status === undefined ? message : `status ${status}`;
}

/** The SDK adds it to its errors. */
const statusOf = (error: unknown): number | undefined =>
  (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
