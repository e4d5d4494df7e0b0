/** Calls of the API from a page of this server: JSON over `fetch`, with the browser's session. Types come from `proto/`. */
import type { Methods } from "#api/gen/json-types.ts";
import { asSentence } from "./as-sentence.ts";
import { sendRequest } from "./send.ts";

export type MethodName = keyof Methods;
export type RequestOf<Name extends MethodName> = Methods[Name]["request"];
export type AnswerOf<Name extends MethodName> = Methods[Name]["answer"];

/** Why a call has no answer, in the server's words. */
export class CallError extends Error {
  override name = "CallError";
  /** One of the API's codes; `unreachable` when no answer came; `unknown` when the answer was not the API's own. */
  readonly code: string;
  /** The answer's status; 0 when none came. */
  readonly status: number;
  /** The invalid field, if any. */
  readonly field: string | undefined;
  /** Identifies the call in the server's log. */
  readonly requestId: string | undefined;

  constructor(message: string, { code, status, field, requestId }: CallErrorFacts) {
    super(message);
    this.code = code;
    this.status = status;
    this.field = field;
    this.requestId = requestId;
  }
}

interface CallErrorFacts {
  code: string;
  status: number;
  field?: string | undefined;
  requestId?: string | undefined;
}

interface CallOptions {
  /** Name or id of the organization to act in; absent for the person's own data. */
  organization?: string;
  signal?: AbortSignal;
  /** For calls that create: a repeated key is answered with what was created the first time. */
  idempotencyKey?: string;
}

/** @throws CallError; the signal's reason when it is aborted */
export async function call<Name extends MethodName>(
  method: Name,
  request: RequestOf<Name>,
  { organization, signal, idempotencyKey }: CallOptions = {},
): Promise<AnswerOf<Name>> {
  const response = await sendRequest(`/api/millrace.v1.${method}`, {
    method: "POST",
    cache: "no-store",
    headers: {
      "Content-Type": "application/json",
      ...(organization && { "Millrace-Org": organization }),
      ...(idempotencyKey && { "Idempotency-Key": idempotencyKey }),
    },
    body: JSON.stringify(request),
    ...(signal && { signal }),
  }).catch((cause: unknown) => {
    if (signal?.aborted) throw cause;
    throw new CallError("The server does not respond. Check that it is running and that you are online.", {
      code: "unreachable",
      status: 0,
    });
  });
  const body: unknown = await response.json().catch(() => undefined);
  // The shapes are generated from the same contract as the server.
  if (response.ok && typeof body === "object" && body !== null) return body as AnswerOf<Name>;
  const error = errorOf(response, body);
  if (error.status === 401) noteSignedOut();
  throw error;
}

/** The reason for the refusal. */
export function errorOf(response: Response, body: unknown): CallError {
  const answer = (typeof body === "object" && body !== null ? body : {}) as Record<string, unknown>;
  const text = typeof answer["message"] === "string" ? answer["message"] : "";
  return new CallError(text === "" ? `The server answered ${response.status}.` : asSentence(text), {
    code: typeof answer["code"] === "string" ? answer["code"] : "unknown",
    status: response.status,
    field: fieldOf(answer["details"]),
    requestId: response.headers.get("x-request-id") ?? undefined,
  });
}

/** The first of Connect's details that names a field. */
function fieldOf(details: unknown): string | undefined {
  if (!Array.isArray(details)) return undefined;
  for (const detail of details as {
    debug?: { field_violations?: { field?: unknown }[] };
  }[]) {
    const field = detail?.debug?.field_violations?.[0]?.field;
    if (typeof field === "string" && field !== "") return field;
  }
  return undefined;
}

let isSignedOut = false;
const listeners = new Set<() => void>();

/** The session has ended while the page is open: the page stays, and a question covers it. */
export function noteSignedOut(): void {
  if (isSignedOut) return;
  isSignedOut = true;
  for (const listener of listeners) listener();
}

export function noteSignedIn(): void {
  if (!isSignedOut) return;
  isSignedOut = false;
  for (const listener of listeners) listener();
}

export const readSignedOut = () => isSignedOut;

export function watchSignedOut(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
