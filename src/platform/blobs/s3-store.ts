/**
 * Bytes in a bucket of S3, or of a server with its protocol: `<prefix><first two characters>/<id>`.
 *
 *   up to 8 MB ─► one PUT
 *   more ─► parts of 8 MB and more, while they arrive ─► completed, or aborted
 *
 * An object appears whole or not at all, so nothing unfinished is ever read.
 */
import {
  type ByteReader,
  type ByteStore,
  type ByteWriter,
  MissingBytesError,
  newPlace,
  StoreAwayError,
} from "./byte-store.ts";
import { ABANDONED_MS, S3_ANSWER_MS, S3_CONNECT_MS, S3_CONNECTIONS } from "./limits.ts";
import { createPartWriter } from "./s3-parts.ts";
import type { S3Address } from "./s3-address.ts";
import type { Bucket } from "./s3-bucket.ts";
import { removeUnfinishedParts } from "./s3-unfinished.ts";

const DEFAULT_REGION = "us-east-1";
const NOT_FOUND = 404;

/** @throws S3's error when the bucket does not exist, or access is denied */
export async function openS3Store({ bucket: name, prefix, endpoint, region }: S3Address): Promise<ByteStore> {
  const sdk = await import("@aws-sdk/client-s3");
  const client = new sdk.S3Client({
    region: region ?? process.env["AWS_REGION"] ?? DEFAULT_REGION,
    ...(endpoint !== null && { endpoint, forcePathStyle: true }),
    requestHandler: {
      connectionTimeout: S3_CONNECT_MS,
      socketTimeout: S3_ANSWER_MS,
      httpAgent: { keepAlive: true, maxSockets: S3_CONNECTIONS },
      httpsAgent: { keepAlive: true, maxSockets: S3_CONNECTIONS },
    },
    // Other servers write the checksums that follow a stream into the object.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
  });
  const bucket: Bucket = { sdk, client, name, keyOf: (place) => `${prefix}${place.slice(0, 2)}/${place}` };
  const at = (place: string) => ({ Bucket: name, Key: bucket.keyOf(place) });
  await client.send(new sdk.HeadBucketCommand({ Bucket: name }));
  // Wraps all attempts. Added after the request above, whose errors must keep the reasons for the start's messages.
  client.middlewareStack.add((next) => (input) => next(input).catch(explain), { step: "initialize" });
  return {
    create: (): Promise<ByteWriter> => Promise.resolve(createPartWriter(bucket, newPlace())),
    open: (place) => openObject(bucket, place),
    remove: async (place) => void (await client.send(new sdk.DeleteObjectCommand(at(place)))),
    removeUnfinished: () => removeUnfinishedParts(bucket, prefix, Date.now() - ABANDONED_MS),
    removeAbandoned: (before) => removeUnfinishedParts(bucket, prefix, before),
    places: (shard) => listPlaces(bucket, `${prefix}${shard}/`),
    async writtenAt(place) {
      const found = await client.send(new sdk.HeadObjectCommand(at(place))).catch(ifMissing);
      return found?.LastModified?.getTime() ?? null;
    },
    async signedAddress(place, { seconds: expiresIn }) {
      // Loaded only when used.
      const { getSignedUrl } = await import("@aws-sdk/s3-request-presigner");
      const get = new sdk.GetObjectCommand({ ...at(place), ResponseContentType: "application/octet-stream" });
      return getSignedUrl(client, get, { expiresIn });
    },
    close: () => Promise.resolve(client.destroy()),
  };
}

async function openObject({ sdk, client, name, keyOf }: Bucket, place: string): Promise<ByteReader> {
  const at = { Bucket: name, Key: keyOf(place) };
  const found = await client.send(new sdk.HeadObjectCommand(at)).catch(ifMissing);
  if (!found) throw new MissingBytesError(`There is no object ${at.Key} in the bucket ${name}.`);
  const { ETag: stamp = null, ContentLength: size = 0 } = found;
  const ending = new AbortController();
  return {
    size,
    stamp,
    async *chunks(start, end) {
      if (start >= end) return;
      const range = { ...at, Range: `bytes=${start}-${end - 1}`, ...(stamp !== null && { IfMatch: stamp }) };
      const { Body } = await client.send(new sdk.GetObjectCommand(range), { abortSignal: ending.signal });
      // In Node.js it is a stream of buffers.
      yield* Body as AsyncIterable<Buffer>;
    },
    close() {
      ending.abort();
      return Promise.resolve();
    },
  };
}

async function* listPlaces({ sdk, client, name }: Bucket, prefix: string): AsyncIterable<readonly string[]> {
  let token: string | undefined;
  do {
    const page = await client.send(
      new sdk.ListObjectsV2Command({ Bucket: name, Prefix: prefix, ContinuationToken: token }),
    );
    yield (page.Contents ?? []).flatMap(({ Key }) => (Key === undefined ? [] : [Key.slice(prefix.length)]));
    token = page.NextContinuationToken;
  } while (token !== undefined);
}

/** For errors other than "no such object": the network, the store itself, or keys that it no longer accepts. */
function explain(error: unknown): never {
  if (statusOf(error) === NOT_FOUND) throw error;
  throw new StoreAwayError("S3 does not respond as expected.", { cause: error });
}

function ifMissing(error: unknown): null {
  if (statusOf(error) === NOT_FOUND) return null;
  throw error;
}

/** The SDK adds it to its errors. */
const statusOf = (error: unknown) =>
  (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
