/** Decides whether a client may have this built. The error names what it may not request. */
import { Code } from "@connectrpc/connect";
import { type SolveRequest as ControlSolve, SolveRequestSchema } from "#builds/gen/buildkit/control_pb.ts";
import {
  type SolveRequest as GatewaySolve,
  SolveRequestSchema as GatewaySolveSchema,
} from "#builds/gen/buildkit/gateway_pb.ts";
import { GrpcError } from "#platform/grpc/grpc-error.ts";
import { decodeChecked, fieldBudget } from "./check-message.ts";
import {
  denySession,
  judgeAttributes,
  judgeCache,
  judgeCacheExport,
  judgeEntitlement,
  judgeExporter,
} from "./judge-attributes.ts";
import { judgeDefinition } from "./judge-definition.ts";
import type { Output, SolveRules, SolveSummary } from "./solve-rules.ts";

/** Clients choose 25 random letters and digits: too many for another client to guess. */
const REF = /^[\w-]{16,64}$/;

type OwnsSession = (id: string) => boolean;

/**
 * @param bytes of the request to buildkitd
 * @throws GrpcError
 */
export function judgeSolve(bytes: Uint8Array, rules: SolveRules, ownsSession: OwnsSession): SolveSummary {
  const budget = fieldBudget();
  const solve = decodeChecked(SolveRequestSchema, bytes, budget);
  const summary = summarize(solve);
  if (!REF.test(summary.ref))
    throw new GrpcError(Code.InvalidArgument, "Ref must be 16 to 64 letters, digits, _ or -");
  for (const entitlement of summary.entitlements) judgeEntitlement(entitlement, rules);
  for (const exporter of summary.exporters) judgeExporter(exporter, rules);
  for (const cache of summary.cacheExports) judgeCacheExport(cache, rules);
  for (const cache of summary.cacheImports) judgeCache(cache);
  judgeSwitches(solve, summary, rules);
  judgeSessions(solve, ownsSession);
  judgeAttributes(solve.frontendAttrs, ownsSession);
  for (const definition of [solve.definition, ...Object.values(solve.frontendInputs)])
    judgeDefinition(definition, { budget, ownsSession });
  return summary;
}

/**
 * @param bytes of the request within a running build
 * @throws GrpcError
 */
export function judgeGatewaySolve(bytes: Uint8Array, ownsSession: OwnsSession): GatewaySolve {
  const budget = fieldBudget();
  const solve = decodeChecked(GatewaySolveSchema, bytes, budget);
  for (const { type, attrs } of solve.cacheImports) judgeCache({ type, attributes: attrs });
  judgeAttributes(solve.frontendOpt, ownsSession);
  for (const definition of [solve.definition, ...Object.values(solve.frontendInputs)])
    judgeDefinition(definition, { budget, ownsSession });
  return solve;
}

function judgeSwitches(solve: ControlSolve, summary: SolveSummary, rules: SolveRules): void {
  const deny = (message: string) => new GrpcError(Code.PermissionDenied, message);
  if (solve.proxyNetwork)
    // Steps would connect through buildkitd, which reaches what steps cannot reach.
    throw deny("builders have a network of their own for each step: remove --proxy-network");
  if (solve.enableSessionExporter && !rules.mayPush)
    // The client names the target later, without passing here.
    throw deny("this token may build, but not push: outputs that the client names later are refused");
  if (solve.internal && summary.exporters.length + summary.cacheExports.length > 0)
    throw deny("a build without a record cannot have outputs: remove Internal");
}

function judgeSessions(solve: ControlSolve, ownsSession: OwnsSession): void {
  if (solve.session !== "" && !ownsSession(solve.session)) throw denySession("Session");
  if (solve.sourcePolicySession !== "" && !ownsSession(solve.sourcePolicySession))
    throw denySession("SourcePolicySession");
}

/** Includes fields that clients of 2018 use, as BuildKit reads them. */
function summarize(solve: ControlSolve): SolveSummary {
  const { cache, exporters, exporterDeprecated, exporterAttrsDeprecated } = solve;
  const outputs = exporters.map(toOutput);
  if (outputs.length === 0 && exporterDeprecated !== "")
    outputs.push({ type: exporterDeprecated, attributes: exporterAttrsDeprecated });
  const cacheExports = (cache?.exports ?? []).map(toOutput);
  if (cache?.exportRefDeprecated)
    cacheExports.push({
      type: "registry",
      attributes: { ...cache.exportAttrsDeprecated, ref: cache.exportRefDeprecated },
    });
  const oldImports = (cache?.importRefsDeprecated ?? []).map((ref) => ({
    type: "registry",
    attributes: { ref },
  }));
  return {
    ref: solve.ref,
    frontend: solve.frontend,
    attributes: solve.frontendAttrs,
    exporters: outputs,
    cacheExports,
    cacheImports: [...(cache?.imports ?? []).map(toOutput), ...oldImports],
    entitlements: solve.entitlements,
    isInternal: solve.internal,
  };
}

const toOutput = ({ type, attrs }: { type: string; attrs: Record<string, string> }): Output => ({
  type,
  attributes: attrs,
});
