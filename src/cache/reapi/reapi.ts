/**
 * The part of the Remote Execution API that a cache serves, over gRPC: for Bazel, moonrepo and Pants.
 *
 *   call ─► admitCaller (token) ─► method ─► grantCaller (instance name) ─► Cache
 */
import type { DescService } from "@bufbuild/protobuf";
import { type AnswerRawCall, createRawHandler, type RawMethod } from "#platform/grpc/raw-methods.ts";
import type { Log } from "#platform/log/log.ts";
import type { Cache } from "../cache.ts";
import type { Callers } from "../callers.ts";
import { actionCacheMethods } from "./action-cache.ts";
import { admitCaller, type Caller } from "./caller.ts";
import { capabilitiesMethods } from "./capabilities.ts";
import { contentStorageMethods } from "./content-storage.ts";
import { toGrpcError } from "./errors.ts";
import { ByteStream } from "./gen/reapi/bytestream_pb.ts";
import { ActionCache, Capabilities, ContentAddressableStorage } from "./gen/reapi/remote_execution_pb.ts";
import { MAX_MESSAGE_BYTES } from "./limits.ts";
import { readBytes } from "./read-bytes.ts";
import { createUnfinishedUploads, type UnfinishedUploads } from "./unfinished-uploads.ts";
import { writeMethods } from "./write-bytes.ts";

export interface Reapi {
  /** For `createGrpcHandler`. */
  answer: AnswerRawCall;
  unfinished: UnfinishedUploads;
  /** Gives up uploads that wait to be continued. */
  close: () => Promise<void>;
}

export interface ReapiOptions {
  callers: Callers;
  log: Log;
  clock?: () => number;
}

export function createReapi(cache: Cache, options: ReapiOptions): Reapi {
  const { callers, log, clock = Date.now } = options;
  const unfinished = createUnfinishedUploads(clock);
  const methods = new Map([
    ...pathsOf(Capabilities, capabilitiesMethods(cache)),
    ...pathsOf(ActionCache, actionCacheMethods(cache)),
    ...pathsOf(ContentAddressableStorage, contentStorageMethods(cache)),
    ...pathsOf(ByteStream, { read: readBytes(cache), ...writeMethods(cache, unfinished) }),
  ]);
  const answer = createRawHandler({
    methods,
    admit: (call) => admitCaller(callers, call),
    maxMessageBytes: MAX_MESSAGE_BYTES,
    translate: toGrpcError,
    log,
  });
  return { answer, unfinished, close: unfinished.close };
}

function pathsOf<Service extends DescService>(
  service: Service,
  methods: Record<keyof Service["method"], RawMethod<Caller>>,
): [string, RawMethod<Caller>][] {
  return service.methods.map((method) => [
    `/${service.typeName}/${method.name}`,
    methods[method.localName as keyof Service["method"]],
  ]);
}
