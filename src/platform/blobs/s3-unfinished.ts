/** Multipart uploads that were never finished because their server was killed. S3 keeps, and bills, their parts until they are aborted. */
import type { MultipartUpload } from "@aws-sdk/client-s3";
import type { Bucket } from "./s3-bucket.ts";

/** @param before milliseconds since 1970: another replica may still be writing later uploads */
export async function removeUnfinishedParts(bucket: Bucket, prefix: string, before: number): Promise<void> {
  const { sdk, client, name } = bucket;
  for await (const uploads of listUploads(bucket, prefix))
    for (const { Key, UploadId, Initiated } of uploads)
      if (Initiated && Initiated.getTime() < before)
        await client
          .send(new sdk.AbortMultipartUploadCommand({ Bucket: name, Key, UploadId }))
          // Someone else has ended it, or the next hour retries; the rest continues.
          .catch(() => {});
}

async function* listUploads(
  { sdk, client, name }: Bucket,
  prefix: string,
): AsyncIterable<readonly MultipartUpload[]> {
  let marker: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } = {};
  for (;;) {
    const page = await client
      .send(new sdk.ListMultipartUploadsCommand({ Bucket: name, Prefix: prefix, ...marker }))
      // Some stores and some permissions have no such list; then the bucket's own rules must remove uploads.
      .catch(() => null);
    if (!page) return;
    yield page.Uploads ?? [];
    const { IsTruncated, NextKeyMarker, NextUploadIdMarker } = page;
    if (!IsTruncated || NextKeyMarker === undefined) return;
    marker = { KeyMarker: NextKeyMarker, UploadIdMarker: NextUploadIdMarker };
  }
}
