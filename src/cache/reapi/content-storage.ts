/** ContentAddressableStorage: blobs by their digests, many in one call. Each blob of a batch has a status of its own. */
import { create, type MessageInitShape, type MessageShape, toBinary } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import { readBlob } from "#platform/blobs/read-blob.ts";
import { nextTurnOf } from "#platform/fair/work-gate.ts";
import { INLINE_BYTES } from "#platform/blobs/limits.ts";
import { unary, uploading } from "#platform/grpc/raw-methods.ts";
import type { Cache, Grant } from "../cache.ts";
import { type Caller, grantCaller } from "./caller.ts";
import { casKey, EMPTY_HASH, readDigest, requireDigest } from "./digests.ts";
import { invalid, toGrpcError } from "./errors.ts";
import {
  type BatchReadBlobsResponse_ResponseSchema,
  BatchReadBlobsResponseSchema,
  type BatchUpdateBlobsRequest_RequestSchema,
  BatchUpdateBlobsResponseSchema,
  Compressor_Value,
  ContentAddressableStorage,
  type Digest,
  FindMissingBlobsResponseSchema,
} from "./gen/reapi/remote_execution_pb.ts";
import {
  BATCH_AT_ONCE,
  DIGESTS_PER_TURN,
  MAX_BATCH_BYTES,
  MAX_BATCH_DECODED_BYTES,
  MAX_BLOBS_PER_CALL,
} from "./limits.ts";
import { getTree } from "./get-tree.ts";
import { type Decoders, type Receiving, receiveBlob } from "./receive-blob.ts";

type UpdateRequest = MessageShape<typeof BatchUpdateBlobsRequest_RequestSchema>;
type ReadResponse = MessageInitShape<typeof BatchReadBlobsResponse_ResponseSchema> & {
  data?: Uint8Array;
  status: { code?: Code };
};

export function contentStorageMethods(cache: Cache, { batch: room }: Decoders) {
  const { method } = ContentAddressableStorage;
  return {
    findMissingBlobs: unary(method.findMissingBlobs, async (request, caller: Caller) => {
      const grant = await grantCaller(cache, caller, request, "read");
      const { blobDigests } = request;
      refuseTooMany(blobDigests.length);
      const answers: Uint8Array[] = [];
      for (let start = 0; start < blobDigests.length; start += DIGESTS_PER_TURN) {
        if (start > 0) await nextTurnOf(grant.organizationId);
        const asked = blobDigests.slice(start, start + DIGESTS_PER_TURN);
        const there = await findDigests(cache, grant, asked);
        const missingBlobDigests = asked.filter((digest) => !there.has(digest.hash));
        answers.push(
          toBinary(
            FindMissingBlobsResponseSchema,
            create(FindMissingBlobsResponseSchema, { missingBlobDigests }),
          ),
        );
      }
      // One list after the other is one list.
      return Buffer.concat(answers);
    }),
    batchUpdateBlobs: uploading(
      unary(method.batchUpdateBlobs, async (request, caller: Caller) => {
        const grant = await grantCaller(cache, caller, request, "write");
        const { requests } = request;
        refuseTooMany(requests.length);
        caller.count.receivedBytes = lengthOf(requests);
        refuseTooLarge(caller.count.receivedBytes);
        refuseBombs(requests);
        const there = await findDigests(cache, grant, requests.map(({ digest }) => digest).filter(isGiven));
        const responses = await inTurn(requests, async (one) => ({
          ...(one.digest && { digest: one.digest }),
          status: await statusOf(async () => {
            if (!there.has(requireDigest(one.digest).hash)) await putOne({ cache, grant, room }, one);
          }),
        }));
        if (responses.some(({ status }) => status.code !== undefined)) caller.count.outcome = "refused";
        return create(BatchUpdateBlobsResponseSchema, { responses });
      }),
    ),
    batchReadBlobs: unary(method.batchReadBlobs, async (request, caller: Caller, call) => {
      const grant = await grantCaller(cache, caller, request, "read");
      refuseTooMany(request.digests.length);
      const names = request.digests.map(requireDigest);
      const bytes = names.reduce((sum, { size }) => sum + size, 0);
      refuseTooLarge(bytes);
      await call.hold("answers", bytes);
      const takesZstd = request.acceptableCompressors.includes(Compressor_Value.ZSTD);
      const responses = await inTurn(request.digests, (digest) =>
        readOne(cache, grant, { digest, takesZstd }),
      );
      caller.count.sentBytes = lengthOf(responses);
      if (responses.some(({ status }) => status.code !== undefined)) caller.count.outcome = "miss";
      return create(BatchReadBlobsResponseSchema, { responses });
    }),
    getTree: getTree(cache),
  };
}

const isGiven = (digest: Digest | undefined): digest is Digest => digest !== undefined;

