import type { IncomingHttpHeaders } from "node:http";
import { decodeCounted } from "#platform/grpc/count-fields.ts";
import type { MissNote } from "../../contract/cache.ts";
import { RequestMetadataSchema } from "../../messages/gen/reapi/remote_execution_pb.ts";

const HEADER = "build.bazel.remote.execution.v2.requestmetadata-bin";
const MAX_LENGTH = 4096;
const MAX_TEXT_LENGTH = 256;

/** The tool's description of its work; null when there is none, or it is malformed. */
export function readRequestMetadata(headers: IncomingHttpHeaders): MissNote | null {
  const header = headers[HEADER];
  if (typeof header !== "string" || header.length > MAX_LENGTH) return null;
  try {
    const metadata = decodeCounted(RequestMetadataSchema, Buffer.from(header, "base64"));
    const { targetId, actionMnemonic, toolInvocationId } = metadata;
    if (`${targetId}${actionMnemonic}${toolInvocationId}` === "") return null;
    return {
      target: targetId.slice(0, MAX_TEXT_LENGTH),
      mnemonic: actionMnemonic.slice(0, MAX_TEXT_LENGTH),
      invocation: toolInvocationId.slice(0, MAX_TEXT_LENGTH),
    };
  } catch {
    return null;
  }
}
