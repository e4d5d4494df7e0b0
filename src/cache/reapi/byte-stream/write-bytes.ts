/**
 * ByteStream.Write: one blob in many messages, which a later call may continue where an earlier one broke off.
 *
 *   first message ─► the blob is there ─► its size, immediately or after the rest
 *              └───► upload: new, or one that waits ─► write… ─► finish_write ─► digest ─► entry
 *
 * `committed_size` counts bytes as they arrive: for a compressed blob, those of its compressed form.
 */
import { create, type MessageShape, toBinary } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import { mostEncodedBytes } from "#platform/blobs/upload.ts";
import { GrpcError } from "#platform/grpc/grpc-error.ts";
import { CallOverError } from "#platform/grpc/call-waits.ts";
import type { RawCall } from "#platform/grpc/raw-call.ts";
import type { MessageRoom } from "#platform/grpc/message-room.ts";
import { parseMessage, type RawMethod, unary } from "#platform/grpc/raw-methods.ts";
import type { Cache, Grant } from "../../contract/cache.ts";
import { type Caller, grantCaller } from "../calls/caller.ts";
import { casKey, EMPTY_HASH } from "../../messages/digests.ts";
import { invalid } from "../calls/errors.ts";
import {
  ByteStream,
  QueryWriteStatusResponseSchema,
  WriteRequestSchema,
  WriteResponseSchema,
} from "../../messages/gen/reapi/bytestream_pb.ts";
import { receiveBlob } from "../cas/receive-blob.ts";
import { readResourceName, type ResourceName } from "./resource-name.ts";
import type { UnfinishedUpload, UnfinishedUploads } from "./unfinished-uploads.ts";

type WriteRequest = MessageShape<typeof WriteRequestSchema>;

/** Uploads up to this size are read to their end although the blob exists: that is quicker than telling the client to stop. */
const DRAIN_BYTES = 4 * 1024 * 1024;

/** The target of a call's writes. */
interface Target {
  grant: Grant;
  name: ResourceName;
  /** The key of the unfinished upload. */
  key: string;
  token: string;
}

export interface WriteTools {
  unfinished: UnfinishedUploads;
  /** For decoders. */
  room: MessageRoom;
}

export function writeMethods(cache: Cache, tools: WriteTools) {
  const { unfinished } = tools;
  const write: RawMethod<Caller> = async (call, caller) => {
    call.admitUpload();
    const messages = readRequests(call);
    const first = await messages.next();
    if (first.done) throw invalid("there is no message in this call");
    const target = await findTarget(cache, caller, first.value.resourceName);
    const rest = (async function* () {
      yield first.value;
      yield* messages;
    })();
    const committed = (await isThere(cache, target))
      ? await skip(rest, target.name)
      : await receive({ ...tools, cache, caller, target }, rest);
    call.finish(
      toBinary(WriteResponseSchema, create(WriteResponseSchema, { committedSize: BigInt(committed) })),
    );
  };
  return {
    write,
    queryWriteStatus: unary(ByteStream.method.queryWriteStatus, async ({ resourceName }, caller: Caller) => {
      const target = await findTarget(cache, caller, resourceName);
      const isComplete = await isThere(cache, target);
      const waiting = unfinished.find(target.key);
      await waiting?.writing;
      const committed = isComplete ? target.name.size : (waiting?.upload.receivedBytes ?? 0);
      return create(QueryWriteStatusResponseSchema, {
        committedSize: BigInt(committed),
        complete: isComplete,
      });
    }),
  };
}

async function* readRequests(call: RawCall): AsyncGenerator<WriteRequest> {
  let resourceName = "";
  for await (const bytes of call.readAll()) {
    const request = parseMessage(WriteRequestSchema, bytes);
    resourceName ||= request.resourceName;
    if (request.resourceName !== "" && request.resourceName !== resourceName)
      throw invalid("one call writes one blob: resource_name has changed");
    yield request;
  }
}

async function findTarget(cache: Cache, caller: Caller, resourceName: string): Promise<Target> {
  const name = readResourceName(resourceName);
  if (name.uploadId === null)
    throw invalid("blobs/… names are for reading: write <instance>/uploads/<uuid>/blobs/<hash>/<size>");
  const grant = await grantCaller(cache, caller, name, "write");
  const token = caller.actor.tokenId ?? "";
  return { grant, name, token, key: JSON.stringify([token, grant.writes, resourceName]) };
}

async function isThere(cache: Cache, { grant, name: { hash, size } }: Target): Promise<boolean> {
  if (hash === EMPTY_HASH) return size === 0;
  const sizes = await cache.findMany(grant, [casKey(hash)]);
  return sizes.get(casKey(hash)) === size;
}

