/**
 * Streams that a client opens and takes back cost the server work whose result nobody sees (rapid reset). A session may do so
 * as much as people and tools do; then it is ended, with ENHANCE_YOUR_CALM. Thousands fit into what is read at once, and Node may
 * tell of a closed stream only after that; so requests are counted, too, beyond those that may be open. Node's own limit
 * (`streamResetBurst`) is above these: it is one for all sessions, and counts what is never seen here.
 */
import type { Http2ServerResponse, Http2Session, ServerHttp2Stream } from "node:http2";
import { constants } from "node:http2";

interface ResetRate {
  /** Streams that may be taken back at once: a session has 100 open at most (`maxConcurrentStreams`). */
  burst: number;
  perSecond: number;
}

/** Leaving a page while all of it loads takes 100 back, typing a search 10 a second. */
export const STRANGERS: ResetRate = { burst: 100, perSecond: 20 };
/**
 * Streams that a stranger may take back besides, for each that was answered, and the most of them: Chromium that gives up 200
 * requests takes all of them back, since others begin in the places of the first 100. Who takes answers pays with them.
 */
export const EARNED = { perAnswer: 4, most: 300 };
/**
 * Of a client that has shown who it is. Bazel that is stopped took back 123 on one connection: 100 that were open, and those that
 * began in their place before they were taken back, too. Pants takes back each question that its own work overtakes.
 */
export const KNOWN: ResetRate = { burst: 200, perSecond: 200 };
/** Of a trusted proxy, which has the readers of many on one session: a hundred people who type, or ten pages that are left at once. */
export const PROXIES: ResetRate = { burst: 1_000, perSecond: 200 };
/**
 * Of a stranger's session altogether; then the client is told to open another. Each may leave 6 KB behind for as long as the
 * session lasts: 4 MB.
 */
export const STRANGER_RESETS = 600;

/**
 * Bytes that a known client may send ahead of the server, of one stream and of all: with HTTP/2's 64 KiB an upload over a way
 * of 50 ms has 1.3 MB/s, with these 5. Node counts bytes of a session as read when they come, so a stream that nobody reads
 * holds its window in memory: 512 of them 128 MB.
 */
const STREAM_WINDOW_BYTES = 256 * 1024;
const SESSION_WINDOW_BYTES = 4 * 1024 * 1024;

/** Sessions that may do so at once: what they have sent ahead is in memory until somebody reads it. */
const MAX_WIDE_SESSIONS = 32;

let wideSessions = 0;
const wide = new WeakSet<Http2Session>();
const trusted = new WeakSet<Http2Session>();
const buckets = new WeakMap<Http2Session, { left: number; at: number; count: number }>();

/** Its client has shown who it is. What it took back before counts no more. */
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
 * Whether the client has taken back a stream by a reset with NO_ERROR. Node then waits for an end of the answer that never
 * comes: the stream stays, with its memory and all that its answer holds, and `close` does nothing any more.
 */
export function isTakenBack(stream: ServerHttp2Stream): boolean {
  // One that the server itself has closed is there until its answer has gone.
  return stream.closed && !stream.destroyed && stream.state.state === constants.NGHTTP2_STREAM_STATE_IDLE;
}

interface Counting {
  now: number;
  /** Its session has the requests of many. */
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
  // gRPC's clients also reset a stream whose answer came before all of their message had gone.
  if (isUnwanted && !(isKnown && response.writableEnded)) takeReset(session, counting);
  return !isUnwanted;
}

/** @param answers that a stranger has taken */
export function earnResets(session: Http2Session, answers: number, now: number): void {
  if (answers === 0 || trusted.has(session)) return;
  const bucket = bucketOf(session, STRANGERS, now);
  const left = Math.min(STRANGERS.burst + EARNED.most, bucket.left + answers * EARNED.perAnswer);
  buckets.set(session, { ...bucket, left });
}

function bucketOf(session: Http2Session, { burst, perSecond }: ResetRate, now: number) {
  const { left, at, count } = buckets.get(session) ?? { left: burst, at: now, count: 0 };
  // Time fills it to its burst alone.
  const filled = Math.max(left, Math.min(burst, left + ((now - at) / 1000) * perSecond));
  return { left: filled, at: now, count };
}

/**
 * Ends the session of a client that takes back too many: at once, or, if a stranger's came slowly, when its answers have gone.
 */
export function takeReset(session: Http2Session, { now, isProxy }: Counting): void {
  if (session.destroyed) return;
  const isKnown = isProxy || trusted.has(session);
  const { left, count } = bucketOf(session, isProxy ? PROXIES : isKnown ? KNOWN : STRANGERS, now);
  buckets.set(session, { left: left - 1, at: now, count: count + 1 });
  if (left < 1) endSession(session);
  else if (!isKnown && count + 1 >= STRANGER_RESETS && !session.closed) session.close();
}

/** Node takes a missing error for an error without a code, and says NO_ERROR. */
function endSession(session: Http2Session): void {
  session.destroy(null as unknown as Error, constants.NGHTTP2_ENHANCE_YOUR_CALM);
}
