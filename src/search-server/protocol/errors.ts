/** Meilisearch's error vocabulary: one table of codes, one class that can turn itself into a response. */
import { BodyError, type BodyProblem } from "#platform/http/read-body.ts";
import { SearchError } from "#search/index.ts";
import { MAX_MESSAGE_LENGTH } from "./limits.ts";

type ErrorType = "invalid_request" | "auth" | "internal" | "system";

export interface ErrorBody {
  message: string;
  code: string;
  type: ErrorType;
  link: string;
}

interface ErrorKind {
  status: number;
  type: ErrorType;
}

const INVALID: ErrorKind = { status: 400, type: "invalid_request" };

/** Codes other than a plain 400 of type `invalid_request`. */
const KINDS = new Map<string, ErrorKind>(
  Object.entries({
    api_key_already_exists: { status: 409, type: "invalid_request" },
    api_key_not_found: { status: 404, type: "invalid_request" },
    batch_not_found: { status: 404, type: "invalid_request" },
    dynamic_search_rule_not_found: { status: 404, type: "invalid_request" },
    document_not_found: { status: 404, type: "invalid_request" },
    feature_not_enabled: { status: 400, type: "invalid_request" },
    index_already_exists: { status: 409, type: "invalid_request" },
    index_built_in: { status: 403, type: "auth" },
    index_not_found: { status: 404, type: "invalid_request" },
    index_unusable: { status: 503, type: "system" },
    internal: { status: 500, type: "internal" },
    invalid_api_key: { status: 403, type: "auth" },
    invalid_content_type: { status: 415, type: "invalid_request" },
    method_not_allowed: { status: 405, type: "invalid_request" },
    missing_authorization_header: { status: 401, type: "auth" },
    missing_content_type: { status: 415, type: "invalid_request" },
    no_space_left_on_device: { status: 507, type: "system" },
    not_found: { status: 404, type: "invalid_request" },
    payload_too_large: { status: 413, type: "invalid_request" },
    payload_timeout: { status: 408, type: "invalid_request" },
    render_document_not_found: { status: 404, type: "invalid_request" },
    remote_bad_response: { status: 502, type: "system" },
    remote_could_not_send_request: { status: 502, type: "system" },
    remote_timeout: { status: 504, type: "system" },
    search_unavailable: { status: 503, type: "system" },
    storage_unavailable: { status: 503, type: "system" },
    task_file_not_found: { status: 404, type: "invalid_request" },
    task_not_found: { status: 404, type: "invalid_request" },
    too_many_requests: { status: 429, type: "auth" },
    too_many_search_requests: { status: 503, type: "system" },
    too_many_tasks: { status: 503, type: "system" },
    webhook_not_found: { status: 404, type: "invalid_request" },
    unretrievable_document: { status: 400, type: "internal" },
  } satisfies { [code: string]: ErrorKind }),
);

export interface ApiErrorOptions extends ErrorOptions {
  /** Seconds after which the same request may succeed. */
  retryAfterSeconds?: number;
}

/**
 * An expected outcome that is reported to the client. `code` decides status and type; long messages are cut.
 */
export class ApiError extends Error {
  readonly code: string;
  readonly status: number;
  readonly type: ErrorType;
  /** For the header `Retry-After`. */
  readonly retryAfterSeconds: number | undefined;

  constructor(code: string, message: string, options?: ApiErrorOptions) {
    super(
      message.length > MAX_MESSAGE_LENGTH ? `${message.slice(0, MAX_MESSAGE_LENGTH)}…` : message,
      options,
    );
    this.name = "ApiError";
    this.code = code;
    this.retryAfterSeconds = options?.retryAfterSeconds;
    const kind = KINDS.get(code) ?? INVALID;
    this.status = kind.status;
    this.type = kind.type;
  }

  body(): ErrorBody {
    const link = `https://docs.meilisearch.com/errors#${this.code}`;
    return { message: this.message, code: this.code, type: this.type, link };
  }
}

export function tooManySearches(message: string): ApiError {
  return new ApiError("too_many_search_requests", message, { retryAfterSeconds: 1 });
}

export function indexNotFound(uid: string): ApiError {
  return new ApiError("index_not_found", `Index \`${uid}\` not found.`);
}

const BODY_CODES: { [problem in BodyProblem]: string } = {
  "too large": "payload_too_large",
  "too slow": "payload_timeout",
  "broken off": "malformed_payload",
};

/** Reports an unreadable body in the protocol's words; other errors stay as they are. @throws always */
export function refuseBody(error: unknown): never {
  if (!(error instanceof BodyError)) throw error;
  const said: { [problem in BodyProblem]: string } = {
    "too large": `The provided payload reached the size limit. The maximum accepted payload size is ${showBytes(error.maxBytes)}.`,
    "too slow": `${error.message} Send it again over a faster connection, or in smaller parts.`,
    "broken off": "The payload ended early.",
  };
  throw new ApiError(BODY_CODES[error.problem], said[error.problem], { cause: error });
}

function showBytes(bytes: number): string {
  return bytes >= 1024 * 1024 ? `${bytes / 1024 / 1024} MiB` : `${bytes / 1024} KiB`;
}

/** Anything but a client's mistake is a bug: it is reported to `onError`, not to the client. */
export function toResponse(error: unknown, onError: ((error: unknown) => void) | undefined): Response {
  if (error instanceof ApiError) return errorResponse(error);
  if (error instanceof SearchError)
    return errorResponse(new ApiError(error.code, error.message, { cause: error }));
  onError?.(error);
  return errorResponse(new ApiError("internal", "An internal error has occurred.", { cause: error }));
}

function errorResponse(error: ApiError): Response {
  const { status, retryAfterSeconds } = error;
  const headers = { ...(retryAfterSeconds !== undefined && { "Retry-After": String(retryAfterSeconds) }) };
  return Response.json(error.body(), { status, headers });
}
