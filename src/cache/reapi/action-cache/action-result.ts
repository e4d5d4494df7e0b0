/**
 * An action result is a hit only when every blob that it names is there: after a hit, a build cannot make missing blobs itself.
 * Looking them up counts as their use, so that they stay as long as the result.
 *
 *   result ─► files, stdout, stderr ─┐
 *        └──► trees ─► their files ──┴─► one query for all
 */
import { readBlob } from "#platform/blobs/read-blob.ts";
import { decodeWhole } from "#platform/grpc/count-fields.ts";
import { createMessageRoom } from "#platform/grpc/message-room.ts";
import type { Cache, Grant } from "../../contract/cache.ts";
import { casKey, type BlobName, EMPTY_HASH, readDigest } from "../../messages/digests.ts";
import {
  type ActionResult,
  ActionResultSchema,
  type Digest,
  type Directory,
} from "../../messages/gen/reapi/remote_execution_pb.ts";
import {
  MAX_ACTION_RESULT_BYTES,
  MAX_OUTPUTS,
  MAX_TREE_BYTES,
  TREE_FACTOR,
  TREES_BYTES,
  TREES_WAIT_MS,
  WALK_BYTES,
} from "../calls/limits.ts";
import { treeDirectories } from "../directories/tree-directories.ts";
import { walkDirectories } from "../directories/walk-directories.ts";

/** Reading a tree of 64 MB takes four times as much. */
const treeRoom = createMessageRoom({ bytes: TREES_BYTES, waitMs: TREES_WAIT_MS });

/** A result names something that cannot exist: a malformed digest, or too many. */
class IncompleteError extends Error {}

/**
 * @param bytes stored at `ac/<hash>`
 * @throws NoRoomError when too many other calls read trees
 * @returns null when they are not an action result, or a blob that it names is not in the namespaces of `grant`
 */
export async function completeActionResult(
  cache: Cache,
  grant: Grant,
  bytes: Uint8Array,
): Promise<ActionResult | null> {
  const result = decodeActionResult(bytes);
  if (!result) return null;
  try {
    const trees = result.outputDirectories.map(
      (directory) => directory.treeDigest ?? directory.rootDirectoryDigest,
    );
    const named = namesOf([
      ...result.outputFiles.map(({ digest }) => digest),
      ...trees,
      ...[result.stdoutDigest, result.stderrDigest].filter((digest) => digest !== undefined),
    ]);
    if (!(await areThere(cache, grant, named))) return null;
    if (trees.length === 0) return result;
    const place = treeRoom.take(grant.organizationId, bytesForTrees(result));
    try {
      await place.ready;
      return (await areThere(cache, grant, await namesInTrees(cache, grant, result))) ? result : null;
    } finally {
      place.release();
    }
  } catch (error) {
    if (error instanceof IncompleteError) return null;
    throw error;
  }
}

/** For a result whose trees are there, by the sizes in its digests. */
function bytesForTrees({ outputDirectories }: ActionResult): number {
  const sizes = outputDirectories.map(({ treeDigest }) =>
    treeDigest ? TREE_FACTOR * Number(treeDigest.sizeBytes) : WALK_BYTES,
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** @returns null for anything but an action result */
function decodeActionResult(bytes: Uint8Array): ActionResult | null {
  if (bytes.length > MAX_ACTION_RESULT_BYTES) return null;
  try {
    return decodeWhole(ActionResultSchema, bytes);
  } catch {
    return null;
  }
}

async function namesInTrees(
  cache: Cache,
  grant: Grant,
  { outputDirectories }: ActionResult,
): Promise<Map<string, number>> {
  const digests: (Digest | undefined)[] = [];
  const add = (more: readonly { digest?: Digest | undefined }[]) => {
    if (digests.length + more.length > MAX_OUTPUTS) throw new IncompleteError();
    for (const { digest } of more) digests.push(digest);
  };
  for (const { treeDigest, rootDirectoryDigest } of outputDirectories) {
    if (treeDigest) {
      const tree = await readTree(cache, grant, nameOf(treeDigest));
      for await (const { files } of decodedTree(tree)) add(files);
      continue;
    }
    for await (const directory of walkDirectories(cache, grant, nameOf(rootDirectoryDigest))) {
      if (!directory) throw new IncompleteError();
      add(directory.files);
    }
  }
  return namesOf(digests);
}

async function readTree(cache: Cache, grant: Grant, { hash }: BlobName): Promise<Uint8Array> {
  if (hash === EMPTY_HASH) return new Uint8Array(0);
  const entry = await cache.findPart(grant, casKey(hash));
  const bytes = entry && (await readBlob(cache.blobs, entry.blob, { maxBytes: MAX_TREE_BYTES }));
  if (!bytes) throw new IncompleteError();
  return bytes;
}

async function* decodedTree(bytes: Uint8Array): AsyncIterable<Directory> {
  try {
    yield* treeDirectories(bytes);
  } catch (cause) {
    throw new IncompleteError("A tree is malformed.", { cause });
  }
}

function nameOf(digest: Digest | undefined): BlobName {
  const name = readDigest(digest);
  if (!name) throw new IncompleteError();
  return name;
}

/** Sizes by hash, without the empty blob. */
function namesOf(digests: readonly (Digest | undefined)[]): Map<string, number> {
  const names = new Map<string, number>();
  for (const digest of digests) {
    const { hash, size } = nameOf(digest);
    if (hash !== EMPTY_HASH) names.set(hash, size);
  }
  return names;
}

async function areThere(cache: Cache, grant: Grant, names: ReadonlyMap<string, number>): Promise<boolean> {
  if (names.size === 0) return true;
  if (names.size > MAX_OUTPUTS) return false;
  const sizes = await cache.findMany(grant, [...names.keys()].map(casKey));
  for (const [hash, size] of names) if (sizes.get(casKey(hash)) !== size) return false;
  return true;
}
