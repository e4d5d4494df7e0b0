/** Who calls, and which namespace is meant: the instance name is the tool. */
import { Code } from "@connectrpc/connect";
import { type Actor, hearRefusal, identify, Refused } from "#accounts/index.ts";
import { GrpcError } from "#platform/grpc/grpc-error.ts";
import type { RawCall } from "#platform/grpc/raw-call.ts";
import { addressKey } from "#platform/http/client-address.ts";
import { inSeconds } from "#platform/http/failure.ts";
import type { RateLimit } from "#platform/http/rate-limit.ts";
import type { Cache, Grant } from "../cache.ts";
import { doorOf, type Tool } from "../tools.ts";
import { digestFunctionError } from "./digests.ts";

export interface Caller {
  actor: Actor;
  address: string;
}

const INSTANCES: ReadonlyMap<string, Tool> = new Map([
  ["", "bazel"],
  ["bazel", "bazel"],
  ["moonrepo", "moonrepo"],
  ["pants", "pants"],
]);

/** @param refusals counts calls that were refused for their token; null: no limit. @throws GrpcError, Refused */
export async function admitCaller(cache: Cache, call: RawCall, refusals: RateLimit | null): Promise<Caller> {
  const { accounts } = cache;
  const { address } = call.info;
  const key = addressKey(address || null);
  const seconds = refusals?.wait(key) ?? 0;
  if (seconds > 0)
    throw new GrpcError(
      Code.ResourceExhausted,
      `Too many calls from this address had no valid token. Try again in ${inSeconds(seconds)}.`,
    );
  const { authorization = "", "millrace-org": organization } = call.headers;
  const bearer = readToken(authorization);
  try {
    const named = typeof organization === "string" ? organization : undefined;
    const actor = await identify(accounts, { bearer, organization: named }, address || null);
    call.trustSession();
    return { actor, address };
  } catch (error) {
    if (error instanceof Refused) {
      if (error.code === "unauthenticated") refusals?.take(key);
      // The instance name, which says the tool, is in messages that are not read before it is known who asks.
      hearRefusal(accounts, { refused: error, actor: null, shown: bearer, address, at: "gRPC" });
    }
    throw error;
  }
}

/** Of `Bearer <token>`, or the password of `Basic`; "" for anything else. */
function readToken(authorization: string): string {
  const [, scheme = "", value = ""] = /^(bearer|basic) +(\S+)$/i.exec(authorization) ?? [];
  if (scheme.toLowerCase() !== "basic") return value;
  const pair = Buffer.from(value, "base64").toString();
  return pair.slice(pair.indexOf(":") + 1);
}

/** What every message says of the namespace. */
export interface Addressed {
  instanceName: string;
  digestFunction?: number;
}

/** @throws GrpcError, Refused */
export async function grantCaller(
  cache: Cache,
  { actor, address }: Caller,
  { instanceName, digestFunction = 0 }: Addressed,
  right: "read" | "write",
): Promise<Grant> {
  const tool = INSTANCES.get(instanceName);
  if (!tool)
    throw new GrpcError(
      Code.InvalidArgument,
      `there is no cache named ${JSON.stringify(instanceName.slice(0, 100))}: the instance name is bazel, moonrepo or pants`,
    );
  const wrong = digestFunctionError(digestFunction);
  if (wrong) throw new GrpcError(Code.InvalidArgument, wrong);
  try {
    return await cache.grant(actor, tool, right);
  } catch (error) {
    if (error instanceof Refused)
      hearRefusal(cache.accounts, { refused: error, actor, address, at: doorOf(tool) });
    throw error;
  }
}
