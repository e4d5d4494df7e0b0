import type { Cache, FoundEntry } from "../cache.ts";
import { isUnreadable } from "./send-entry.ts";

/** All bytes of a small entry; null when they are damaged. */
export async function readContent(
  { blobs }: Pick<Cache, "blobs">,
  { blob }: Pick<FoundEntry, "blob">,
): Promise<Uint8Array | null> {
  if (blob.content && blob.encoding === "identity") return blob.content;
  try {
    const reader = await blobs.open(blob);
    try {
      const chunks: Uint8Array[] = [];
      for await (const chunk of reader.bytes()) chunks.push(chunk);
      return Buffer.concat(chunks);
    } finally {
      await reader.close();
    }
  } catch (error) {
    if (isUnreadable(error)) return null;
    throw error;
  }
}
