/**
 * One reader's stream.
 *
 *   hello ─► change change … (what was missed) ─► change … ─► ping every 15 s ─► bye, when the reader may no longer read
 *            too-old, when that is too much
 */
import type { Accounts } from "../contract/accounts.ts";
import type { Actor } from "../contract/actor.ts";
import { authorize } from "../contract/authorize.ts";
import { type Credentials, identifyAgain } from "../identity/identify.ts";
import { Refused } from "../contract/refused.ts";
import { type Cursor, formatCursor } from "../events/event-cursor.ts";
import type { FeedListener, StoredEvent } from "../contract/events.ts";
import { type EventMessage, writeMessage } from "./event-text.ts";
import { MAX_WAITING_BYTES, PING_MS } from "../events/limits.ts";
import type { ReaderConnection } from "#platform/http/connections/reader-connection.ts";
import { readMissed } from "./read-events.ts";
import { showEvent } from "../events/visible-event.ts";

export interface EventReader {
  credentials: Credentials;
  actor: Actor;
  organizationId: string;
  /** Null: a new reader. */
  since: Cursor | null;
  connection: ReaderConnection;
}

export type StreamEnd = "left" | "bye" | "replaced" | "slow" | "stopped";

export interface EventStreamOptions {
  accounts: Accounts;
  reader: EventReader;
  /** Called once, whichever side ends the stream. */
  onEnd: (why: StreamEnd) => void;
}

const encoder = new TextEncoder();

