/** ContentAddressableStorage: blobs by their digests, many in one call. Each blob of a batch has a status of its own. */
import { create, toBinary } from "@bufbuild/protobuf";
import type { RawCall } from "#platform/grpc/raw-call.ts";
import { unary, uploading } from "#platform/grpc/raw-methods.ts";
import type { Cache, Grant } from "../../contract/cache.ts";
import { type Caller, grantCaller } from "../calls/caller.ts";
import { casKey, EMPTY_HASH, requireDigest } from "../../messages/digests.ts";
import { invalid } from "../calls/errors.ts";
import {
  BatchUpdateBlobsResponseSchema,
  Compressor_Value,
  ContentAddressableStorage,
  type Digest,
  FindMissingBlobsResponseSchema,
} from "../../messages/gen/reapi/remote_execution_pb.ts";
import { getTree } from "./get-tree.ts";
import {
  DIGESTS_PER_TURN,
  MAX_BATCH_BYTES,
  MAX_BATCH_DECODED_BYTES,
  MAX_BLOBS_PER_CALL,
  RESPONSE_BYTES,
} from "../calls/limits.ts";
import { joinSmall, partsOf, readBatch } from "./read-batch.ts";
import type { Decoders } from "./receive-blob.ts";
import { updateBatch, type UpdateRequest } from "./update-batch.ts";

export function contentStorageMethods(cache: Cache, { batch: room }: Decoders) {
  const { method } = ContentAddressableStorage;
  return {
    findMissingBlobs: unary(method.findMissingBlobs, async (request, caller: Caller, call) => {
      const grant = await grantCaller(cache, caller, request, "read");
      const { blobDigests } = request;
      refuseTooMany(blobDigests.length);
      return listInTurns(call, blobDigests, async (asked) => {
        const there = await findDigests(cache, grant, asked);
        const missingBlobDigests = asked.filter((digest) => !there.has(digest.hash));
        const schema = FindMissingBlobsResponseSchema;
        return [toBinary(schema, create(schema, { missingBlobDigests }))];
      });
    }),
    batchUpdateBlobs: uploading(
      unary(method.batchUpdateBlobs, async (request, caller: Caller, call) => {
        const grant = await grantCaller(cache, caller, request, "write");
        const { requests } = request;
        refuseTooMany(requests.length);
        caller.count.receivedBytes = lengthOf(requests);
        refuseTooLarge(caller.count.receivedBytes);
        refuseBombs(requests);
        const there = await findDigests(cache, grant, requests.map(({ digest }) => digest).filter(isGiven));
        const isGone = () => call.isGone;
        const all = await updateBatch({ cache, grant, room }, requests, { there, isGone });
        if (all.some(({ status }) => status.code !== undefined)) caller.count.outcome = "refused";
        const schema = BatchUpdateBlobsResponseSchema;
        return listInTurns(call, all, (responses) => [toBinary(schema, create(schema, { responses }))]);
      }),
    ),
    batchReadBlobs: unary(method.batchReadBlobs, async (request, caller: Caller, call) => {
      const grant = await grantCaller(cache, caller, request, "read");
      refuseTooMany(request.digests.length);
      const names = request.digests.map(requireDigest);
      const bytes = names.reduce((sum, { size }) => sum + size, 0);
      refuseTooLarge(bytes);
      await call.hold("answers", bytes + names.length * RESPONSE_BYTES);
      const takesZstd = request.acceptableCompressors.includes(Compressor_Value.ZSTD);
      const sizes = names.map(({ size }) => size);
      const { digests } = request;
      const responses = await readBatch(cache, grant, {
        digests,
        sizes,
        takesZstd,
        isGone: () => call.isGone,
      });
      caller.count.sentBytes = lengthOf(responses);
      if (responses.some(({ status }) => status.code !== undefined)) caller.count.outcome = "miss";
      return listInTurns(call, responses, (some) => joinSmall(some.flatMap(partsOf)));
    }),
    getTree: getTree(cache),
  };
}

/**
 * An answer that is one list, whose items are encoded a few at a time, between which other calls have their turn.
 * @param encode some of them: concatenated lists are one list
 * @throws CallOverError
 */
async function listInTurns<Item>(
  call: RawCall,
  items: readonly Item[],
  encode: (some: Item[]) => Uint8Array[] | Promise<Uint8Array[]>,
): Promise<Uint8Array[]> {
  const parts: Uint8Array[] = [];
  for (let start = 0; start < items.length; start += DIGESTS_PER_TURN) {
    if (start > 0) await call.nextTurn();
    parts.push(...(await encode(items.slice(start, start + DIGESTS_PER_TURN))));
  }
  return parts;
}

const isGiven = (digest: Digest | undefined): digest is Digest => digest !== undefined;

const lengthOf = (blobs: readonly { data?: Uint8Array }[]) =>
  blobs.reduce((sum, { data }) => sum + (data?.length ?? 0), 0);

function refuseTooMany(count: number): void {
  if (count > MAX_BLOBS_PER_CALL)
    throw invalid(
      `one call can name at most ${MAX_BLOBS_PER_CALL} blobs, this one names ${count}: split it into several calls`,
    );
}

function refuseTooLarge(bytes: number): void {
  if (bytes > MAX_BATCH_BYTES)
    throw invalid(
      `the blobs of one batch can have at most ${MAX_BATCH_BYTES} bytes, these have ${bytes}: use ByteStream for large blobs`,
    );
}

/** 64 KB of zstd can be 2 GB, all of which must be hashed. The upload refuses content with more bytes than its digest says. */
function refuseBombs(requests: readonly UpdateRequest[]): void {
  const bytes = requests.reduce((sum, { digest }) => sum + Number(digest?.sizeBytes ?? 0n), 0);
  if (bytes > MAX_BATCH_DECODED_BYTES)
    throw invalid(
      `the blobs of one batch can have at most ${MAX_BATCH_DECODED_BYTES} bytes before compression, these have ${bytes}: use ByteStream for large blobs`,
    );
}

/** Hashes of blobs that exist with the size in their digest. @throws GrpcError */
async function findDigests(cache: Cache, grant: Grant, digests: readonly Digest[]): Promise<Set<string>> {
  const names = digests.map(requireDigest);
  const keys = new Set(names.filter(({ hash }) => hash !== EMPTY_HASH).map(({ hash }) => casKey(hash)));
  const sizes = keys.size > 0 ? await cache.findMany(grant, [...keys]) : new Map<string, number>();
  const there = new Set<string>();
  for (const { hash, size } of names)
    if (hash === EMPTY_HASH ? size === 0 : sizes.get(casKey(hash)) === size) there.add(hash);
  return there;
}
