/**
 * Sends an entry that was found: whole or a part, with back pressure. Until the first piece is verified, a damaged entry is a
 * miss; after that, the connection is cut.
 */
import { isLost } from "#platform/blobs/read-blob.ts";
import type { FoundEntry } from "../contract/cache.ts";
import { type Headers, sendEmpty, sendText } from "#platform/http/node/answer.ts";
import { choosePart, type ContentPart, sendHead, sendPart } from "#platform/http/node/send-content.ts";
import type { CacheCall } from "./call.ts";
import { CacheFailure } from "./failures.ts";

export function sendMiss(call: CacheCall): void {
  call.outcome = "miss";
  sendText(call, MISS, { status: 404, type: "application/json" });
}

const MISS = JSON.stringify({ code: "not_found", message: "this entry is not in the cache" });

/** @param describe headers that the tool wants with it */
export async function sendFound(
  call: CacheCall,
  key: string,
  describe: (entry: FoundEntry) => Headers = () => ({}),
): Promise<void> {
  const { cache, grant } = call;
  const entry = await cache.find(grant, key);
  if (!entry) return sendMiss(call);
  await sendEntry(call, entry, describe(entry));
}

type SentEntry = Pick<FoundEntry, "key" | "blob">;

export async function sendEntry(call: CacheCall, entry: SentEntry, more: Headers = {}): Promise<void> {
  const { request, headers } = call;
  const { size, digest } = entry.blob;
  const etag = `"${digest}"`;
  const head = {
    ...headers,
    "content-type": "application/octet-stream",
    "accept-ranges": "bytes",
    etag,
    ...more,
  };
  call.outcome = "hit";
  const part = choosePart(request, { size, etag, head });
  if (part === "known") return sendEmpty(call, 304, head);
  if (part === "unsatisfiable")
    throw new CacheFailure([416, "invalid_argument"], `this entry has ${size} bytes`, {
      "content-range": `bytes */${size}`,
    });
  if (request.method === "HEAD") return sendHead(call, part);
  await sendBytes(call, entry, part);
}

async function sendBytes(call: CacheCall, { key, blob }: SentEntry, part: ContentPart): Promise<void> {
  const { cache, grant } = call;
  try {
    await sendPart(call, blob, part, () => cache.blobs.open(blob));
  } catch (error) {
    if (isLost(error)) {
      cache.countMiss(grant, key);
      if (call.sentBytes === 0) return sendMiss(call);
      call.outcome = "failed";
    }
    // Part of the answer was sent, and the rest cannot follow: the caller cuts the connection.
    throw error;
  }
}
