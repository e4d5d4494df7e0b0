/** The caller and its namespace: the instance name is the tool. */
import { Code } from "@connectrpc/connect";
import { type Actor, type Callers, reportRefusal, holderOf, Refused } from "#accounts/index.ts";
import { GrpcError } from "#platform/grpc/grpc-error.ts";
import type { RawCall } from "#platform/grpc/raw-call.ts";
import type { Cache, Grant } from "../../contract/cache.ts";
import { endpointOf, GRPC_TOOLS, type Tool } from "../../contract/tools.ts";
import { type CallCount, createCallCount } from "./count-calls.ts";
import { digestFunctionError } from "../../messages/digests.ts";

export interface Caller {
  actor: Actor;
  address: string;
  count: CallCount;
}

const INSTANCES: ReadonlyMap<string, Tool> = new Map<string, Tool>([
  ["", "bazel"],
  ...GRPC_TOOLS.map((tool) => [tool, tool] as const),
]);

/** Without a comma before the last. */
const INSTANCE_NAMES = new Intl.ListFormat("en-GB", { type: "disjunction" }).format(GRPC_TOOLS);

/** @throws Refused, TooManyRequestsError */
export async function admitCaller(callers: Callers, call: RawCall): Promise<Caller> {
  const { address } = call.info;
  // The instance name, which names the tool, is in messages that are not read before the caller is identified.
  const actor = await callers.identify(call.headers, {
    address: address || null,
    at: "gRPC",
    isGone: () => call.isGone,
  });
  call.trustCaller(holderOf(actor));
  return { actor, address, count: createCallCount() };
}

/** The namespace fields of every message. */
export interface Addressed {
  instanceName: string;
  digestFunction?: number;
}

/** @throws GrpcError, Refused */
export async function grantCaller(
  cache: Cache,
  { actor, address, count }: Caller,
  { instanceName, digestFunction = 0 }: Addressed,
  right: "read" | "write",
): Promise<Grant> {
  const tool = INSTANCES.get(instanceName);
  if (!tool)
    throw new GrpcError(
      Code.InvalidArgument,
      `there is no cache named ${JSON.stringify(instanceName.slice(0, 100))}: the instance name must be ${INSTANCE_NAMES}`,
    );
  count.tool = tool;
  const wrong = digestFunctionError(digestFunction);
  if (wrong) throw new GrpcError(Code.InvalidArgument, wrong);
  try {
    return await cache.grant(actor, tool, right);
  } catch (error) {
    if (error instanceof Refused)
      reportRefusal(cache.accounts, { refused: error, actor, address, at: endpointOf(tool) });
    throw error;
  }
}
