/**
 * One reader's stream.
 *
 *   hello ─► change change … (what was missed) ─► change … ─► ping every 15 s ─► bye, when the reader may not read any more
 *            too-old, when that is too much
 */
import type { Accounts } from "../accounts.ts";
import type { Actor } from "../actor.ts";
import { authorize } from "../authorize.ts";
import { type Credentials, identifyAgain } from "../identify.ts";
import { Refused } from "../refused.ts";
import { type Cursor, formatCursor } from "./event-cursor.ts";
import type { FeedListener } from "./event-feed.ts";
import type { StoredEvent } from "./event-rows.ts";
import { type EventMessage, writeMessage } from "./event-text.ts";
import { MAX_WAITING_BYTES, PING_MS } from "./limits.ts";
import { readMissed } from "./read-events.ts";
import { showEvent } from "./visible-event.ts";

export interface EventReader {
  credentials: Credentials;
  actor: Actor;
  organizationId: string;
  /** Null: a new reader. */
  since: Cursor | null;
  /** Ends the connection, or the stream of it, with what waits in it. */
  cut?: () => void;
}

export interface EventStream {
  body: ReadableStream<Uint8Array>;
  /** Sends what comes first. Rejects when the database does not answer. */
  start: () => Promise<void>;
  /** Asks whether the reader may still read, and sends a ping when it is time. */
  check: () => Promise<void>;
  /** Ends it without a word: the reader comes back. */
  end: () => void;
}

export interface EventStreamOptions {
  accounts: Accounts;
  reader: EventReader;
  /** Called once, whoever ends it. */
  onEnd: (why: StreamEnd) => void;
}

export type StreamEnd = "left" | "bye" | "slow" | "stopped";

const encoder = new TextEncoder();

export function createEventStream({ accounts, reader, onEnd }: EventStreamOptions): EventStream {
  const { organizationId, since } = reader;
  let { actor } = reader;
  let controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  let stopListening = () => {};
  let sentAt = accounts.clock();
  /** What came before the first message had gone. */
  let early: (() => void)[] | null = [];
  let last: Cursor = { id: 0, time: 0 };
  const missed = new Set<number>();

  const body = new ReadableStream<Uint8Array>(
    { start: (each) => void (controller = each), cancel: () => leave("left") },
    new ByteLengthQueuingStrategy({ highWaterMark: MAX_WAITING_BYTES }),
  );

  function leave(why: StreamEnd): void {
    const open = controller;
    if (!open) return;
    controller = null;
    stopListening();
    if (why === "slow" && reader.cut) reader.cut();
    else if (why === "slow") open.error(new Error("The reader takes its events too slowly."));
    else if (why !== "left") open.close();
    onEnd(why);
  }

  function send(messages: readonly EventMessage[]): void {
    if (!controller || messages.length === 0) return;
    if ((controller.desiredSize ?? 0) <= 0) return leave("slow");
    controller.enqueue(encoder.encode(messages.map(writeMessage).join("")));
    sentAt = accounts.clock();
  }

  /** Who has lost the connection within a batch gets all of it again. */
  function sendEvents(events: readonly StoredEvent[], safe: number): void {
    const before = formatCursor(last);
    last = { id: safe, time: accounts.clock() };
    const after = formatCursor(last);
    send(
      events.map((event, index) => ({
        event: "change",
        id: index === events.length - 1 ? after : before,
        data: showEvent(event, actor),
      })),
    );
  }

  function whenStarted(run: () => void): void {
    if (early) early.push(run);
    else run();
  }

  const state = () => {
    const at = new Date(accounts.clock()).toISOString();
    return { at, version: accounts.version, last: formatCursor(last) };
  };
  const sendLost = () => send([{ event: "too-old", data: state() }]);
  const listener: FeedListener = {
    organizationId,
    onEvents: (events, safe) =>
      whenStarted(() => sendEvents(events.filter(({ id }) => !missed.has(id)), safe)),
    onLost: () => whenStarted(sendLost),
  };

  async function start(): Promise<void> {
    const { safe, stop } = await accounts.events.listen(listener);
    stopListening = stop;
    if (!controller) return stop();
    const events = await readMissed(accounts, { organizationId, since, last: safe });
    const first = events?.[0];
    // A number below that of the first may still be taken by somebody who has not committed.
    const known = first ? Math.min(since?.id ?? first.id - 1, safe) : safe;
    last = { id: known, time: accounts.clock() };
    send([{ event: "hello", data: state() }]);
    for (const { id } of events ?? []) missed.add(id);
    if (events) sendEvents(events, safe);
    else sendLost();
    const waiting = early ?? [];
    early = null;
    for (const run of waiting) run();
  }

  return {
    body,
    start,
    async check() {
      if (!controller) return;
      const refused = await mayRead(accounts, reader);
      if (refused instanceof Refused) {
        if (refused.code === "unavailable") return;
        send([{ event: "bye", data: { code: refused.code } }]);
        leave("bye");
        return;
      }
      actor = refused;
      if (accounts.clock() - sentAt >= PING_MS) send([{ event: "ping", data: state() }]);
    },
    end: () => leave("stopped"),
  };
}

/** Who reads now, with the rights that they have now. */
async function mayRead(accounts: Accounts, { credentials, organizationId }: EventReader): Promise<Actor | Refused> {
  try {
    const actor = await identifyAgain(accounts, credentials);
    const resource = { name: `organization ${organizationId}`, organizationId };
    return authorize(actor, "organization.read", resource) ?? actor;
  } catch (error) {
    if (error instanceof Refused) return error;
    throw error;
  }
}