const lengthOf = (blobs: readonly { data?: Uint8Array }[]) =>
  blobs.reduce((sum, { data }) => sum + (data?.length ?? 0), 0);

function refuseTooMany(count: number): void {
  if (count > MAX_BLOBS_PER_CALL)
    throw invalid(`one call names at most ${MAX_BLOBS_PER_CALL} blobs, this one ${count}: ask in several`);
}

function refuseTooLarge(bytes: number): void {
  if (bytes > MAX_BATCH_BYTES)
    throw invalid(
      `the blobs of one batch have at most ${MAX_BATCH_BYTES} bytes, these ${bytes}: use ByteStream for large ones`,
    );
}

/** 64 KB of zstd can be 2 GB, and all of them have to be hashed. What has more bytes than its digest says is refused by the upload. */
function refuseBombs(requests: readonly UpdateRequest[]): void {
  const bytes = requests.reduce((sum, { digest }) => sum + Number(digest?.sizeBytes ?? 0n), 0);
  if (bytes > MAX_BATCH_DECODED_BYTES)
    throw invalid(
      `the blobs of one batch have at most ${MAX_BATCH_DECODED_BYTES} bytes before they are compressed, these ${bytes}: use ByteStream for large ones`,
    );
}

/** Hashes of those that are there, with the size that the digest says. @throws GrpcError */
async function findDigests(cache: Cache, grant: Grant, digests: readonly Digest[]): Promise<Set<string>> {
  const names = digests.map(requireDigest);
  const keys = new Set(names.filter(({ hash }) => hash !== EMPTY_HASH).map(({ hash }) => casKey(hash)));
  const sizes = keys.size > 0 ? await cache.findMany(grant, [...keys]) : new Map<string, number>();
  const there = new Set<string>();
  for (const { hash, size } of names)
    if (hash === EMPTY_HASH ? size === 0 : sizes.get(casKey(hash)) === size) there.add(hash);
  return there;
}

async function putOne(receiving: Receiving, { digest, data, compressor }: UpdateRequest): Promise<void> {
  const { cache, grant } = receiving;
  const { hash, size } = requireDigest(digest);
  if (compressor !== Compressor_Value.IDENTITY && compressor !== Compressor_Value.ZSTD)
    throw invalid("this cache takes blobs as they are, or compressed with zstd");
  const encoding = compressor === Compressor_Value.ZSTD ? "zstd" : "identity";
  const upload = await receiveBlob(receiving, { size, encoding });
  try {
    await upload.write(data);
    const received = await upload.finish(`sha256:${hash}`);
    if (received.size === size) return await cache.put(grant, casKey(hash), received);
    await cache.blobs.settle(received);
  } catch (error) {
    await upload.abort();
    throw error;
  }
  throw invalid(`the content of ${hash} does not have ${size} bytes`);
}

async function readOne(
  cache: Cache,
  grant: Grant,
  { digest, takesZstd }: { digest: Digest; takesZstd: boolean },
): Promise<ReadResponse> {
  const name = readDigest(digest);
  if (!name) return { digest, status: { code: Code.InvalidArgument } };
  if (name.hash === EMPTY_HASH) return { digest, status: {} };
  const entry = await cache.findPart(grant, casKey(name.hash));
  const missing = { digest, status: { code: Code.NotFound, message: "the blob is not in the cache" } };
  if (!entry || entry.blob.size !== name.size) return missing;
  // It depends on the blob alone: how it is kept would tell how somebody else has sent it.
  const isZstd = takesZstd && name.size > INLINE_BYTES;
  const encoding = isZstd ? "zstd" : "identity";
  const data = await readBlob(cache.blobs, entry.blob, { maxBytes: MAX_BATCH_BYTES, encoding });
  if (!data) return missing;
  return { digest, data, status: {}, ...(isZstd && { compressor: Compressor_Value.ZSTD }) };
}

/** OK, or what went wrong with one blob. @throws what nobody expects */
async function statusOf(run: () => Promise<void>): Promise<{ code?: number; message?: string }> {
  try {
    await run();
    return {};
  } catch (error) {
    const { code, message } = toGrpcError(error) ?? {};
    if (code === undefined) throw error;
    return { code, message: message ?? "" };
  }
}

/** Answers in the order of the items, of which few are worked on at once. */
async function inTurn<Item, Answer>(
  items: readonly Item[],
  run: (item: Item) => Promise<Answer>,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  const waiting = items.entries();
  const work = async () => {
    // oxlint-disable-next-line no-await-in-loop -- several of these loops run
    for (const [at, item] of waiting) answers[at] = await run(item);
  };
  await Promise.all(Array.from({ length: Math.min(BATCH_AT_ONCE, items.length) }, work));
  return answers;
}
