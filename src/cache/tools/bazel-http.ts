/**
 * Bazel's HTTP cache; the same entries as over gRPC, where the empty blob is there without having been put.
 *
 *   GET, PUT /cache/bazel/cas/<hash>     bytes, whose SHA-256 is the key
 *   GET, PUT /cache/bazel/ac/<hash>      an ActionResult: a hit only when all that it names is there
 */
import { badRequest } from "../http/failures.ts";
import type { Answer, ToolProtocol } from "../http/call.ts";
import { sendEmpty } from "../http/answer.ts";
import { receiveEntry } from "../http/receive-entry.ts";
import { readContent } from "../http/read-content.ts";
import { casKey, EMPTY_HASH } from "../reapi/digests.ts";
import { sendEntry, sendMiss } from "../http/send-entry.ts";
import type { Cache, FoundEntry, Grant } from "../cache.ts";

/** Null: the result is none, or names a blob that is not there. */
export type CompleteActionResult = (cache: Cache, grant: Grant, bytes: Uint8Array) => Promise<object | null>;

const MAX_ACTION_RESULT_BYTES = 4_000_000;
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
  if (!HASH.test(hash)) throw badRequest("a key is a SHA-256: 64 digits of 0-9a-f");
  return hash;
}

/** Its result was the hit, and it is a part of that. */
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

export function createBazelHttp(completeActionResult: CompleteActionResult): ToolProtocol {
  const getResult: Answer = async (call, hash = "") => {
    const { cache, grant } = call;
    const entry = await cache.find(grant, `ac/${checked(hash)}`);
    if (!entry) return sendMiss(call);
    const bytes = entry.blob.size > MAX_ACTION_RESULT_BYTES ? null : await readContent(cache, entry);
    if (bytes && (await completeActionResult(cache, grant, bytes))) return sendEntry(call, entry);
    cache.countMiss(grant, entry.key);
    return sendMiss(call);
  };
  return {
    tool: "bazel",
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
