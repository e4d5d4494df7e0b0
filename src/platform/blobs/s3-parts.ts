import type { CompletedPart } from "@aws-sdk/client-s3";
import type { ByteWriter } from "./byte-store.ts";
import type { Bucket } from "./s3-bucket.ts";

/** Bytes held in memory per upload; S3 accepts 10,000 parts of at least 5 MB. */
const PART_BYTES = 8 * 1024 * 1024;

/** Writes one object, in one request when it is small. */
export function createPartWriter(bucket: Bucket, place: string): ByteWriter {
  const { sdk, client, name } = bucket;
  const at = { Bucket: name, Key: bucket.keyOf(place) };
  const parts: CompletedPart[] = [];
  let held = Buffer.allocUnsafe(0);
  let heldBytes = 0;
  let uploadId: string | undefined;
  let isFinished = false;

  /** Copies, because the caller reuses the chunk's memory. */
  function hold(chunk: Uint8Array): void {
    const end = heldBytes + chunk.length;
    if (end > held.length) held = Buffer.concat([held], Math.max(end, Math.min(2 * held.length, PART_BYTES)));
    held.set(chunk, heldBytes);
    heldBytes = end;
  }

  function takeHeld(): Buffer {
    const body = held.subarray(0, heldBytes);
    held = Buffer.allocUnsafe(0);
    heldBytes = 0;
    return body;
  }

  async function sendPart(): Promise<void> {
    uploadId ??= (await client.send(new sdk.CreateMultipartUploadCommand(at))).UploadId;
    const PartNumber = parts.length + 1;
    const part = { ...at, UploadId: uploadId, PartNumber, Body: takeHeld() };
    const { ETag } = await client.send(new sdk.UploadPartCommand(part));
    parts.push({ ETag, PartNumber });
  }

  return {
    place,
    async write(chunks) {
      for (const chunk of chunks) {
        hold(chunk);
        if (heldBytes >= PART_BYTES) await sendPart();
      }
    },
    async finish() {
      if (uploadId === undefined) await client.send(new sdk.PutObjectCommand({ ...at, Body: takeHeld() }));
      else {
        if (heldBytes > 0) await sendPart();
        const completed = { ...at, UploadId: uploadId, MultipartUpload: { Parts: parts } };
        await client.send(new sdk.CompleteMultipartUploadCommand(completed));
      }
      isFinished = true;
    },
    async abort() {
      takeHeld();
      const aborting: Promise<unknown> =
        isFinished || uploadId === undefined
          ? client.send(new sdk.DeleteObjectCommand(at))
          : client.send(new sdk.AbortMultipartUploadCommand({ ...at, UploadId: uploadId }));
      // The caller must see the earlier error; leftovers are removed after a day.
      await aborting.catch(() => {});
    },
  };
}
