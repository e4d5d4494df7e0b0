/** Decides which requests are answered, and how the end of a request affects its connection's place. */
import { constants, type Http2Session } from "node:http2";
import type { Socket } from "node:net";
import type { AnyRequest, AnyResponse, Connection, Exchange, UploadPace } from "./connection.ts";
import { hasBody, hasWholeRequest, isComing } from "./connection.ts";
import { cutConnection, findConnection, type GuardState } from "./guard-state.ts";
import { hasOneHost } from "./one-host.ts";
import { RETRY_SECONDS, sharesOf } from "./connection-limits.ts";
import { countReset, earnResets, isTakenBack, takeReset } from "./stream-resets.ts";

/** @returns false when it was refused here */
export function admitRequest(state: GuardState, request: AnyRequest, response: AnyResponse): boolean {
  const connection = findConnection(state, request);
  // Its place was given away while the request was arriving.
  if (!connection) return false;
  watchResets(state, connection, response);
  const status = refusal(state, connection, request);
  if (status !== 0) return refuse(connection, response, status);
  const { session } = connection;
  if (state.isDraining && !session) response.setHeader("Connection", "close");
  beginExchange(state, connection, { request, response });
  if (session && connection.requests >= state.limits.requestsPerConnection) session.close();
  // While an earlier body is still arriving, the place keeps its rank; next to other requests a body changes nothing.
  const isReceiving = hasBody(request) && (!session || connection.phase !== "answering");
  const phase = isReceiving ? "receiving" : "answering";
  if (connection.phase !== phase) state.places.move(connection, phase);
  return true;
}

/** @returns false when it was refused here */
export function admitOther(state: GuardState, carrier: Socket): boolean {
  const connection = state.carried.get(carrier);
  if (!connection || !state.places.all.has(connection.socket) || state.isDraining) return false;
  connection.isUpgraded = true;
  connection.carrier.setTimeout(0);
  state.places.move(connection, "answering");
  return true;
}

/**
 * Gives an admitted request of a known sender more time for its body, as long as bytes keep arriving; it is no longer the first
 * to lose its place.
 * @returns a pace for the caller to update; null when the connection has ended
 */
export function admitUpload(state: GuardState, request: AnyRequest): UploadPace | null {
  const connection = findConnection(state, request);
  if (!connection) return null;
  for (const exchange of connection.exchanges) {
    if (exchange.request !== request) continue;
    const pace = { receivedBytes: 0, isHeld: false };
    exchange.upload = { pace, markedAt: state.clock(), markedBytes: 0 };
    if (connection.phase === "receiving") state.places.move(connection, "answering");
    return pace;
  }
  return null;
}

function beginExchange(
  state: GuardState,
  connection: Connection,
  { request, response }: Pick<Exchange, "request" | "response">,
): void {
  const now = state.clock();
  const exchange: Exchange = { request, response, startedAt: now, sent: 0, tookAt: now, upload: null };
  connection.exchanges.add(exchange);
  connection.requests += 1;
  state.places.countRequests(connection, 1);
  response.once("close", () => endExchange(state, connection, exchange));
}

/** Refused requests also count: they are cheap, but not in large numbers. */
function watchResets(state: GuardState, connection: Connection, response: AnyResponse): void {
  const { session, exchanges, isExempt } = connection;
  if (!session || !("stream" in response)) return;
  const { streamsPerConnection } = state.limits;
  const counting = () => ({ now: state.clock(), isProxy: isExempt });
  response.once("close", () => {
    if (countReset(response, session, counting())) connection.answered += 1;
  });
  if (connection.begun === 0) beginTurn(state, connection, session);
  connection.begun += 1;
  // No answer was sent since this turn began, so requests beyond the concurrency limit were cancelled.
  if (connection.begun > streamsPerConnection) takeReset(session, counting());
  // Node does not report these, so they are counted with the next request.
  for (const { response: other } of exchanges)
    if ("stream" in other && isTakenBack(other.stream)) other.stream.destroy();
}

/** If a turn began more requests than may be open, seemingly answered ones may have been cancelled: they earn nothing. */
function beginTurn(state: GuardState, connection: Connection, session: Http2Session): void {
  earnResets(session, connection.answered, state.clock());
  connection.answered = 0;
  setImmediate(() => {
    if (connection.begun > state.limits.streamsPerConnection) connection.answered = 0;
    connection.begun = 0;
  });
}

function endExchange({ places, isDraining }: GuardState, connection: Connection, exchange: Exchange): void {
  // A cut connection's requests are already subtracted.
  if (!connection.exchanges.delete(exchange)) return;
  places.countRequests(connection, -1);
  if (!connection.session && isComing(exchange.request)) connection.leftover = exchange;
  if (!places.all.has(connection.socket)) return;
  if (connection.exchanges.size === 0) {
    places.move(connection, "idle");
    // A draining session ends on its own.
    if (isDraining && !connection.session) connection.carrier.destroySoon();
  } else if (connection.session && connection.phase === "answering" && !hasWholeRequest(connection))
    places.move(connection, "receiving");
}

/** @returns the status of a refusal, or 0 */
function refusal(state: GuardState, connection: Connection, request: AnyRequest): 0 | 400 | 431 | 503 {
  const { limits, places } = state;
  const { session, exchanges, clients } = connection;
  if (!hasOneHost(request)) return 400;
  if (!session && exchanges.size >= limits.pipelinedRequests) return 503;
  const shares = sharesOf(connection, limits.requestsPerAddress, limits.requests);
  if (!connection.isExempt && clients.some(({ requests }, level) => requests >= shares[level]!)) return 503;
  if (places.requests >= limits.requests && !makeRoomForRequest(state, connection)) return 503;
  if (request.rawHeaders.length > 2 * limits.headerLines) return 431;
  return session && lengthOf(request.rawHeaders) > limits.headerBytes ? 431 : 0;
}

/**
 * When there are too many requests in total: cuts the connection with the most that cannot be answered. Sessions can fill the
 * server faster than any of them counts as stalled; then the connection with the most waiting answers is cut. A trusted proxy's
 * answers wait for many readers, so it is cut only after it has stalled for some time.
 */
function makeRoomForRequest(state: GuardState, newcomer: Connection): boolean {
  const { unsent, places, limits } = state;
  unsent.measure();
  const victim =
    places.findHolder(newcomer, (connection) => unsent.held(connection, limits.stalledMs)) ??
    places.findHolder(newcomer, (connection) => (connection.isExempt ? 0 : unsent.held(connection, 0)));
  if (victim) cutConnection(state, victim);
  return victim !== null;
}

function lengthOf(texts: readonly string[]): number {
  let length = 0;
  for (const text of texts) length += text.length;
  return length;
}

function refuse({ session }: Connection, response: AnyResponse, status: 400 | 431 | 503): false {
  const headers = {
    "Content-Length": 0,
    ...(!session && { Connection: "close" }),
    ...(status === 503 && { "Retry-After": RETRY_SECONDS }),
  };
  (response as { writeHead: (status: number, headers: object) => void }).writeHead(status, headers);
  response.end();
  // The body, which is no longer counted, must not keep the stream open; the answer is sent first.
  if ("stream" in response) setImmediate(() => response.stream.close(constants.NGHTTP2_NO_ERROR));
  return false;
}
