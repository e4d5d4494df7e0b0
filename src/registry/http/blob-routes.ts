/** `/blobs/<digest>` */
import { isLost } from "#platform/blobs/read-blob.ts";
import type { Blob } from "#platform/blobs/blobs.ts";
import { sendEmpty } from "#platform/http/node/answer.ts";
import { choosePart, type ContentPart, sendHead, sendPart } from "#platform/http/node/send-content.ts";
import { RegistryError } from "../contract/registry-error.ts";
import { requireAlgorithm } from "../uploads/receive.ts";
import type { RegistryCall, RegistryRoute } from "./call.ts";

export const blobRoutes: readonly RegistryRoute[] = [
  {
    path: /^\/blobs\/([^/]+)$/,
    example: `/blobs/sha256:${"0".repeat(64)}`,
    methods: { GET: { right: "pull", answer: get }, DELETE: { right: "push", answer: remove } },
  },
];

/** The blob is there now, whoever pushed it. */
export function sendPutBlob(call: RegistryCall, digest: string): void {
  call.outcome = "pushed";
  sendEmpty(call, 201, { location: `${call.base}/blobs/${digest}`, "docker-content-digest": digest });
}

async function get(call: RegistryCall, written = ""): Promise<void> {
  const { registry, grant, request } = call;
  const digest = readDigest(written);
  const blob = await registry.repositoryBlobs.find(grant, digest);
  if (!blob) throw unknownBlob(digest);
  const { size } = blob;
  const etag = `"${digest}"`;
  const head = {
    ...call.headers,
    "content-type": "application/octet-stream",
    "accept-ranges": "bytes",
    "cache-control": "private, max-age=31536000, immutable",
    "docker-content-digest": digest,
    etag,
  };
  call.outcome = "pulled";
  const part = choosePart(request, { size, etag, head });
  if (part === "known") return sendEmpty(call, 304, head);
  if (part === "unsatisfiable") throw unsatisfiable(size);
  if (request.method === "HEAD") return sendHead(call, part);
  const location = await registry.repositoryBlobs.addressOf(blob);
  // The address works for some minutes, for anyone who has it: it must not be cached.
  if (location !== null) return sendEmpty(call, 307, { location, "cache-control": "no-store" });
  await sendBytes(call, blob, part);
}

async function remove(call: RegistryCall, written = ""): Promise<void> {
  const digest = readDigest(written);
  if (!(await call.registry.repositoryBlobs.remove(call.grant, digest))) throw unknownBlob(digest);
  call.outcome = "deleted";
  sendEmpty(call, 202);
}

async function sendBytes(call: RegistryCall, blob: Blob, part: ContentPart): Promise<void> {
  try {
    await sendPart(call, blob, part, () => call.registry.blobs.open(blob));
  } catch (error) {
    // Nothing was sent yet: the client may push the blob again.
    if (isLost(error) && call.sentBytes === 0) throw unknownBlob(blob.digest);
    throw error;
  }
}

/** Some clients write the colon of a digest as `%3A`. */
function readDigest(written: string): string {
  const digest = written.replace(/%3a/i, ":");
  requireAlgorithm(digest);
  return digest;
}

const unknownBlob = (digest: string) =>
  new RegistryError("BLOB_UNKNOWN", `this repository has no blob ${digest}; push the image again`);

const unsatisfiable = (size: number) =>
  new RegistryError("SIZE_INVALID", `this blob has ${size} bytes; request a range of them`, {
    status: 416,
    headers: { "content-range": `bytes */${size}` },
  });
