/**
 * The protocol between `millrace gocache` and the server. An action (64 hexadecimal digits) has one output: an id that Go chose
 * (64 hexadecimal digits), bytes, and its creation time.
 *
 *   GET  /cache/gocache/<action>          200, the bytes; `Content-Length`, `x-output-id`, `x-time` · 404: a miss
 *   HEAD /cache/gocache/<action>          the same without the bytes
 *   PUT  /cache/gocache/<action>          the bytes; `x-output-id`, `x-time` are required · 201 when it is durable
 *   POST /cache/gocache/find              many in one request
 *
 * `x-time` is a number of nanoseconds since 1970, in decimal digits.
 *
 * Many in one request: the request is JSON with at most 1,000 actions, the answer (200) is one line of JSON, a line feed, then
 * the bytes of all entries with `"inline": true`, one after the other in the order of the line, `size` bytes each:
 *
 *   > {"actions":["0a1b…","77c2…","9d00…"]}
 *   < {"entries":[{"action":"0a1b…","output":"55fe…","size":5,"time":"1764000000000000000","inline":true},
 *                 {"action":"77c2…","output":"8b21…","size":900000,"time":"1764000000000000001","inline":false}]}\n
 *   < hello
 *
 * An action that `entries` does not name is a miss. Bytes of at most 64 KB are inline, until 4 MB are; the others are
 * fetched with GET, which may then be a miss after all.
 *
 * Failures are JSON, `{"code": "unauthenticated", "message": "…"}`: 400 for a malformed request, 401, 403 (`this token may read
 * only`: further PUTs are useless), 413 for an entry that is too large, 429 and 503 with `Retry-After`. A GET that ends before
 * `Content-Length` bytes must be taken as a miss.
 */
import { readBlob } from "#platform/blobs/read-blob.ts";
import { badRequest } from "../../http/failures.ts";
import type { Answer, HttpProtocol } from "../../http/call.ts";
import { sendEmpty, writeHead } from "#platform/http/node/answer.ts";
import { holdAnswer } from "#platform/grpc/hold-answer.ts";
import { readQuestion } from "../../http/read-body.ts";
import { receiveEntry } from "../../http/receive-entry.ts";
import { sendFound } from "../../http/send-entry.ts";
import type { FoundEntry } from "../../contract/cache.ts";

const MAX_ACTIONS = 1000;
/** Bytes of one output that are sent inline in a find answer. */
const MAX_INLINE_BYTES = 64_000;
/** Total inline bytes in one answer. */
const MAX_INLINE_TOTAL_BYTES = 4_000_000;
/** Look-ups after which other requests have their turn. */
const FIND_AT_ONCE = 32;

const HASH = /^[\da-f]{64}$/;
const TIME = /^\d{1,19}$/;

interface Output {
  /** The id that Go chose. */
  output: string;
  time: string;
}

const keyOf = (action: string) => `go/${action}`;

function readOutput({ meta }: Pick<FoundEntry, "meta">): Output {
  const [output = "", time = ""] = meta.split(" ");
  return { output, time };
}

const get: Answer = (call, action = "") =>
  sendFound(call, keyOf(checked(action)), (entry) => {
    const { output, time } = readOutput(entry);
    return { "x-output-id": output, "x-time": time };
  });

const put: Answer = async (call, action = "") => {
  const { headers } = call.request;
  const output = headers["x-output-id"]?.toString() ?? "";
  const time = headers["x-time"]?.toString() ?? "";
  if (!HASH.test(output)) throw badRequest("X-Output-Id must have 64 digits of 0-9a-f");
  if (!TIME.test(time)) throw badRequest("X-Time must be a number of nanoseconds since 1970");
  await receiveEntry(call, keyOf(checked(action)), { meta: `${output} ${time}` });
  sendEmpty(call, 201);
};

function checked(action: string): string {
  if (!HASH.test(action)) throw badRequest("an action must have 64 digits of 0-9a-f");
  return action;
}

const findMany: Answer = async (call) => {
  const actions = readActions(await readQuestion(call));
  const most = Math.min(actions.size * MAX_INLINE_BYTES, MAX_INLINE_TOTAL_BYTES);
  const { organizationId: holder } = call.grant;
  const place = await holdAnswer(call, { holder, bytes: most, room: call.answers });
  const entries: object[] = [];
  const contents: Uint8Array[] = [];
  let inlineBytes = 0;
  for (const [at, action] of [...actions].entries()) {
    if (at % FIND_AT_ONCE === FIND_AT_ONCE - 1) await new Promise((resolve) => setImmediate(resolve));
    const entry = await call.cache.find(call.grant, keyOf(action));
    if (!entry) continue;
    const { size } = entry.blob;
    const isInline = size <= MAX_INLINE_BYTES && inlineBytes + size <= MAX_INLINE_TOTAL_BYTES;
    const content = isInline ? await readBlob(call.cache.blobs, entry.blob, { maxBytes: size }) : null;
    if (isInline && !content) {
      call.cache.countMiss(call.grant, entry.key);
      continue;
    }
    entries.push({ action, ...readOutput(entry), size, inline: isInline });
    if (!content) continue;
    contents.push(content);
    inlineBytes += size;
  }
  const line = Buffer.from(`${JSON.stringify({ entries })}\n`);
  const length = line.length + inlineBytes;
  place.shrink(length);
  writeHead(call.response, 200, {
    ...call.headers,
    "content-type": "application/octet-stream",
    "content-length": length,
  });
  call.sentBytes = inlineBytes;
  call.response.end(Buffer.concat([line, ...contents]));
};

function readActions(text: string): Set<string> {
  const parsed = parse(text);
  const isForm =
    Array.isArray(parsed) && parsed.every((action) => typeof action === "string" && HASH.test(action));
  if (!isForm) throw badRequest('send {"actions": ["<64 digits of 0-9a-f>", …]}');
  if (parsed.length > MAX_ACTIONS) throw badRequest(`ask about at most ${MAX_ACTIONS} actions at once`);
  return new Set(parsed as string[]);
}

function parse(text: string): unknown {
  try {
    return (JSON.parse(text) as { actions?: unknown } | null)?.actions;
  } catch {
    return undefined;
  }
}

export const http: HttpProtocol = {
  routes: [
    { path: /^\/find$/, example: "/find", methods: { POST: findMany } },
    { path: /^\/([^/]+)$/, example: `/${"0".repeat(64)}`, methods: { GET: get, PUT: put } },
  ],
};
