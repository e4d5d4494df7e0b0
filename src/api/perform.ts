/**
 * One call from its headers to its answer, the same for every protocol.
 *
 *   admit     who asks, before the body is read: a token, or a browser on one of the site's own pages
 *   perform   the method, within the call's time; a create with an `Idempotency-Key` once only
 *
 * Both throw nothing but ConnectError.
 */
import type { Message } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import {
  type Accounts,
  type Actor,
  countApiCalls,
  type Credentials,
  credentialsOf,
  hearRefusal,
  identify,
  Refused,
} from "#accounts/index.ts";
import type { Cache } from "#cache/index.ts";
import { addressKey } from "#platform/http/client-address.ts";
import { inSeconds } from "#platform/http/failure.ts";
import type { RateLimit } from "#platform/http/rate-limit.ts";
import type { Method, Output } from "./call.ts";
import { toConnectError } from "./errors.ts";
import { answerOnce } from "./idempotency/answer-once.ts";
import { readIdempotencyKey } from "./idempotency/seal.ts";
import { MAX_CALL_MS } from "./limits.ts";

/** What all calls share. */
export interface Api {
  accounts: Accounts;
  cache?: Cache | undefined;
  /** Counts calls that were refused for their token; null: no limit. */
  refusals: RateLimit | null;
  /** Counts a call of a client. @returns 0, or the seconds that it has to wait. Absent: no limit, or one elsewhere. */
  takeCall?: TakeCall | undefined;
}

export type TakeCall = (address: string | null) => number;

export interface Admitted {
  method: Method;
  /** Null where the method needs none. */
  actor: Actor | null;
  /** The client's, for the audit log; "" if unknown. */
  address: string;
  /** The token or cookie itself. */
  credential: string;
  idempotencyKey: string | null;
}

interface Arrival {
  method: Method;
  headers: Headers;
  /** Null in tests without a connection. */
  address: string | null;
}

export async function admit(api: Api, { method, headers, address }: Arrival): Promise<Admitted> {
  const { accounts, refusals, takeCall } = api;
  const call = { method, address: address ?? "" };
  let credentials: Credentials = {};
  try {
    const callSeconds = takeCall?.(address) ?? 0;
    if (callSeconds > 0) throw tooMany("Too many calls from this address.", callSeconds);
    const seconds = refusals?.wait(addressKey(address)) ?? 0;
    if (seconds > 0) throw tooMany("Too many calls from this address had no valid token.", seconds);
    if (method.isPublic) return { ...call, actor: null, credential: "", idempotencyKey: null };
    credentials = credentialsOf(accounts, headers);
    const actor = await identify(accounts, credentials, address);
    const credential = credentials.bearer ?? credentials.cookie ?? "";
    return {
      ...call,
      actor,
      credential,
      idempotencyKey: method.isCreate ? readIdempotencyKey(headers) : null,
    };
  } catch (error) {
    noteRefusal(api, address, error);
    if (error instanceof Refused)
      hearRefusal(accounts, { ...call, refused: error, actor: null, shown: credentials.bearer });
    throw toConnectError(error, "Who calls the API", accounts.log);
  }
}

function noteRefusal({ refusals }: Api, address: string | null, error: unknown): void {
  if (error instanceof Refused && error.code === "unauthenticated") refusals?.take(addressKey(address));
}

export interface Work {
  request: Message;
  /** Aborts when the client has gone or, with the library's protocols, when its time is over. */
  signal: AbortSignal;
  /** Milliseconds that the client waits. Default and limit: the server's own. */
  timeoutMs?: number | undefined;
}

/** @returns what makes the message of the method's `output` */
export async function perform(api: Api, admitted: Admitted, work: Work): Promise<Output> {
  const { accounts } = api;
  const { method, actor } = admitted;
  try {
    const output = await inTime(run(api, admitted, work.request), work);
    if (actor?.organizationId) countApiCalls(accounts, actor.organizationId);
    return output;
  } catch (error) {
    if (method.isPublic) noteRefusal(api, admitted.address || null, error);
    else if (error instanceof Refused)
      hearRefusal(accounts, { refused: error, actor, address: admitted.address });
    throw toConnectError(error, `${method.desc.parent.name}/${method.desc.name}`, accounts.log);
  }
}

function run({ accounts, cache }: Api, admitted: Admitted, request: Message): Promise<Output> {
  const { method, actor, address, idempotencyKey, credential } = admitted;
  if (method.isPublic) return method.run({ accounts, address }, request);
  if (actor === null) throw new Refused("unauthenticated", "no token");
  const call = { accounts, actor, address, ...(cache && { cache }) };
  if (idempotencyKey === null) return method.run(call, request);
  return answerOnce({ method, call, request, credential, idempotencyKey });
}

function tooMany(what: string, seconds: number): ConnectError {
  return new ConnectError(`${what} Try again in ${inSeconds(seconds)}.`, Code.ResourceExhausted, {
    "retry-after": String(seconds),
  });
}

/** The work itself goes on: a create whose answer came too late is found by its `Idempotency-Key`. */
async function inTime<Result>(
  work: Promise<Result>,
  { signal, timeoutMs = MAX_CALL_MS }: Work,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  let onAbort: (() => void) | undefined;
  const over = new Promise<never>((_, reject) => {
    const end = () => reject(new ConnectError("The answer did not come in time.", Code.DeadlineExceeded));
    timer = setTimeout(end, Math.min(timeoutMs, MAX_CALL_MS));
    onAbort = () => reject(gone(signal.reason));
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
    if (onAbort) signal.removeEventListener("abort", onAbort);
  }
}

function gone(reason: unknown): ConnectError {
  if (reason instanceof ConnectError) return reason;
  return new ConnectError("The client closed the connection.", Code.Canceled);
}
