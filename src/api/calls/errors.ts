/**
 * The answer to a client when a call fails: a code of the documentation's table, a sentence for people, and details.
 *
 *   Refused (accounts)   ──► its code; `google.rpc.BadRequest` names the field
 *   anything else        ──► `internal`; `google.rpc.RequestInfo` has the id under which the log explains it
 */
import { randomUUID } from "node:crypto";
import { Code, ConnectError } from "@connectrpc/connect";
import { codeToString, errorToJson } from "@connectrpc/connect/protocol-connect";
import {
  CONFIRM_HEADER,
  ConfirmationNeeded,
  Refused,
  type RefusalCode,
  TooManyRequestsError,
} from "#accounts/index.ts";
import type { Log } from "#platform/log/log.ts";
import { currentRequestId } from "#platform/log/request-context.ts";
import { BadRequestSchema, RequestInfoSchema } from "../gen/google/rpc/error_details_pb.ts";
import { JSON_OPTIONS } from "./json-options.ts";
import { RETRY_SECONDS } from "./limits.ts";

const CODES: Record<RefusalCode, Code> = {
  invalid_argument: Code.InvalidArgument,
  failed_precondition: Code.FailedPrecondition,
  unauthenticated: Code.Unauthenticated,
  permission_denied: Code.PermissionDenied,
  not_found: Code.NotFound,
  already_exists: Code.AlreadyExists,
  resource_exhausted: Code.ResourceExhausted,
  unavailable: Code.Unavailable,
};

/** @param field its name in the request, or a header's name */
export function invalidArgument(message: string, field?: string): ConnectError {
  const details = field === undefined ? [] : [violation(field, message)];
  return new ConnectError(message, Code.InvalidArgument, undefined, details);
}

const violation = (field: string, description: string) => ({
  desc: BadRequestSchema,
  value: { fieldViolations: [{ field, description }] },
});

/** @param what the call's name, for the log */
export function toConnectError(error: unknown, what: string, log: Log): ConnectError {
  if (error instanceof ConnectError) return error;
  if (error instanceof ConfirmationNeeded)
    return new ConnectError(error.message, CODES[error.code], {
      [CONFIRM_HEADER.name]: CONFIRM_HEADER.value,
    });
  if (error instanceof Refused) return fromRefusal(error);
  if (error instanceof TooManyRequestsError)
    return new ConnectError(error.message, Code.ResourceExhausted, { "retry-after": String(error.seconds) });
  const id = currentRequestId() ?? randomUUID();
  log.error(`${what} failed:`, { error, requestId: id });
  const detail = { desc: RequestInfoSchema, value: { requestId: id } };
  const message = `Something went wrong on our side. The server's log explains it under ${id}.`;
  return new ConnectError(message, Code.Internal, undefined, [detail]);
}

function fromRefusal({ code, message, field }: Refused): ConnectError {
  const headers: Record<string, string> = {};
  // RFC 9110, 11.6.1
  if (code === "unauthenticated") headers["www-authenticate"] = "Bearer";
  if (code === "resource_exhausted") headers["retry-after"] = String(RETRY_SECONDS);
  const details = field === undefined ? [] : [violation(field, message)];
  return new ConnectError(message, CODES[code], headers, details);
}

/** `{"code": "not_found", "message": "…", "details": []}` */
export function errorJson(error: ConnectError): string {
  // The library omits empty fields.
  return JSON.stringify({
    code: codeToString(error.code),
    message: error.rawMessage,
    details: [],
    ...errorToJson(error, JSON_OPTIONS),
  });
}
