/**
 * The cost of answers that wait for their readers. A generated answer is in memory until its last byte is sent; how much of it
 * was sent distinguishes slow readers from readers that take nothing.
 *
 * Two things can hold an answer back. The system accepts no more bytes, because the client reads nothing from its connection; or,
 * in HTTP/2, the client gives a stream no window but reads everything else. Both are measured in bytes sent, not in activity on
 * the connection: a client that sends pings gets answers to them.
 */
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Context } from "hono";
import { type Connection, type Exchange, isComing } from "./connection.ts";
import { StepwiseResponse } from "./stepwise-response.ts";

/** Sums are renewed after this time, in which a process makes only a few answers. */
const MEASURE_MS = 10;

const shared = new WeakSet<object>();

/** Marks the answer of this request as shared memory: it costs nothing while it waits for its reader. */
export function markShared(context: Context): void {
  // `env` is passed by the adapter and has no type.
  const { outgoing } = (context.env ?? {}) as { outgoing?: ServerResponse };
  if (outgoing) shared.add(outgoing);
}

export interface UnsentAnswers {
  /** Adds up bytes that wait for readers, and notes which readers have taken something since the last time. */
  measure: () => void;
  /** Subtracts a connection that was cut after measuring. */
  release: (connection: Connection) => void;
  /** Whether a reader had taken nothing for that long when last measured. */
  isStalled: (connection: Connection, milliseconds: number) => boolean;
  /** Answers of an HTTP/2 connection that had been stalled for that long when last measured. */
  stalledAnswers: (connection: Connection, milliseconds: number) => Exchange[];
  /** Requests of a connection that are incomplete, or whose answers have been stalled for that long. */
  held: (connection: Connection, milliseconds: number) => number;
  /** Bytes for one client, or for a network, when last measured. */
  bytesOf: (key: string) => number;
  /** Bytes for all, when last measured. */
  readonly bytes: number;
}

/** @param readers connections that may wait for an answer */
export function createUnsentAnswers(readers: () => Iterable<Connection>, clock: () => number): UnsentAnswers {
  const byClient = new Map<string, number>();
  let measuredAt = Number.NEGATIVE_INFINITY;
  let bytes = 0;

  function look(reader: Connection, now: number): void {
    const { queued, taken } = outgoingBytes(reader.socket);
    const isMoving = queued === 0 ? hasTakenAnswers(reader, now) : taken !== reader.taken;
    // On a slow connection no single stream can be blamed.
    if (queued > 0) for (const exchange of reader.exchanges) exchange.tookAt = now;
    if (isMoving) reader.tookAt = now;
    reader.taken = taken;
    reader.isBlocked = queued > 0;
    reader.queued = queued;
    reader.unsent = 0;
    for (const { response } of reader.exchanges) {
      const { writableLength } = response;
      if (reader.session) reader.queued += writableLength;
      if (!shared.has(response)) reader.unsent += writableLength;
    }
    if (reader.unsent === 0) return;
    bytes += reader.unsent;
    for (const key of reader.keys) byClient.set(key, (byClient.get(key) ?? 0) + reader.unsent);
  }

  const isUntaken = ({ response, tookAt }: Exchange, milliseconds: number) =>
    response.writableLength > 0 && measuredAt - tookAt >= milliseconds;

  return {
    measure() {
      const now = clock();
      if (now - measuredAt < MEASURE_MS) return;
      measuredAt = now;
      bytes = 0;
      byClient.clear();
      for (const reader of readers()) look(reader, now);
    },
    release({ keys, unsent }) {
      bytes -= unsent;
      for (const key of keys) byClient.set(key, (byClient.get(key) ?? 0) - unsent);
    },
    isStalled: ({ queued, tookAt }, milliseconds) => queued > 0 && measuredAt - tookAt >= milliseconds,
    stalledAnswers: ({ session, exchanges }, milliseconds) =>
      session ? [...exchanges].filter((exchange) => isUntaken(exchange, milliseconds)) : [],
    held({ session, exchanges, queued, tookAt }, milliseconds) {
      const isConnectionStalled = queued > 0 && measuredAt - tookAt >= milliseconds;
      let count = 0;
      for (const exchange of exchanges)
        if (
          (isComing(exchange.request) && !exchange.upload) ||
          (session && isUntaken(exchange, milliseconds)) ||
          isConnectionStalled
        )
          count += 1;
      return count;
    },
    bytesOf: (key) => byClient.get(key) ?? 0,
    get bytes() {
      return bytes;
    },
  };
}

/**
 * Notes for each answer whether any of it has been taken.
 * @returns false when no waiting answer was taken, and no complete request is being answered
 */
function hasTakenAnswers({ session, exchanges }: Connection, now: number): boolean {
  if (!session) return true;
  let isMoving = false;
  let isHeld = false;
  for (const exchange of exchanges) {
    const { request, response } = exchange;
    const sent = response instanceof StepwiseResponse ? response.sentBytes : 0;
    const hasTaken = response.writableLength === 0 || sent !== exchange.sent;
    exchange.sent = sent;
    if (hasTaken) exchange.tookAt = now;
    isHeld ||= !hasTaken;
    isMoving ||= hasTaken && !isComing(request);
  }
  return isMoving || !isHeld;
}

/** Node itself counts a large piece in full until all of it is sent. */
function outgoingBytes(socket: Socket): { queued: number; taken: number } {
  // The only source that shows progress within a piece; Node's own time-out reads it too.
  const { _handle: handle } = socket as Socket & {
    _handle?: { writeQueueSize?: number; bytesWritten?: number };
  };
  const queued = handle?.writeQueueSize ?? socket.writableLength;
  return { queued, taken: (handle?.bytesWritten ?? socket.bytesWritten) - queued };
}