/** For an existing blob. Some clients compare a compressed blob's size with the bytes that they have sent. @returns committed bytes */
async function skip(requests: AsyncIterable<WriteRequest>, name: ResourceName): Promise<number> {
  const { encoding, size } = name;
  if (encoding === "identity" && size > DRAIN_BYTES) return size;
  let end = 0;
  let received = 0;
  for await (const { writeOffset, data } of requests) {
    end = Number(writeOffset) + data.length;
    received += data.length;
    if (received > mostBytes(name)) throw tooMany(name);
  }
  return encoding === "identity" ? size : end;
}

interface Receiving extends WriteTools {
  cache: Cache;
  caller: Caller;
  target: Target;
}

/** @returns committed bytes */
async function receive(receiving: Receiving, requests: AsyncIterable<WriteRequest>): Promise<number> {
  const { cache, caller, unfinished, target } = receiving;
  const { key, name, grant } = target;
  const owner = {};
  let upload: UnfinishedUpload | undefined;
  try {
    for await (const request of requests) {
      upload ??= await takeUpload(receiving, { request, owner });
      if (upload.owner !== owner) throw new GrpcError(Code.Aborted, "a later call continues this upload");
      caller.count.receivedBytes += request.data.length;
      await writePart(upload, request, name);
      if (!request.finishWrite) continue;
      unfinished.remove(key);
      const committed = upload.upload.receivedBytes;
      const received = await upload.upload.finish(`sha256:${name.hash}`);
      await cache.put(grant, casKey(name.hash), received);
      return committed;
    }
    if (upload) await unfinished.park(key);
    return upload?.upload.receivedBytes ?? 0;
  } catch (error) {
    if (upload?.owner === owner) await leave({ unfinished, key, upload }, error);
    throw error;
  }
}

/** An upload whose client has gone may be continued; any other error ends it. */
async function leave(
  { unfinished, key, upload }: { unfinished: UnfinishedUploads; key: string; upload: UnfinishedUpload },
  error: unknown,
): Promise<void> {
  if (unfinished.find(key) !== upload) return upload.upload.abort();
  if (error instanceof CallOverError && upload.upload.receivedBytes > 0) return unfinished.park(key);
  unfinished.remove(key);
  await upload.upload.abort();
}

/** The waiting upload, or a new one. */
async function takeUpload(
  receiving: Receiving,
  taking: { request: WriteRequest; owner: object },
): Promise<UnfinishedUpload> {
  const { cache, unfinished, room, target } = receiving;
  const { key, token, grant, name } = target;
  const { owner, request } = taking;
  const { writeOffset } = request;
  const waiting = unfinished.find(key);
  if (waiting) {
    // An earlier call may still believe that its client is there.
    waiting.owner = owner;
    await waiting.writing;
    if (Number(writeOffset) === waiting.upload.receivedBytes) return waiting;
    if (writeOffset !== 0n) {
      await unfinished.park(key);
      throw wrongOffset(writeOffset, waiting.upload.receivedBytes);
    }
    unfinished.remove(key);
    await waiting.upload.abort();
  }
  if (writeOffset !== 0n) throw wrongOffset(writeOffset, 0);
  const upload = await receiveBlob({ cache, grant, room, makeRoom: unfinished.giveUpCompressed }, name);
  if (unfinished.find(key)) {
    // Another call has begun this upload while this one waited for room.
    await upload.abort();
    return takeUpload(receiving, taking);
  }
  const isCompressed = name.encoding !== "identity";
  const begun = { upload, isCompressed, token, owner, writing: Promise.resolve(), since: 0 };
  unfinished.add(key, begun);
  return begun;
}

async function writePart(
  upload: UnfinishedUpload,
  { writeOffset, data }: WriteRequest,
  name: ResourceName,
): Promise<void> {
  const { receivedBytes } = upload.upload;
  if (Number(writeOffset) !== receivedBytes) throw wrongOffset(writeOffset, receivedBytes);
  if (receivedBytes + data.length > mostBytes(name)) throw tooMany(name);
  const writing = upload.upload.write(data);
  upload.writing = writing.catch(() => {});
  await writing;
}

const mostBytes = ({ encoding, size }: ResourceName) =>
  encoding === "identity" ? size : mostEncodedBytes(size);

const tooMany = ({ size }: ResourceName) => invalid(`received more than the ${size} bytes of the blob`);

const wrongOffset = (sent: bigint, committed: number) =>
  invalid(
    `write_offset is ${sent}, but the server received ${committed} bytes so far: continue there, or start again at 0`,
  );
