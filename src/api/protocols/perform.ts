/**
 * One call from its headers to its answer, the same for every protocol.
 *
 *   admit     identifies the caller, before the body is read: a token, or a browser on one of the site's own pages
 *   perform   the method, within the call's time; a create with an `Idempotency-Key` once only
 *
 * Both throw only ConnectError.
 */
import type { Message } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import {
  type Accounts,
  type Actor,
  countApiCalls,
  type Credentials,
  type Callers,
  credentialsOf,
  reportRefusal,
  holderOf,
  type IsGone,
  Refused,
  requireConfirmed,
  TooManyRequestsError,
} from "#accounts/index.ts";
import {
  type Builds,
  MAX_STREAMS,
  MAX_STREAMS_PER_CALLER,
  MAX_STREAMS_PER_ORGANIZATION,
} from "#builds/index.ts";
import type { Cache } from "#cache/index.ts";
import { inSeconds } from "#platform/http/failure.ts";
import type { Images, Mirrors } from "#registry/index.ts";
import { runUrgently } from "#platform/database/urgent.ts";
import type { Call, Method, Output, StreamMethod } from "../calls/call.ts";
import { toConnectError } from "../calls/errors.ts";
import { answerOnce } from "../idempotency/answer-once.ts";
import { readIdempotencyKey } from "../idempotency/seal.ts";
import { MAX_CALL_MS, STREAM_RETRY_SECONDS } from "../calls/limits.ts";
import { refuseNul } from "./refuse-nul.ts";

/** Shared by all calls. */
export interface Api {
  accounts: Accounts;
  callers: Callers;
  builds?: Builds | undefined;
  cache?: Cache | undefined;
  images?: Images | undefined;
  mirrors?: Mirrors | undefined;
  streams: OpenStreams;
}

export interface Admitted {
  method: Method;
  /** Null where the method needs none. */
  actor: Actor | null;
  /** The client's address, for the audit log; "" if unknown. */
  address: string;
  /** The token or cookie itself. */
  credential: string;
  idempotencyKey: string | null;
  /** For a method that needs no actor, after too many calls of this address: the seconds to wait, unless the request's token is right. */
  waitSeconds: number;
}

interface Arrival {
  method: Method;
  headers: Headers;
  /** Null in tests without a connection. */
  address: string | null;
  isGone?: IsGone | undefined;
}

export async function admit(api: Api, { method, headers, address, isGone }: Arrival): Promise<Admitted> {
  const { accounts, callers } = api;
  const call = { method, address: address ?? "" };
  let credentials: Credentials = {};
  try {
    if (method.isPublic) {
      const waitSeconds = callers.admitStranger(address);
      return { ...call, actor: null, credential: "", idempotencyKey: null, waitSeconds };
    }
    credentials = credentialsOf(accounts, headers);
    const actor = await callers.admit(credentials, address, isGone);
    const credential = credentials.bearer ?? credentials.cookie ?? "";
    return {
      ...call,
      actor,
      credential,
      idempotencyKey: method.isCreate ? readIdempotencyKey(headers) : null,
      waitSeconds: 0,
    };
  } catch (error) {
    if (error instanceof Refused)
      reportRefusal(accounts, { ...call, refused: error, actor: null, shown: credentials.bearer });
    throw toConnectError(error, "Identifying the caller of the API", accounts.log);
  }
}

export interface Work {
  request: Message;
  /** Aborts when the client has left or, with the library's protocols, when its time has passed. */
  signal: AbortSignal;
  /** How long the client waits, in milliseconds. Default and limit: the server's own. */
  timeoutMs?: number | undefined;
}

/** @returns the values from which the message of the method's `output` is made */
export async function perform(api: Api, admitted: Admitted, work: Work): Promise<Output> {
  const { accounts } = api;
  const { method, actor } = admitted;
  try {
    const output = await inTime(run(api, admitted, work.request), work);
    if (actor?.organizationId && isByToken(actor)) countApiCalls(accounts, actor.organizationId);
    return output;
  } catch (error) {
    if (error instanceof Refused && !method.isPublic)
      reportRefusal(accounts, { refused: error, actor, address: admitted.address });
    const reason = method.isPublic ? countStranger(api, admitted, error) : error;
    throw toConnectError(reason, `${method.desc.parent.name}/${method.desc.name}`, accounts.log);
  }
}

