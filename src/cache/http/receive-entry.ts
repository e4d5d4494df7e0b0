/** Puts what a request's body has. */
import type { AnyRequest } from "#platform/http/connection.ts";
import type { CacheCall } from "./call.ts";
import { tooLarge } from "./failures.ts";
import { DISK_MS } from "./limits.ts";
import { readBody, readLength } from "./read-body.ts";

export interface ReceiveEntryOptions {
  meta?: string;
  /** The digest that the bytes must have. */
  digest?: string;
  /** Where it is less than for other entries. */
  maxBytes?: number;
}

/** When it resolves, the entry is durable; what is broken off leaves nothing. @returns its size */
export async function receiveEntry(
  call: CacheCall,
  key: string,
  { meta = "", digest, maxBytes = Number.POSITIVE_INFINITY }: ReceiveEntryOptions = {},
): Promise<number> {
  const { cache, grant, request } = call;
  const size = readLength(request);
  const refuseSize = () => tooLarge(`such an entry has at most ${maxBytes} bytes`);
  if ((size ?? 0) > maxBytes) throw refuseSize();
  const upload = cache.receive(grant, { size });
  const pace = call.admitUpload();
  if (pace) waitLonger(request);
  try {
    await readBody(call, async (chunk) => {
      call.receivedBytes += chunk.length;
      if (pace) {
        pace.receivedBytes = call.receivedBytes;
        pace.isHeld = true;
      }
      if (call.receivedBytes > maxBytes) throw refuseSize();
      await upload.write(chunk);
      if (pace) pace.isHeld = false;
    });
    const received = await upload.finish(digest);
    await cache.put(grant, key, received, meta);
    call.outcome = "stored";
    return received.size;
  } catch (error) {
    await upload.abort();
    throw error;
  }
}

/**
 * Nothing is sent in either direction while the disk writes; the guard looks after clients that are silent. Node sets the time
 * again for the next request.
 */
function waitLonger(request: AnyRequest): void {
  if (!("stream" in request)) request.socket.setTimeout(DISK_MS);
}
