/**
 * The blobs of one BatchUpdateBlobs, each with a status of its own.
 *
 *   receive (hash, file) × 32 at a time ─► 64 received ─► put × 16 in one transaction ─► …
 */
import type { MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type { ReceivedBlob } from "#platform/blobs/upload.ts";
import { nextTurnOf } from "#platform/fair/work-gate.ts";
import { CallOverError } from "#platform/grpc/call-waits.ts";
import { casKey, requireDigest } from "../../messages/digests.ts";
import { invalid, toGrpcError } from "../calls/errors.ts";
import {
  type BatchUpdateBlobsRequest_RequestSchema,
  type BatchUpdateBlobsResponse_ResponseSchema,
  Compressor_Value,
} from "../../messages/gen/reapi/remote_execution_pb.ts";
import { inTurns } from "./in-turns.ts";
import { PUT_AT_ONCE, RECEIVED_AT_ONCE } from "../calls/limits.ts";
import { type Receiving, receiveBlob } from "./receive-blob.ts";

export type UpdateRequest = MessageShape<typeof BatchUpdateBlobsRequest_RequestSchema>;
export type UpdateResponse = MessageInitShape<typeof BatchUpdateBlobsResponse_ResponseSchema> & {
  status: Status;
};

interface Status {
  code?: number;
  message?: string;
}

interface Update {
  request: UpdateRequest;
  status: Status;
  received: ReceivedBlob | null;
}

/**
 * Many blobs are received before the first entry is put: the entries then share transactions, where each would otherwise wait
 * for the disk in one of its own.
 * @param there hashes that need not be put
 * @param isGone whether no client waits for the answer any more
 * @throws CallOverError, and unexpected errors of one blob: received blobs are put before, and no more are received
 */
export async function updateBatch(
  receiving: Receiving,
  requests: readonly UpdateRequest[],
  { there, isGone }: { there: ReadonlySet<string>; isGone: () => boolean },
): Promise<UpdateResponse[]> {
  const { cache, grant } = receiving;
  const holder = grant.organizationId;
  const errors: unknown[] = [];
  const statusOf = async (run: () => Promise<void>): Promise<Status> => {
    try {
      await run();
      return {};
    } catch (error) {
      const { code, message } = toGrpcError(error) ?? {};
      if (code === undefined) errors.push(error);
      return code === undefined ? {} : { code, message: message ?? "" };
    }
  };
  const receive = async (update: Update) => {
    update.status = await statusOf(async () => {
      update.received = await receiveOne(receiving, update.request);
    });
  };
  const put = async (update: Update) => {
    const { request, received } = update;
    if (!received) return;
    const { hash } = requireDigest(request.digest);
    update.status = await statusOf(() => cache.put(grant, casKey(hash), received));
    // Frees the content, which may be in memory.
    update.received = null;
  };
  const updates = requests.map((request): Update => ({ request, status: {}, received: null }));
  const awaited = updates.filter(({ request }) => !there.has(request.digest?.hash ?? ""));
  for (let start = 0; start < awaited.length; start += RECEIVED_AT_ONCE) {
    const part = awaited.slice(start, start + RECEIVED_AT_ONCE);
    const sizes = part.map(({ request }) => request.data.length);
    // Received blobs are put even if the client has gone: they may have files, which nothing else removes.
    await inTurns(part, { sizes, holder, isGone: () => false }, receive);
    const whole = part.filter(({ received }) => received);
    for (let first = 0; first < whole.length; first += PUT_AT_ONCE) {
      await Promise.all(whole.slice(first, first + PUT_AT_ONCE).map(put));
      await nextTurnOf(holder);
    }
    if (errors.length > 0) throw errors[0];
    if (isGone()) throw new CallOverError();
  }
  return updates.map(({ request: { digest }, status }) => ({ ...(digest && { digest }), status }));
}

async function receiveOne(
  receiving: Receiving,
  { digest, data, compressor }: UpdateRequest,
): Promise<ReceivedBlob> {
  const { hash, size } = requireDigest(digest);
  if (compressor !== Compressor_Value.IDENTITY && compressor !== Compressor_Value.ZSTD)
    throw invalid("this cache accepts blobs uncompressed or compressed with zstd");
  const encoding = compressor === Compressor_Value.ZSTD ? "zstd" : "identity";
  const upload = await receiveBlob(receiving, { size, encoding });
  try {
    await upload.write(data);
    const received = await upload.finish(`sha256:${hash}`);
    if (received.size === size) return received;
    await receiving.cache.blobs.settle(received);
  } catch (error) {
    await upload.abort();
    throw error;
  }
  throw invalid(`the content of ${hash} does not have ${size} bytes`);
}
