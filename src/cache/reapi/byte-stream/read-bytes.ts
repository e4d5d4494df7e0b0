/** ByteStream.Read: a blob, or a part of one, in chunks; compressed with zstd when its name requests that. */
import { zstdCompressSync } from "node:zlib";
import { Code } from "@connectrpc/connect";
import type { BlobReader } from "#platform/blobs/open-blob.ts";
import { encodeZstd } from "#platform/blobs/encode-zstd.ts";
import { GrpcError } from "#platform/grpc/grpc-error.ts";
import type { RawCall } from "#platform/grpc/raw-call.ts";
import { parseMessage, type RawMethod } from "#platform/grpc/raw-methods.ts";
import type { Cache, FoundEntry } from "../../contract/cache.ts";
import { type Caller, grantCaller } from "../calls/caller.ts";
import { casKey, EMPTY_HASH } from "../../messages/digests.ts";
import { invalid, notFound } from "../calls/errors.ts";
import { type ReadRequest, ReadRequestSchema } from "../../messages/gen/reapi/bytestream_pb.ts";
import { READ_CHUNK_BYTES } from "../calls/limits.ts";
import { readResourceName, type ResourceName } from "./resource-name.ts";

/** The requested part, in decoded bytes. */
interface Range {
  start: number;
  end: number;
}

export function readBytes(cache: Cache): RawMethod<Caller> {
  return async (call, caller) => {
    const request = parseMessage(ReadRequestSchema, await call.readOnly());
    const name = readResourceName(request.resourceName);
    if (name.uploadId !== null)
      throw invalid("uploads/… names are for writing: read <instance>/blobs/<hash>/<size>");
    const grant = await grantCaller(cache, caller, name, "read");
    const range = readRange(request, name);
    if (name.hash === EMPTY_HASH) {
      if (name.encoding === "identity") return call.finish();
      const bytes = zstdCompressSync(new Uint8Array(0));
      return call.finish(headOf(bytes), bytes);
    }
    const entry = await cache.findPart(grant, casKey(name.hash));
    if (!entry || entry.blob.size !== name.size) throw notFound(`blob ${name.hash}`);
    const { content, encoding, size } = entry.blob;
    const isWhole = range.start === 0 && range.end === size;
    if (content && isWhole && encoding === name.encoding) {
      caller.count.sentBytes = content.length;
      return call.finish(headOf(content), content);
    }
    const sent = (bytes: number) => void (caller.count.sentBytes += bytes);
    await sendBlob(cache, call, { entry, name, range, sent });
  };
}

function readRange({ readOffset, readLimit }: ReadRequest, { size, encoding }: ResourceName): Range {
  if (readOffset < 0n || readLimit < 0n) throw invalid("read_offset and read_limit cannot be negative");
  if (readOffset > BigInt(size))
    throw new GrpcError(
      Code.OutOfRange,
      `read_offset ${readOffset} is past the end of the blob, which has ${size} bytes`,
    );
  if (encoding === "zstd" && readLimit > 0n)
    throw invalid("read_limit must be 0 for compressed blobs: they are read to the end");
  const start = Number(readOffset);
  return { start, end: readLimit === 0n ? size : Math.min(size, start + Number(readLimit)) };
}

interface Sending {
  entry: FoundEntry;
  name: ResourceName;
  range: Range;
  sent: (bytes: number) => void;
}

async function sendBlob(
  cache: Cache,
  call: RawCall,
  { entry: { blob }, name, range, sent }: Sending,
): Promise<void> {
  const reader = await cache.blobs.open(blob);
  try {
    for await (const chunk of chunksOf(reader, { blob, name, range }))
      for (let at = 0; at < chunk.length; at += READ_CHUNK_BYTES) {
        const part = chunk.subarray(at, at + READ_CHUNK_BYTES);
        const room = call.send(headOf(part), part);
        sent(part.length);
        if (room) await room;
      }
    call.finish();
  } finally {
    await reader.close();
  }
}

function chunksOf(
  reader: BlobReader,
  { blob, name, range }: { blob: FoundEntry["blob"]; name: ResourceName; range: Range },
): AsyncIterable<Uint8Array> {
  if (name.encoding === "identity") return reader.bytes(range.start, range.end);
  if (blob.encoding === "zstd" && range.start === 0) return reader.encodedBytes();
  return encodeZstd(reader.bytes(range.start));
}

/** The head of the bytes in a `ReadResponse`: field 10, and their number as a varint. */
function headOf({ length }: Uint8Array): Uint8Array {
  const head = [0x52];
  let rest = length;
  for (; rest > 0x7f; rest >>>= 7) head.push((rest & 0x7f) | 0x80);
  head.push(rest);
  return Uint8Array.from(head);
}