export class EventStream implements FeedListener {
  readonly body: ReadableStream<Uint8Array>;
  readonly organizationId: string;
  readonly #options: EventStreamOptions;
  #actor: Actor;
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  #stopListening = () => {};
  #stopWatching = () => {};
  #sentAt: number;
  /** Resolves when all events received until now have been given. */
  #given = Promise.resolve();
  /** Events that arrived before the first message was sent. */
  #early: (() => void)[] | null = [];
  #last: Cursor = { id: 0, time: 0 };
  /** Numbers of the events that were sent as missed. */
  readonly #missed = new Set<number>();
  constructor(options: EventStreamOptions) {
    const { accounts, reader } = options;
    this.#options = options;
    this.organizationId = reader.organizationId;
    this.#actor = reader.actor;
    this.#sentAt = accounts.clock();
    this.body = new ReadableStream<Uint8Array>(
      { start: (each) => void (this.#controller = each), cancel: () => this.#leave("canceled") },
      new ByteLengthQueuingStrategy({ highWaterMark: MAX_WAITING_BYTES }),
    );
  }

  /** Sends the first messages. Rejects when the database does not answer. */
  async start(): Promise<void> {
    const { accounts, reader } = this.#options;
    const { organizationId, since } = reader;
    this.#stopWatching = reader.connection.watch(() => this.#leave("gone"));
    if (!this.#controller) return this.#stopWatching();
    const { safe, stop } = await accounts.events.listen(this);
    this.#stopListening = stop;
    if (!this.#controller) return stop();
    const events = await readMissed(accounts, { organizationId, since, last: safe });
    // Rights may have changed during the look-ups.
    if (!(await this.#mayGoOn())) return this.end();
    const first = events?.[0];
    // A writer that has not committed may still hold a number below the first one.
    const known = first ? Math.min(since?.id ?? first.id - 1, safe) : safe;
    this.#last = { id: known, time: accounts.clock() };
    this.#send([{ event: "hello", data: this.#state() }]);
    for (const { id } of events ?? []) this.#missed.add(id);
    if (events) this.#sendEvents(events, safe);
    else this.#sendLost();
    const waiting = this.#early ?? [];
    this.#early = null;
    for (const run of waiting) this.#give(run);
  }

  onEvents(events: readonly StoredEvent[], safe: number): void {
    this.#give(() => {
      const news = events.filter(({ id }) => !this.#missed.has(id));
      this.#sendEvents(news, safe);
    });
  }

  onLost(): void {
    this.#give(() => this.#sendLost());
  }

  /** Asks whether the reader may still read, and sends a ping when it is time. */
  async check(): Promise<void> {
    if (!(await this.#mayGoOn())) return;
    const { accounts } = this.#options;
    if (Math.abs(accounts.clock() - this.#sentAt) >= PING_MS)
      this.#send([{ event: "ping", data: this.#state() }]);
  }

  /** Ends it to make room for another stream of the same person. */
  replace(): void {
    this.#send([{ event: "bye", data: { code: "resource_exhausted" } }]);
    this.#leave("replaced");
  }

  /** Ends it without a message: the reader reconnects. */
  end(): void {
    this.#leave("stopped");
  }

  #leave(why: Exclude<StreamEnd, "left"> | "gone" | "canceled"): void {
    const open = this.#controller;
    if (!open) return;
    const { reader, onEnd } = this.#options;
    this.#controller = null;
    this.#stopListening();
    this.#stopWatching();
    if (why === "slow" && reader.connection.cut) reader.connection.cut();
    else if (why === "slow") open.error(new Error("The client reads its events too slowly."));
    else if (why !== "canceled") open.close();
    onEnd(why === "gone" || why === "canceled" ? "left" : why);
  }

  #send(messages: readonly EventMessage[]): void {
    const open = this.#controller;
    if (!open || messages.length === 0) return;
    if ((open.desiredSize ?? 0) <= 0) return this.#leave("slow");
    open.enqueue(encoder.encode(messages.map(writeMessage).join("")));
    this.#sentAt = this.#options.accounts.clock();
  }

  /** A reader that loses the connection within a batch gets the whole batch again. */
  #sendEvents(events: readonly StoredEvent[], safe: number): void {
    const before = formatCursor(this.#last);
    this.#last = { id: safe, time: this.#options.accounts.clock() };
    const after = formatCursor(this.#last);
    const messages = events.map((event, index): EventMessage => ({
      event: "change",
      id: index === events.length - 1 ? after : before,
      data: showEvent(event, this.#actor),
    }));
    this.#send(messages);
  }

  #sendLost(): void {
    this.#send([{ event: "too-old", data: this.#state() }]);
  }

  #state(): object {
    const { clock, version } = this.#options.accounts;
    return { at: new Date(clock()).toISOString(), version, last: formatCursor(this.#last) };
  }

  /** Says bye to a reader who may no longer read. @returns false: they may not, or the check failed */
  async #mayGoOn(): Promise<boolean> {
    if (!this.#controller) return false;
    const { accounts, reader } = this.#options;
    const refused = await mayRead(accounts, reader);
    if (!this.#controller) return false;
    if (refused instanceof Refused) {
      if (refused.code === "unavailable") return false;
      this.#send([{ event: "bye", data: { code: refused.code } }]);
      this.#leave("bye");
      return false;
    }
    this.#actor = refused;
    return true;
  }

  /**
   * Gives events in order, and only to a reader who may read at this moment: a removed member gets nothing that happens after
   * the removal. A reader whose rights could not be checked reconnects for them.
   */
  #give(run: () => void): void {
    if (this.#early) return void this.#early.push(run);
    this.#given = this.#given.then(async () => {
      try {
        if (await this.#mayGoOn()) return run();
      } catch (error) {
        this.#options.accounts.log.error("Could not check a client that reads events.", { error });
      }
      this.end();
    });
  }
}

/** The reader, with their current rights. */
async function mayRead(
  accounts: Accounts,
  { credentials, organizationId }: EventReader,
): Promise<Actor | Refused> {
  try {
    const actor = await identifyAgain(accounts, credentials);
    const resource = { name: `organization ${organizationId}`, organizationId };
    return authorize(actor, "organization.read", resource) ?? actor;
  } catch (error) {
    if (error instanceof Refused) return error;
    throw error;
  }
}
