import type { FailureAnswer, FailureReason } from "#platform/http/failure.ts";
import { FAILURE_STATUS, failureHeaders } from "#platform/http/failure.ts";

/** Of JSON-RPC; what a server says for itself is -32000. */
const CODES: Partial<Record<FailureReason, number>> = { internal: -32603, "broken off": -32700 };

/** For MCP clients, where no message was read to which the answer could belong. */
export const answerMcpFailure: FailureAnswer = (context, failure) => {
  const error = { code: CODES[failure.reason] ?? -32000, message: failure.message };
  return context.json(
    { jsonrpc: "2.0", id: null, error },
    FAILURE_STATUS[failure.reason],
    failureHeaders(failure),
  );
};
