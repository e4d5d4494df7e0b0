import { readBlob } from "#platform/blobs/read-blob.ts";
import { create } from "@bufbuild/protobuf";
import { decodeCounted } from "#platform/grpc/count-fields.ts";
import type { Cache, Grant } from "../../contract/cache.ts";
import { type BlobName, casKey, EMPTY_HASH, readDigest } from "../../messages/digests.ts";
import { type Directory, DirectorySchema } from "../../messages/gen/reapi/remote_execution_pb.ts";
import { MAX_DIRECTORIES, MAX_DIRECTORY_BYTES } from "../calls/limits.ts";

/** A directory and all below it, level by level, each once. Null stands for a missing directory, or one too many. */
export async function* walkDirectories(
  cache: Cache,
  grant: Grant,
  root: BlobName,
): AsyncIterable<Directory | null> {
  const seen = new Set([root.hash]);
  // A set iterates over elements that are added meanwhile.
  for (const hash of seen) {
    const directory = await readDirectory(cache, grant, hash);
    yield directory;
    for (const { digest } of directory?.directories ?? []) {
      const name = readDigest(digest);
      if (!name || seen.size >= MAX_DIRECTORIES) yield null;
      else seen.add(name.hash);
    }
  }
}

async function readDirectory(cache: Cache, grant: Grant, hash: string): Promise<Directory | null> {
  if (hash === EMPTY_HASH) return create(DirectorySchema);
  const entry = await cache.findPart(grant, casKey(hash));
  const bytes = entry && (await readBlob(cache.blobs, entry.blob, { maxBytes: MAX_DIRECTORY_BYTES }));
  if (!bytes) return null;
  try {
    return decodeCounted(DirectorySchema, bytes);
  } catch {
    return null;
  }
}
