/** Puts the body of a request. */
import { takeUpload } from "#platform/http/node/take-body.ts";
import type { CacheCall } from "./call.ts";
import { tooLarge } from "./failures.ts";
import { readLength } from "./read-body.ts";

export interface ReceiveEntryOptions {
  meta?: string;
  /** The digest that the bytes must have. */
  digest?: string;
  /** If it is less than for other entries. */
  maxBytes?: number;
}

/** When it resolves, the entry is durable; a broken-off upload leaves nothing. @returns its size */
export async function receiveEntry(
  call: CacheCall,
  key: string,
  { meta = "", digest, maxBytes = Number.POSITIVE_INFINITY }: ReceiveEntryOptions = {},
): Promise<number> {
  const { cache, grant, request } = call;
  const size = readLength(request);
  const refuseSize = () => tooLarge(`this kind of entry can have at most ${maxBytes} bytes`);
  if ((size ?? 0) > maxBytes) throw refuseSize();
  const upload = cache.receive(grant, { size });
  try {
    await takeUpload(call, call.admitUpload(), async (pieces) => {
      for (const { length } of pieces) call.receivedBytes += length;
      if (call.receivedBytes > maxBytes) throw refuseSize();
      await upload.writeAll(pieces);
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