/** @returns the error for a caller whose credentials were wrong */
function countStranger({ callers }: Api, { address, waitSeconds }: Admitted, error: unknown): unknown {
  if (!(error instanceof Refused) || error.code === "unavailable") return error;
  if (waitSeconds > 0) return new TooManyRequestsError("too many calls from this address", waitSeconds);
  if (error.code !== "unauthenticated") return error;
  return callers.countWrong(address || null) ?? error;
}

/** An open page of the application polls all the time, which does not count as a use of the API. */
const isByToken = (actor: Actor): boolean => actor.kind !== "user" || actor.via === "token";

async function run(api: Api, admitted: Admitted, request: Message): Promise<Output> {
  const { method, address, idempotencyKey, credential } = admitted;
  refuseNul(request);
  if (method.isPublic) return method.run({ accounts: api.accounts, address }, request);
  const call = callOf(api, admitted);
  if (method.isGuarded(request)) await requireConfirmed(api.accounts, call.actor);
  if (method.isUrgent) return runUrgently(() => method.run(call, request));
  if (idempotencyKey === null) return method.run(call, request);
  return answerOnce({ method, call, request, credential, idempotencyKey });
}

function callOf({ accounts, builds, cache, images, mirrors }: Api, { actor, address }: Admitted): Call {
  if (actor === null) throw new Refused("unauthenticated", "no token");
  return {
    accounts,
    actor,
    address,
    ...(builds && { builds }),
    ...(cache && { cache }),
    ...(images && { images }),
    ...(mirrors && { mirrors }),
  };
}

/** Open streams, by credential, and by the organization that it acts in. */
export interface OpenStreams {
  count: number;
  byCredential: Map<string, number>;
  byHolder: Map<string, number>;
}

export const createOpenStreams = (): OpenStreams => ({
  count: 0,
  byCredential: new Map(),
  byHolder: new Map(),
});

/** @returns a function that ends it. @throws ConnectError when there are too many */
function openStream({ streams }: Api, { actor, credential }: Admitted): () => void {
  const holder = actor ? holderOf(actor) : "";
  const { byCredential, byHolder } = streams;
  if (streams.count >= MAX_STREAMS) throw tooMany("Too many streams are open.", STREAM_RETRY_SECONDS);
  if ((byCredential.get(credential) ?? 0) >= MAX_STREAMS_PER_CALLER)
    throw tooMany(`This token already has ${MAX_STREAMS_PER_CALLER} open streams.`, STREAM_RETRY_SECONDS);
  if ((byHolder.get(holder) ?? 0) >= MAX_STREAMS_PER_ORGANIZATION)
    throw tooMany(
      `This organization already has ${MAX_STREAMS_PER_ORGANIZATION} open streams.`,
      STREAM_RETRY_SECONDS,
    );
  const add = (more: number) => {
    streams.count += more;
    addTo(byCredential, credential, more);
    addTo(byHolder, holder, more);
  };
  add(1);
  return () => add(-1);
}

function addTo(counts: Map<string, number>, key: string, more: number): void {
  const count = (counts.get(key) ?? 0) + more;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}

/** The same as `perform`, for a method that answers one message after another. */
export async function* performStream(
  api: Api,
  admitted: Admitted,
  { request, signal, stream }: Work & { stream: StreamMethod },
): AsyncGenerator<Output> {
  const { accounts } = api;
  const { method, actor } = admitted;
  const endStream = openStream(api, admitted);
  try {
    refuseNul(request);
    if (actor?.organizationId && isByToken(actor)) countApiCalls(accounts, actor.organizationId);
    yield* stream(callOf(api, admitted), request, signal);
  } catch (error) {
    if (error instanceof Refused)
      reportRefusal(accounts, { refused: error, actor, address: admitted.address });
    throw toConnectError(error, `${method.desc.parent.name}/${method.desc.name}`, accounts.log);
  } finally {
    endStream();
  }
}

function tooMany(what: string, seconds: number): ConnectError {
  return new ConnectError(`${what} Try again in ${inSeconds(seconds)}.`, Code.ResourceExhausted, {
    "retry-after": String(seconds),
  });
}

/** The work itself continues: a create whose answer was too late is found by its `Idempotency-Key`. */
async function inTime<Result>(
  work: Promise<Result>,
  { signal, timeoutMs = MAX_CALL_MS }: Work,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  let onAbort: (() => void) | undefined;
  const over = new Promise<never>((_, reject) => {
    const end = () => reject(new ConnectError("The response did not arrive in time.", Code.DeadlineExceeded));
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
