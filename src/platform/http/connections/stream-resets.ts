/**
 * Streams that a client opens and cancels cost the server work whose result no one sees (rapid reset). A session may cancel as
 * many as people and tools do; beyond that it is ended with ENHANCE_YOUR_CALM. Thousands fit into one read, and Node may report a
 * closed stream only afterwards; so requests beyond the concurrency limit also count. Node's own limit (`streamResetBurst`) is
 * above these: it is the same for all sessions, and counts streams that are never seen here.
 */
import type { Http2ServerResponse, Http2Session, ServerHttp2Stream } from "node:http2";
import { constants } from "node:http2";

interface ResetRate {
  /** Streams that may be cancelled at a time: a session has at most 100 open (`maxConcurrentStreams`). */
  burst: number;
  perSecond: number;
}

/** Leaving a page while it loads cancels 100, typing a search 10 a second. */
export const STRANGERS: ResetRate = { burst: 100, perSecond: 20 };
/**
 * Additional streams that a stranger may cancel per answered stream, and their maximum: when Chromium abandons 200 requests it
 * cancels all of them, since others begin in the places of the first 100. A client that receives answers pays with them.
 */
export const EARNED = { perAnswer: 4, most: 300 };
/**
 * For a client that has identified itself. Stopping Bazel cancelled 123 on one connection: 100 that were open, and also those that
 * began in their place before they were cancelled. Pants cancels each query that its own work overtakes.
 */
export const KNOWN: ResetRate = { burst: 200, perSecond: 200 };
/** For a trusted proxy, with many readers on one session: a hundred people typing, or ten pages left at the same time. */
export const PROXIES: ResetRate = { burst: 1_000, perSecond: 200 };
/**
 * In total for a stranger's session; then the client is told to open another. Each may leave 6 KB behind while the session lasts:
 * 4 MB.
 */
export const STRANGER_RESETS = 600;

/**
 * Bytes that a known client may send ahead of the server, per stream and in total: with HTTP/2's 64 KiB an upload at 50 ms
 * latency has 1.3 MB/s, with these 5. Node counts bytes of a session as read when they arrive, so an unread stream holds its
 * window in memory: 512 of them 128 MB.
 */
const STREAM_WINDOW_BYTES = 256 * 1024;
const SESSION_WINDOW_BYTES = 4 * 1024 * 1024;

/** Sessions that may have wide windows at the same time: bytes sent ahead stay in memory until they are read. */
const MAX_WIDE_SESSIONS = 32;

let wideSessions = 0;
const wide = new WeakSet<Http2Session>();
const trusted = new WeakSet<Http2Session>();
const buckets = new WeakMap<Http2Session, { left: number; at: number; count: number }>();

/** Its client has identified itself. Earlier cancellations no longer count. */
export function trustSession(session: Http2Session): void {
  if (session.destroyed) return;
  if (!trusted.has(session)) buckets.delete(session);
  trusted.add(session);
  if (wide.has(session) || wideSessions >= MAX_WIDE_SESSIONS) return;
  wide.add(session);
  wideSessions += 1;
  session.once("close", () => (wideSessions -= 1));
  session.setLocalWindowSize(SESSION_WINDOW_BYTES);
  session.settings({ initialWindowSize: STREAM_WINDOW_BYTES });
}

/**
 * Whether the client has cancelled a stream by a reset with NO_ERROR. Node then waits for an end of the answer that never comes:
 * the stream stays, with its memory and everything its answer holds, and `close` no longer has an effect.
 */
export function isTakenBack(stream: ServerHttp2Stream): boolean {
  // A stream that the server itself closed remains until its answer is sent.
  return stream.closed && !stream.destroyed && stream.state.state === constants.NGHTTP2_STREAM_STATE_IDLE;
}

interface Counting {
  now: number;
  /** Its session carries the requests of many clients. */
  isProxy: boolean;
}

/** Called when a request's stream has closed. @returns whether it seems to be answered */
export function countReset(
  response: Http2ServerResponse,
  session: Http2Session,
  counting: Counting,
): boolean {
  const { stream } = response;
  const isKnown = counting.isProxy || trusted.has(session);
  const isUnwanted = stream.aborted || stream.rstCode !== constants.NGHTTP2_NO_ERROR || !stream.headersSent;
  // gRPC clients also reset a stream whose answer arrived before their whole message was sent.
  if (isUnwanted && !(isKnown && response.writableEnded)) takeReset(session, counting);
  return !isUnwanted;
}

/** @param answers received by a stranger */
export function earnResets(session: Http2Session, answers: number, now: number): void {
  if (answers === 0 || trusted.has(session)) return;
  const bucket = bucketOf(session, STRANGERS, now);
  const left = Math.min(STRANGERS.burst + EARNED.most, bucket.left + answers * EARNED.perAnswer);
  buckets.set(session, { ...bucket, left });
}

function bucketOf(session: Http2Session, { burst, perSecond }: ResetRate, now: number) {
  const { left, at, count } = buckets.get(session) ?? { left: burst, at: now, count: 0 };
  // Time fills it only up to its burst.
  const filled = Math.max(left, Math.min(burst, left + ((now - at) / 1000) * perSecond));
  return { left: filled, at: now, count };
}

/**
 * Ends the session of a client that cancels too many: immediately, or, if a stranger did so slowly, after its answers are sent.
 */
export function takeReset(session: Http2Session, { now, isProxy }: Counting): void {
  if (session.destroyed) return;
  const isKnown = isProxy || trusted.has(session);
  const { left, count } = bucketOf(session, isProxy ? PROXIES : isKnown ? KNOWN : STRANGERS, now);
  buckets.set(session, { left: left - 1, at: now, count: count + 1 });
  if (left < 1) endSession(session);
  else if (!isKnown && count + 1 >= STRANGER_RESETS && !session.closed) session.close();
}

/** Node treats a missing error as an error without a code, and sends NO_ERROR. */
function endSession(session: Http2Session): void {
  session.destroy(null as unknown as Error, constants.NGHTTP2_ENHANCE_YOUR_CALM);
}
