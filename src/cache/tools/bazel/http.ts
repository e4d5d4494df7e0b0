/**
 * Bazel's HTTP cache; the same entries as over gRPC, where the empty blob is there without having been put.
 *
 *   GET, PUT /cache/bazel/cas/<hash>     bytes, whose SHA-256 is the key
 *   GET, PUT /cache/bazel/ac/<hash>      an ActionResult: a hit only when everything that it names is there
 */
import { readBlob } from "#platform/blobs/read-blob.ts";
import { badRequest } from "../../http/failures.ts";
import type { Answer, CacheCall, HttpProtocol } from "../../http/call.ts";
import { sendEmpty } from "#platform/http/node/answer.ts";
import { createMessageRoom } from "#platform/grpc/message-room.ts";
import { receiveEntry } from "../../http/receive-entry.ts";
import { casKey, EMPTY_HASH } from "../../messages/digests.ts";
import { sendEntry, sendMiss } from "../../http/send-entry.ts";
import type { FoundEntry } from "../../contract/cache.ts";
import type { CompleteActionResult } from "../tool.ts";

const MAX_ACTION_RESULT_BYTES = 4_000_000;
/** Bytes that reading large results may take for all requests together, and bytes taken per byte of one. */
const RESULTS_BYTES = 64 * 1024 * 1024;
const RESULT_FACTOR = 4;
/** How long a request waits for that, in milliseconds. */
const RESULTS_WAIT_MS = 20_000;
const HASH = /^[\da-f]{64}$/;

const EMPTY_ENTRY: Pick<FoundEntry, "key" | "blob"> = {
  key: casKey(EMPTY_HASH),
  blob: {
    digest: `sha256:${EMPTY_HASH}`,
    size: 0,
    storedBytes: 0,
    encoding: "identity",
    place: null,
    content: new Uint8Array(0),
  },
};

function checked(hash: string): string {
  if (!HASH.test(hash)) throw badRequest("a key must be a SHA-256: 64 digits of 0-9a-f");
  return hash;
}

/** The action's result was the hit, and this blob is a part of it. */
const getBlob: Answer = async (call, hash = "") => {
  if (hash === EMPTY_HASH) return sendEntry(call, EMPTY_ENTRY);
  const entry = await call.cache.findPart(call.grant, `cas/${checked(hash)}`);
  if (entry) await sendEntry(call, entry);
  else sendMiss(call);
};

const putBlob: Answer = async (call, hash = "") => {
  await receiveEntry(call, `cas/${checked(hash)}`, { digest: `sha256:${hash}` });
  sendEmpty(call, 200);
};

const putResult: Answer = async (call, hash = "") => {
  await receiveEntry(call, `ac/${checked(hash)}`, { maxBytes: MAX_ACTION_RESULT_BYTES });
  sendEmpty(call, 200);
};

export function createHttp(completeActionResult: CompleteActionResult): HttpProtocol {
  const resultRoom = createMessageRoom({ bytes: RESULTS_BYTES, waitMs: RESULTS_WAIT_MS });

  async function isHit({ cache, grant }: CacheCall, entry: FoundEntry): Promise<boolean> {
    const { size } = entry.blob;
    if (size > MAX_ACTION_RESULT_BYTES) return false;
    const place = resultRoom.take(grant.organizationId, RESULT_FACTOR * size);
    try {
      await place.ready;
      const bytes = await readBlob(cache.blobs, entry.blob, { maxBytes: MAX_ACTION_RESULT_BYTES });
      return bytes !== null && (await completeActionResult(cache, grant, bytes)) !== null;
    } finally {
      place.release();
    }
  }

  const getResult: Answer = async (call, hash = "") => {
    const { cache, grant } = call;
    const entry = await cache.find(grant, `ac/${checked(hash)}`);
    if (!entry) return sendMiss(call);
    if (await isHit(call, entry)) return sendEntry(call, entry);
    cache.countMiss(grant, entry.key);
    return sendMiss(call);
  };
  return {
    routes: [
      {
        path: /^\/cas\/([^/]+)$/,
        example: `/cas/${"0".repeat(64)}`,
        methods: { GET: getBlob, PUT: putBlob },
      },
      {
        path: /^\/ac\/([^/]+)$/,
        example: `/ac/${"0".repeat(64)}`,
        methods: { GET: getResult, PUT: putResult },
      },
    ],
  };
}
