/**
 * Refuses what a graph may not request. buildkitd checks the entitlements of its steps (host network, all rights, devices) against
 * those that its Solve was granted. A frontend that runs as an image sends graphs to buildkitd without passing here: the builder's
 * own namespaces restrict it, and this check only reports the refusal sooner.
 */
import { Code } from "@connectrpc/connect";
import type { Definition } from "#builds/gen/buildkit/ops_pb.ts";
import { OpSchema } from "#builds/gen/buildkit/ops_pb.ts";
import { GrpcError } from "#platform/grpc/grpc-error.ts";
import { decodeChecked, type FieldBudget } from "./check-message.ts";
import { denySession } from "./judge-attributes.ts";
import { MAX_DEPTH } from "./limits.ts";

const SESSIONS = ["local.session", "oci.session"];

export interface Judging {
  budget: FieldBudget;
  /** Whether a session belongs to this build. */
  ownsSession: (id: string) => boolean;
}

/** @throws GrpcError */
export function judgeDefinition(definition: Definition | undefined, judging: Judging, depth = 0): void {
  if (!definition) return;
  if (depth > MAX_DEPTH)
    throw new GrpcError(Code.InvalidArgument, `graphs can be nested at most ${MAX_DEPTH} deep`);
  for (const bytes of definition.def) {
    const { op } = decodeChecked(OpSchema, bytes, judging.budget);
    if (op.case === "exec" && op.value.meta?.cgroupParent)
      throw new GrpcError(
        Code.PermissionDenied,
        "builders choose the cgroup of steps themselves: a step names a different one",
      );
    if (op.case === "source") judgeSource(op.value.attrs, judging.ownsSession);
    if (op.case === "build") judgeDefinition(op.value.def, judging, depth + 1);
  }
  for (const { definition: within } of definition.source?.infos ?? [])
    judgeDefinition(within, judging, depth + 1);
}

/** @throws GrpcError */
export function judgeSource(
  attributes: Readonly<Record<string, string>>,
  ownsSession: (id: string) => boolean,
): void {
  for (const name of SESSIONS) {
    const session = attributes[name];
    if (session && !ownsSession(session)) throw denySession(name);
  }
}
