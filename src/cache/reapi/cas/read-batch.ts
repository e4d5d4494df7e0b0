/** The blobs of one BatchReadBlobs, each with a status of its own. */
import { create, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { Code } from "@connectrpc/connect";
import { INLINE_BYTES } from "#platform/blobs/limits.ts";
import { readBlob } from "#platform/blobs/read-blob.ts";
import type { Cache, Grant } from "../../contract/cache.ts";
import { casKey, EMPTY_HASH, readDigest } from "../../messages/digests.ts";
import {
  BatchReadBlobsResponse_ResponseSchema,
  BatchReadBlobsResponseSchema,
  Compressor_Value,
  type Digest,
} from "../../messages/gen/reapi/remote_execution_pb.ts";
import { inTurns } from "./in-turns.ts";
import { MAX_BATCH_BYTES } from "../calls/limits.ts";

export interface ReadResponse extends Omit<
  MessageInitShape<typeof BatchReadBlobsResponse_ResponseSchema>,
  "$typeName" | "$unknown" | "status"
> {
  status: { code?: Code; message?: string };
}

interface Reading {
  digests: readonly Digest[];
  /** From the digests. */
  sizes: readonly number[];
  takesZstd: boolean;
  isGone: () => boolean;
}

/** @throws CallOverError, and unexpected errors of one blob */
export const readBatch = (
  cache: Cache,
  grant: Grant,
  { digests, takesZstd, ...turns }: Reading,
): Promise<ReadResponse[]> =>
  inTurns(digests, { ...turns, holder: grant.organizationId }, (digest) =>
    readOne(cache, grant, { digest, takesZstd }),
  );

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
  // This depends on the blob alone: the stored form would reveal how someone else has sent it.
  const isZstd = takesZstd && name.size > INLINE_BYTES;
  const encoding = isZstd ? "zstd" : "identity";
  const data = await readBlob(cache.blobs, entry.blob, { maxBytes: MAX_BATCH_BYTES, encoding });
  if (!data) return missing;
  return { digest, data: ownBytes(data), status: {}, ...(isZstd && { compressor: Compressor_Value.ZSTD }) };
}

/** Bytes may be a small part of a large buffer, which would stay in memory until a slow reader has them. */
const ownBytes = (data: Uint8Array) =>
  data.buffer.byteLength > 2 * data.length ? new Uint8Array(data) : data;

/** A response of BatchReadBlobs, encoded; the blob's bytes are not copied. */
export function partsOf({ data = NO_DATA, ...rest }: ReadResponse): Uint8Array[] {
  const { responses } = BatchReadBlobsResponseSchema.field;
  const schema = BatchReadBlobsResponse_ResponseSchema;
  const message = toBinary(schema, create(schema, rest));
  const hasData = data.length > 0;
  const dataHead = hasData ? headOf(schema.field.data.number, data.length).finish() : NO_DATA;
  const length = message.length + dataHead.length + data.length;
  const head = headOf(responses.number, length).raw(message).raw(dataHead).finish();
  return hasData ? [head, data] : [head];
}

/** The same bytes in fewer arrays: each array costs more memory than the bytes of a small part. */
export function joinSmall(parts: readonly Uint8Array[]): Uint8Array[] {
  const joined: Uint8Array[] = [];
  let small: Uint8Array[] = [];
  const join = () => {
    if (small.length > 0) joined.push(Buffer.concat(small));
    small = [];
  };
  for (const part of parts) {
    if (part.length <= SMALL_BYTES) small.push(part);
    else {
      join();
      joined.push(part);
    }
  }
  join();
  return joined;
}

const SMALL_BYTES = 4 * 1024;
const NO_DATA = new Uint8Array();

const headOf = (field: number, length: number) =>
  new BinaryWriter().tag(field, WireType.LengthDelimited).uint32(length);
