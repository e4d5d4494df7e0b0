import type { FailureAnswer, FailureReason } from "#platform/http/failure.ts";
import { FAILURE_STATUS, failureHeaders } from "#platform/http/failure.ts";

/** JSON-RPC error codes; a server's own errors have -32000. */
const CODES: Partial<Record<FailureReason, number>> = { internal: -32603, "broken off": -32700 };

/** For MCP clients, if no message was read that the answer could belong to. */
export const answerMcpFailure: FailureAnswer = (context, failure) => {
  const error = { code: CODES[failure.reason] ?? -32000, message: failure.message };
  return context.json(
    { jsonrpc: "2.0", id: null, error },
    FAILURE_STATUS[failure.reason],
    failureHeaders(failure),
  );
};
