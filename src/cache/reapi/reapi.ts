/**
 * The part of the Remote Execution API that a cache serves, over gRPC: for Bazel, moonrepo and Pants.
 *
 *   call ─► admitCaller (token) ─► method ─► grantCaller (instance name) ─► Cache
 */
import type { DescService } from "@bufbuild/protobuf";
import { type AnswerRawCall, createRawHandler, type RawMethod } from "#platform/grpc/raw-methods.ts";
import type { Log } from "#platform/log/log.ts";
import type { Cache } from "../contract/cache.ts";
import type { Callers } from "#accounts/index.ts";
import { actionCacheMethods } from "./action-cache/action-cache.ts";
import type { Traffic } from "../figures/traffic.ts";
import { admitCaller, type Caller } from "./calls/caller.ts";
import { capabilitiesMethods } from "./capabilities.ts";
import { contentStorageMethods } from "./cas/content-storage.ts";
import { countCalls } from "./calls/count-calls.ts";
import { storageFailureOf } from "#platform/blobs/storage-failure.ts";
import { toGrpcError } from "./calls/errors.ts";
import { ByteStream } from "../messages/gen/reapi/bytestream_pb.ts";
import {
  ActionCache,
  Capabilities,
  ContentAddressableStorage,
} from "../messages/gen/reapi/remote_execution_pb.ts";
import { MAX_MESSAGE_BYTES } from "./calls/limits.ts";
import { readBytes } from "./byte-stream/read-bytes.ts";
import { createDecoders, type Decoders } from "./cas/receive-blob.ts";
import { createUnfinishedUploads, type UnfinishedUploads } from "./byte-stream/unfinished-uploads.ts";
import { writeMethods } from "./byte-stream/write-bytes.ts";

export interface Reapi {
  /** For `createGrpcHandler`. */
  answer: AnswerRawCall;
  unfinished: UnfinishedUploads;
  /** Gives up uploads that wait to be continued. */
  close: () => Promise<void>;
}

export interface ReapiOptions {
  callers: Callers;
  traffic: Traffic;
  log: Log;
  /** Milliseconds from any origin, by a clock that is never adjusted. */
  clock?: () => number;
  /** Default: the production decoders. */
  decoders?: Decoders;
}

export function createReapi(cache: Cache, options: ReapiOptions): Reapi {
  const { callers, traffic, log, clock = () => performance.now(), decoders = createDecoders() } = options;
  const unfinished = createUnfinishedUploads(clock);
  const pathsOf = <Service extends DescService>(
    service: Service,
    methods: Record<keyof Service["method"], RawMethod<Caller>>,
  ) =>
    service.methods.map(({ name, localName }): [string, RawMethod<Caller>] => [
      `/${service.typeName}/${name}`,
      countCalls(traffic, localName, methods[localName as keyof Service["method"]]),
    ]);
  const methods = new Map([
    ...pathsOf(Capabilities, capabilitiesMethods(cache)),
    ...pathsOf(ActionCache, actionCacheMethods(cache)),
    ...pathsOf(ContentAddressableStorage, contentStorageMethods(cache, decoders)),
    ...pathsOf(ByteStream, {
      read: readBytes(cache),
      ...writeMethods(cache, { unfinished, room: decoders.stream }),
    }),
  ]);
  const answer = createRawHandler({
    methods,
    admit: (call) => admitCaller(callers, call),
    maxMessageBytes: MAX_MESSAGE_BYTES,
    translate(error) {
      if (storageFailureOf(error)) log.warn("The cache could not read or write:", { error });
      return toGrpcError(error);
    },
    log,
  });
  return { answer, unfinished, close: unfinished.close };
}
