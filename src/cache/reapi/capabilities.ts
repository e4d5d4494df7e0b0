/** Capabilities: what this cache can do, for tools that ask before they use it. */
import { create } from "@bufbuild/protobuf";
import { unary } from "#platform/grpc/raw-methods.ts";
import type { Cache } from "../contract/cache.ts";
import { MAX_ENTRY_BYTES } from "../contract/limits.ts";
import { type Caller, grantCaller } from "./calls/caller.ts";
import {
  Capabilities,
  Compressor_Value,
  DigestFunction_Value,
  ServerCapabilitiesSchema,
  SymlinkAbsolutePathStrategy_Value,
} from "../messages/gen/reapi/remote_execution_pb.ts";
import { MAX_BATCH_BYTES } from "./calls/limits.ts";

export function capabilitiesMethods(cache: Cache) {
  return {
    getCapabilities: unary(Capabilities.method.getCapabilities, async (request, caller: Caller) => {
      const { writes } = await grantCaller(cache, caller, request, "read");
      return create(ServerCapabilitiesSchema, {
        cacheCapabilities: {
          digestFunctions: [DigestFunction_Value.SHA256],
          actionCacheUpdateCapabilities: { updateEnabled: writes !== null },
          maxBatchTotalSizeBytes: BigInt(MAX_BATCH_BYTES),
          maxCasBlobSizeBytes: BigInt(MAX_ENTRY_BYTES),
          symlinkAbsolutePathStrategy: SymlinkAbsolutePathStrategy_Value.ALLOWED,
          supportedCompressors: [Compressor_Value.ZSTD],
          supportedBatchUpdateCompressors: [Compressor_Value.ZSTD],
        },
        // Older versions of Bazel refuse a server whose lowest version is above theirs.
        lowApiVersion: { major: 2 },
        highApiVersion: { major: 2, minor: 3 },
      });
    }),
  };
}
