/**
 * One process reads the table of events for all its streams together: once a second, and immediately after a change of its
 * own. Without listeners it reads nothing.
 */
import type { Log } from "#platform/log/log.ts";
import { outsideRequests } from "#platform/log/request-context.ts";
import type { AccountDatabase } from "../records/schema.ts";
import { type EventPosition, openEventPosition } from "./event-position.ts";
import type { Feed, FeedListener, StoredEvent } from "../contract/events.ts";
import { MIN_POLL_MS, POLL_MS } from "./limits.ts";

export interface EventFeedOptions {
  database: AccountDatabase;
  log: Pick<Log, "warn">;
}

export class EventFeed implements Feed {
  readonly #options: EventFeedOptions;
  /** By organization. */
  readonly #listeners = new Map<string, Set<FeedListener>>();
  #position: Promise<EventPosition> | null = null;
  #running: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #isWoken = false;
  #isStopped = false;
  #isFailing = false;

  constructor(options: EventFeedOptions) {
    this.#options = options;
  }

  async listen(listener: FeedListener): Promise<{ safe: number; stop: () => void }> {
    const group = this.#listeners.get(listener.organizationId) ?? new Set();
    this.#listeners.set(listener.organizationId, group.add(listener));
    this.#position ??= outsideRequests(() => openEventPosition(this.#options.database));
    const opening = this.#position;
    try {
      const { safe } = await opening;
      if (!this.#running) this.#goOn();
      return { safe, stop: () => this.#remove(listener) };
    } catch (error) {
      if (this.#position === opening) this.#position = null;
      this.#remove(listener);
      throw error;
    }
  }

  async findSafe(): Promise<number> {
    const { safe } = await (this.#position ?? openEventPosition(this.#options.database));
    return safe;
  }

  wake(): void {
    if (this.#isStopped || this.#listeners.size === 0 || this.#isWoken) return;
    this.#isWoken = true;
    if (this.#running) return;
    this.#begin();
  }

  async poll(): Promise<void> {
    // A poll that is already running may have read too early.
    await this.#running;
    if (this.#listeners.size > 0) this.#begin();
    await this.#running;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#listeners.clear();
    this.#clearTimer();
    await this.#running;
  }

  #begin(): void {
    this.#clearTimer();
    this.#isWoken = false;
    this.#running ??= outsideRequests(() => this.#lookOnce()).finally(() => {
      this.#running = null;
      this.#goOn();
    });
  }

  #goOn(): void {
    if (this.#isStopped || this.#timer !== null) return;
    if (this.#listeners.size === 0) this.#position = null;
    else this.#timer = setTimeout(() => this.#begin(), this.#isWoken ? MIN_POLL_MS : POLL_MS).unref();
  }

  async #lookOnce(): Promise<void> {
    try {
      await this.#look();
      this.#isFailing = false;
    } catch (error) {
      // Logged once: a database that is unreachable stays so for many seconds.
      if (!this.#isFailing && !this.#isStopped)
        this.#options.log.warn("Could not read events. Retrying.", { error });
      this.#isFailing = true;
    }
  }

  async #look(): Promise<void> {
    if (!this.#position) return;
    const place = await this.#position;
    for (let isFull = true; isFull && this.#listeners.size > 0;) {
      const found = await place.readNew();
      isFull = found.isFull;
      this.#give(found.events, place.safe);
      if (found.isLost) for (const group of this.#listeners.values()) for (const each of group) each.onLost();
      // Readers get their turn to take the events that they were given.
      if (isFull) await new Promise((resolve) => setImmediate(resolve));
    }
  }

  #give(events: readonly StoredEvent[], safe: number): void {
    const groups = Map.groupBy(events, ({ organizationId }) => organizationId);
    for (const [organizationId, group] of groups)
      for (const listener of this.#listeners.get(organizationId) ?? []) listener.onEvents(group, safe);
  }

  #remove(listener: FeedListener): void {
    const group = this.#listeners.get(listener.organizationId);
    if (!group?.delete(listener) || group.size > 0) return;
    this.#listeners.delete(listener.organizationId);
    if (this.#listeners.size > 0) return;
    this.#clearTimer();
    if (!this.#running) this.#position = null;
  }

  #clearTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
