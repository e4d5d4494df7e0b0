/**
 * The blobs of one BatchUpdateBlobs, each with a status of its own.
 *
 *   receive (hash, file) × 32 at once ─► 64 are there ─► put × 16 in one transaction ─► …
 */
import type { MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type { ReceivedBlob } from "#platform/blobs/upload.ts";
import { nextTurnOf } from "#platform/fair/work-gate.ts";
import { casKey, requireDigest } from "./digests.ts";
import { invalid, toGrpcError } from "./errors.ts";
import {
  type BatchUpdateBlobsRequest_RequestSchema,
  type BatchUpdateBlobsResponse_ResponseSchema,
  Compressor_Value,
} from "./gen/reapi/remote_execution_pb.ts";
import { inTurns } from "./in-turns.ts";
import { PUT_AT_ONCE, RECEIVED_AT_ONCE } from "./limits.ts";
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
 * Many blobs are received before the first entry is put: entries then share their transactions, where each would have one of its
 * own, with its wait for the disk.
 * @param there hashes that need not be put
 * @throws what nobody expects of one of them, once nothing of the others is under way any more
 */
export async function updateBatch(
  receiving: Receiving,
  requests: readonly UpdateRequest[],
  there: ReadonlySet<string>,
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
  const receive = async (request: UpdateRequest): Promise<Update> => {
    const update: Update = { request, status: {}, received: null };
    update.status = await statusOf(async () => {
      const isThere = there.has(requireDigest(request.digest).hash);
      if (!isThere) update.received = await receiveOne(receiving, request);
    });
    return update;
  };
  const put = async (update: Update) => {
    const { request, received } = update;
    if (!received) return;
    const { hash } = requireDigest(request.digest);
    update.status = await statusOf(() => cache.put(grant, casKey(hash), received));
  };
  const updates: Update[] = [];
  for (let start = 0; start < requests.length; start += RECEIVED_AT_ONCE) {
    const part = requests.slice(start, start + RECEIVED_AT_ONCE);
    const sizes = part.map(({ data }) => data.length);
    // oxlint-disable-next-line no-await-in-loop -- what was received, and may be in memory, is put before more comes
    const received = await inTurns(part, { sizes, holder }, receive);
    for (let first = 0; first < received.length; first += PUT_AT_ONCE) {
      // oxlint-disable-next-line no-await-in-loop -- as above
      await Promise.all(received.slice(first, first + PUT_AT_ONCE).map(put));
      // oxlint-disable-next-line no-await-in-loop -- others get their turns between
      await nextTurnOf(holder);
    }
    updates.push(...received);
  }
  if (errors.length > 0) throw errors[0];
  return updates.map(({ request: { digest }, status }) => ({ ...(digest && { digest }), status }));
}

async function receiveOne(
  receiving: Receiving,
  { digest, data, compressor }: UpdateRequest,
): Promise<ReceivedBlob> {
  const { hash, size } = requireDigest(digest);
  if (compressor !== Compressor_Value.IDENTITY && compressor !== Compressor_Value.ZSTD)
    throw invalid("this cache takes blobs as they are, or compressed with zstd");
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
