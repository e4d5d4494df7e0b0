/** State shared by the steps of the connection guard. */
import type { AnyRequest, Connection } from "./connection.ts";
import type { ConnectionLimits } from "./connection-limits.ts";
import { createPlaces, type Places } from "./places.ts";
import { createUnsentAnswers, type UnsentAnswers } from "./unsent-answers.ts";

export interface ConnectionGuardOptions {
  limits: ConnectionLimits;
  /** Whether an address is a proxy's, which does not count as one client. Default: none. */
  isExempt?: (address: string) => boolean;
  /** Whether connections begin with a TLS handshake: a client without a place then gets no reason. */
  isTls?: boolean;
  /** Milliseconds from any origin. Default `performance.now`. */
  clock?: () => number;
}

export interface GuardState extends Required<ConnectionGuardOptions> {
  readonly places: Places;
  readonly unsent: UnsentAnswers;
  /** Connections by the object that their requests refer to: a socket, a TLS socket, an HTTP/2 session. */
  readonly carried: WeakMap<object, Connection>;
  isDraining: boolean;
}

export function createGuardState(options: ConnectionGuardOptions): GuardState {
  const { limits, isExempt = () => false, isTls = false, clock = () => performance.now() } = options;
  const places = createPlaces(clock);
  const unsent = createUnsentAnswers(() => readersIn(places), clock);
  return { limits, isExempt, isTls, clock, places, unsent, carried: new WeakMap(), isDraining: false };
}

function* readersIn({ phases }: Places): Generator<Connection> {
  yield* phases.receiving;
  yield* phases.answering;
}

export function findConnection({ carried, places }: GuardState, request: AnyRequest): Connection | undefined {
  const carrier = "stream" in request ? request.stream.session : request.socket;
  const connection = carrier && carried.get(carrier);
  return connection && places.all.has(connection.socket) ? connection : undefined;
}

export function cutConnection({ places }: GuardState, connection: Connection): void {
  // Immediately: its place and requests are free now, `close` events come later.
  places.countRequests(connection, -connection.exchanges.size);
  connection.exchanges.clear();
  places.remove(connection);
  connection.socket.destroy();
}

/** Whether a reader takes nothing of its answer, as last measured. */
export function isStalled({ unsent, limits }: GuardState, connection: Connection): boolean {
  return unsent.isStalled(connection, limits.stalledMs);
}
