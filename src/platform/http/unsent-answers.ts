/**
 * What answers cost that wait for their readers. An answer that was made for its request is in memory until the last byte
 * has gone; how much of it has gone shows who reads slowly and who reads nothing.
 */
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Context } from "hono";

/** Added up again after this time; meanwhile one process makes a few answers at most. */
const MEASURE_MS = 10;

const shared = new WeakSet<object>();

/** Says that the answer of this request is in memory anyway: it costs nothing while it waits for its reader. */
export function markShared(context: Context): void {
  // `env` is what the adapter passes, typed by nobody.
  const { outgoing } = (context.env ?? {}) as { outgoing?: ServerResponse };
  if (outgoing) shared.add(outgoing);
}

/** One connection, and what was seen of its answers. */
export interface Reader {
  readonly socket: Socket;
  /** Who counts as one client. */
  readonly key: string;
  /** Not closed yet, in the order of their requests. */
  readonly responses: ReadonlySet<ServerResponse>;
  /** Bytes of answers that are in memory for it. */
  unsent: number;
  /** Bytes that the system has not taken yet. */
  queued: number;
  /** When it was last seen that it had taken something. */
  tookAt: number;
}

export interface UnsentAnswers {
  /** Adds up what waits for readers, and notes who has taken something since the last time. */
  measure: () => void;
  /** Takes a reader out of the sum that was cut since. */
  release: (reader: Reader) => void;
  /** Whether a reader took nothing for so long, when last measured. */
  isStalled: (reader: Reader, milliseconds: number) => boolean;
  /** Bytes for one client, when last measured. */
  bytesOf: (key: string) => number;
  /** Bytes for all, when last measured. */
  readonly bytes: number;
}

/** @param readers those that may wait for an answer */
export function createUnsentAnswers(readers: () => Iterable<Reader>, clock: () => number): UnsentAnswers {
  const byClient = new Map<string, number>();
  let measuredAt = Number.NEGATIVE_INFINITY;
  let bytes = 0;

  function look(reader: Reader, now: number): void {
    const queued = queuedBytes(reader.socket);
    if (queued === 0 || queued !== reader.queued) reader.tookAt = now;
    reader.queued = queued;
    reader.unsent = 0;
    for (const response of reader.responses)
      if (!shared.has(response)) reader.unsent += response.writableLength;
    if (reader.unsent === 0) return;
    bytes += reader.unsent;
    byClient.set(reader.key, (byClient.get(reader.key) ?? 0) + reader.unsent);
  }

  return {
    measure() {
      const now = clock();
      if (now - measuredAt < MEASURE_MS) return;
      measuredAt = now;
      bytes = 0;
      byClient.clear();
      for (const reader of readers()) look(reader, now);
    },
    release({ key, unsent }) {
      bytes -= unsent;
      byClient.set(key, (byClient.get(key) ?? 0) - unsent);
    },
    isStalled: ({ queued, tookAt }, milliseconds) => queued > 0 && measuredAt - tookAt >= milliseconds,
    bytesOf: (key) => byClient.get(key) ?? 0,
    get bytes() {
      return bytes;
    },
  };
}

/** Of a large piece Node itself counts all until all of it has gone. */
function queuedBytes(socket: Socket): number {
  // The only place that shows progress within one piece; Node's own time-out looks there too.
  const { _handle: handle } = socket as Socket & { _handle?: { writeQueueSize?: number } };
  return handle?.writeQueueSize ?? socket.writableLength;
}
