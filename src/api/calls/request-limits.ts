/** The content limits of each method's request: from its message in the contract, and more where the rooms allow long texts. */
import type { DescMethod } from "@bufbuild/protobuf";
import { limitsOf, type MessageLimits } from "#platform/grpc/message-limits.ts";
import { BuildService } from "../gen/millrace/v1/build_service_pb.ts";
import { ProjectService } from "../gen/millrace/v1/project_service_pb.ts";

const KIBIBYTE = 1024;

/** `api.request-trust` of the documentation's limits: for a project's 50 trust relationships, each with 20 claims of 500 characters. */
export const MOST_REQUEST_BYTES = 1024 * KIBIBYTE;

/** Bytes of methods that take more than `limitsOf` allows. Characters that JSON escapes take six. */
const MORE_BYTES: ReadonlyMap<DescMethod, number> = new Map<DescMethod, number>([
  // `api.request-labels`: 32 labels of 1,024 characters.
  [BuildService.method.createBuild, 256 * KIBIBYTE],
  [ProjectService.method.update, MOST_REQUEST_BYTES],
  // `api.request-trust-test`: 20 claims of 500 characters, and a token.
  [ProjectService.method.testTrust, 128 * KIBIBYTE],
]);

export function requestLimits(method: DescMethod): MessageLimits {
  const limits = limitsOf(method.input);
  return { ...limits, bytes: MORE_BYTES.get(method) ?? limits.bytes };
}
