/** ActionCache: results of actions. */
import { decodeWhole } from "#platform/grpc/count-fields.ts";
import { type MessageShape, toBinary } from "@bufbuild/protobuf";
import { readBlob } from "#platform/blobs/read-blob.ts";
import { FREE_BYTES } from "#platform/grpc/message-room.ts";
import { unary, uploading } from "#platform/grpc/raw-methods.ts";
import type { RawCall } from "#platform/grpc/raw-call.ts";
import type { Cache, Grant } from "../../contract/cache.ts";
import { completeActionResult } from "./action-result.ts";
import { type Caller, grantCaller } from "../calls/caller.ts";
import { actionKey, casKey, EMPTY_HASH, readDigest, requireDigest } from "../../messages/digests.ts";
import { invalid, notFound } from "../calls/errors.ts";
import {
  ActionCache,
  type ActionResult,
  ActionResultSchema,
  type Digest,
  type GetActionResultRequestSchema,
} from "../../messages/gen/reapi/remote_execution_pb.ts";
import { MAX_ACTION_RESULT_BYTES, MAX_INLINE_BYTES, RESULT_FACTOR } from "../calls/limits.ts";
import { readRequestMetadata } from "./request-metadata.ts";

type GetRequest = MessageShape<typeof GetActionResultRequestSchema>;

export function actionCacheMethods(cache: Cache) {
  return {
    getActionResult: unary(ActionCache.method.getActionResult, async (request, caller: Caller, call) => {
      const grant = await grantCaller(cache, caller, request, "read");
      const { hash } = requireDigest(request.actionDigest);
      const found = await findResult(cache, grant, { key: actionKey(hash), call });
      if (!found) throw missed(cache, grant, { hash, call });
      if (!call.holdsAnswer) await call.hold("answers", bytesToInline(request, found.result));
      const isLarger = await inline({ cache, grant, request }, found.result);
      const bytes = isLarger ? toBinary(ActionResultSchema, found.result) : found.bytes;
      caller.count.sentBytes += bytes.length;
      return bytes;
    }),
    updateActionResult: uploading(
      unary(
        ActionCache.method.updateActionResult,
        async (request, caller: Caller) => {
          const grant = await grantCaller(cache, caller, request, "write");
          const { hash } = requireDigest(request.actionDigest);
          if (!request.actionResult) throw invalid("action_result is missing");
          const bytes = toBinary(ActionResultSchema, request.actionResult);
          if (bytes.length > MAX_ACTION_RESULT_BYTES)
            throw invalid(
              `an action result can have at most ${MAX_ACTION_RESULT_BYTES} bytes, this one has ${bytes.length}`,
            );
          caller.count.receivedBytes += bytes.length;
          const upload = cache.receive(grant, { size: bytes.length });
          await upload.write(bytes);
          await cache.put(grant, actionKey(hash), await upload.finish());
          return bytes;
        },
        // It is stored for others.
        decodeWhole,
      ),
    ),
  };
}

async function findResult(cache: Cache, grant: Grant, { key, call }: { key: string; call: RawCall }) {
  const entry = await cache.find(grant, key);
  if (!entry) return null;
  const { size } = entry.blob;
  if (size > FREE_BYTES && size <= MAX_ACTION_RESULT_BYTES)
    await call.hold("answers", RESULT_FACTOR * size + MAX_INLINE_BYTES);
  const bytes = await readBlob(cache.blobs, entry.blob, { maxBytes: MAX_ACTION_RESULT_BYTES });
  const result = bytes && (await completeActionResult(cache, grant, bytes));
  if (result) return { bytes, result };
  cache.countMiss(grant, key);
  return null;
}

function missed(cache: Cache, grant: Grant, { hash, call }: { hash: string; call: RawCall }): Error {
  const reason = readRequestMetadata(call.headers);
  if (reason) cache.noteMiss(grant, actionKey(hash), reason);
  return notFound(`the result of action ${hash}`);
}

/** An upper bound. */
function bytesToInline(
  { inlineStdout, inlineStderr, inlineOutputFiles }: GetRequest,
  { stdoutDigest, stderrDigest, outputFiles }: ActionResult,
): number {
  const wanted = new Set(inlineOutputFiles);
  const files = outputFiles.filter(({ path }) => wanted.has(path)).map(({ digest }) => digest);
  const digests = [inlineStdout && stdoutDigest, inlineStderr && stderrDigest, ...files];
  const bytes = digests.reduce((sum, digest) => sum + (digest ? Number(digest.sizeBytes) : 0), 0);
  return Math.min(MAX_INLINE_BYTES, bytes);
}

interface Inlining {
  cache: Cache;
  grant: Grant;
  request: GetRequest;
}

/** Puts requested content into the result, as far as there is room. @returns whether the result has changed */
async function inline({ cache, grant, request }: Inlining, result: ActionResult): Promise<boolean> {
  let room = MAX_INLINE_BYTES;
  let hasChanged = false;
  const read = async (digest: Digest | undefined): Promise<Uint8Array | null> => {
    const name = readDigest(digest);
    if (!name || name.hash === EMPTY_HASH || name.size > room) return null;
    const entry = await cache.findPart(grant, casKey(name.hash));
    const bytes = entry && (await readBlob(cache.blobs, entry.blob, { maxBytes: room }));
    if (!bytes) return null;
    room -= bytes.length;
    hasChanged = true;
    return bytes;
  };
  if (request.inlineStdout && result.stdoutRaw.length === 0)
    result.stdoutRaw = (await read(result.stdoutDigest)) ?? result.stdoutRaw;
  if (request.inlineStderr && result.stderrRaw.length === 0)
    result.stderrRaw = (await read(result.stderrDigest)) ?? result.stderrRaw;
  const wanted = new Set(request.inlineOutputFiles);
  for (const file of wanted.size > 0 ? result.outputFiles : [])
    if (wanted.has(file.path) && file.contents.length === 0)
      file.contents = (await read(file.digest)) ?? file.contents;
  return hasChanged;
}
