/**
 * Sends an entry that was found: whole or a part, with back pressure. Until the first piece has proved right, a damaged
 * entry is a miss; after that, the connection is cut.
 */
import type { AnyResponse } from "#platform/http/connection.ts";
import { MissingBytesError } from "#platform/blobs/byte-store.ts";
import { DamagedBlobError } from "#platform/blobs/open-blob.ts";
import type { FoundEntry } from "../cache.ts";
import { sendEmpty, sendText, writeHead } from "./answer.ts";
import type { CacheCall } from "./call.ts";
import { BrokenOffError, CacheFailure } from "./failures.ts";
import { readRange } from "./read-range.ts";

type Headers = Readonly<Record<string, string | number>>;

export function sendMiss(call: CacheCall): void {
  call.outcome = "miss";
  sendText(call, MISS, { status: 404, type: "application/json" });
}

const MISS = JSON.stringify({ code: "not_found", message: "this entry is not in the cache" });

/** @param describe headers that the tool wants with it */
export async function sendFound(
  call: CacheCall,
  key: string,
  describe: (entry: FoundEntry) => Headers = () => ({}),
): Promise<void> {
  const { cache, grant } = call;
  const entry = await cache.find(grant, key);
  if (!entry) return sendMiss(call);
  await sendEntry(call, entry, describe(entry));
}

type SentEntry = Pick<FoundEntry, "key" | "blob">;

export async function sendEntry(call: CacheCall, entry: SentEntry, more: Headers = {}): Promise<void> {
  const { request, headers } = call;
  const { size, digest } = entry.blob;
  const etag = `"${digest}"`;
  const head = {
    ...headers,
    "content-type": "application/octet-stream",
    "accept-ranges": "bytes",
    etag,
    ...more,
  };
  call.outcome = "hit";
  if (request.headers["if-none-match"] !== undefined && hasTag(request.headers["if-none-match"], etag))
    return sendEmpty(call, 304, head);
  const range = readRange(request.headers, { size, etag });
  if (range === "unsatisfiable")
    throw new CacheFailure([416, "invalid_argument"], `this entry has ${size} bytes`, {
      "content-range": `bytes */${size}`,
    });
  const [start, end] = range ?? [0, size];
  const shown = {
    ...head,
    "content-length": end - start,
    ...(range && { "content-range": `bytes ${start}-${end - 1}/${size}` }),
  };
  const status = range ? 206 : 200;
  if (request.method === "HEAD") return sendHead(call, status, shown);
  await sendBytes(call, entry, { start, end, status, shown });
}

function sendHead({ response }: CacheCall, status: number, shown: Headers): void {
  writeHead(response, status, shown);
  response.end();
}

interface Part {
  start: number;
  end: number;
  status: number;
  shown: Headers;
}

async function sendBytes(
  call: CacheCall,
  entry: SentEntry,
  { start, end, status, shown }: Part,
): Promise<void> {
  const { cache, grant, response } = call;
  const { content, encoding } = entry.blob;
  if (content && encoding === "identity") {
    writeHead(response, status, shown);
    call.sentBytes = end - start;
    response.end(content.subarray(start, end));
    return;
  }
  try {
    const reader = await cache.blobs.open(entry.blob);
    try {
      for await (const chunk of reader.bytes(start, end)) {
        if (isGone(response)) throw new BrokenOffError("The client has left.");
        if (call.sentBytes === 0) writeHead(response, status, shown);
        call.sentBytes += chunk.length;
        const done = whenSent(call, () => reader.giveBack(chunk));
        if (call.sentBytes === end - start) finish(response, chunk, done);
        else if (!write(response, chunk, done)) await untilDrained(response);
      }
    } finally {
      await reader.close();
    }
  } catch (error) {
    if (isUnreadable(error)) {
      cache.countMiss(grant, entry.key);
      if (call.sentBytes === 0) return sendMiss(call);
      call.outcome = "failed";
    }
    // Part of the answer has gone, and the rest cannot follow: whoever answers cuts it.
    throw error;
  }
  if (end > start) return;
  writeHead(response, status, shown);
  response.end();
}

/** Whether an entry's bytes are not there, or not what they were. */
export const isUnreadable = (error: unknown): boolean =>
  error instanceof DamagedBlobError || error instanceof MissingBytesError;

type Done = (error?: Error | null) => void;

/** Calls it when the system has all of what is written; never for a connection that was cut, which may still hold it. */
function whenSent({ request, response }: CacheCall, run: () => void): Done | undefined {
  // An HTTP/2 session may hold a part of what its stream is done with.
  if ("stream" in response) return undefined;
  const { socket } = request;
  return (error) => {
    if (!error && !socket.destroyed) run();
  };
}

// Both have them, with overloads that TypeScript does not bring together.
const write = (response: AnyResponse, chunk: Uint8Array, done: Done | undefined) =>
  (response as { write: (chunk: Uint8Array, done?: Done) => boolean }).write(chunk, done);
const finish = (response: AnyResponse, chunk: Uint8Array, done: Done | undefined) =>
  (response as { end: (chunk: Uint8Array, done?: Done) => unknown }).end(chunk, done);

const isGone = (response: AnyResponse) =>
  "stream" in response ? response.stream.destroyed : response.destroyed;

function untilDrained(response: AnyResponse): Promise<void> {
  if (isGone(response)) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      response.off("drain", done).off("close", done);
      resolve();
    };
    response.on("drain", done).on("close", done);
  });
}

/** Whether `If-None-Match` names it. */
function hasTag(header: string, etag: string): boolean {
  return header.split(",").some((each) => each.trim() === "*" || each.trim().replace(/^W\//, "") === etag);
}
