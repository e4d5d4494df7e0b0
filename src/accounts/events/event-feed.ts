/**
 * What one process reads of the table of events for all its streams together: once a second, and at once after a change
 * of its own. Nobody listens: nothing is read.
 */
import type { Log } from "#platform/log/log.ts";
import type { AccountDatabase } from "../schema.ts";
import { type EventPosition, openEventPosition } from "./event-position.ts";
import type { StoredEvent } from "./event-rows.ts";
import { MIN_POLL_MS, POLL_MS } from "./limits.ts";

export interface FeedListener {
  organizationId: string;
  /**
   * @param events of the organization, in the order of their numbers
   * @param safe everything up to this number was given to the listener then
   */
  onEvents: (events: readonly StoredEvent[], safe: number) => void;
  /** Events may have been missed. */
  onLost: () => void;
}

export interface EventFeed {
  /** @returns the number after which the listener misses nothing, and how it stops */
  listen: (listener: FeedListener) => Promise<{ safe: number; stop: () => void }>;
  /** Looks now: something has changed. */
  wake: () => void;
  /** Looks, and resolves when what is there has been given to all. */
  poll: () => Promise<void>;
  stop: () => Promise<void>;
}

export interface EventFeedOptions {
  database: AccountDatabase;
  log: Pick<Log, "warn">;
}

export function createEventFeed({ database, log }: EventFeedOptions): EventFeed {
  const listeners = new Map<string, Set<FeedListener>>();
  let position: Promise<EventPosition> | null = null;
  let running: Promise<void> | null = null;
  let timer: NodeJS.Timeout | null = null;
  let isWoken = false;
  let isStopped = false;
  let isFailing = false;

  async function look(): Promise<void> {
    if (!position) return;
    const place = await position;
    for (let isFull = true; isFull && listeners.size > 0; ) {
      // oxlint-disable-next-line no-await-in-loop -- the next rows follow these
      const found = await place.readNew();
      isFull = found.isFull;
      give(found.events, place.safe);
      if (found.isLost) for (const group of listeners.values()) for (const each of group) each.onLost();
      // Readers get their turn to take what they were given.
      // oxlint-disable-next-line no-await-in-loop -- as above
      if (isFull) await new Promise((resolve) => setImmediate(resolve));
    }
  }

  function give(events: readonly StoredEvent[], safe: number): void {
    const groups = Map.groupBy(events, ({ organizationId }) => organizationId);
    for (const [organizationId, group] of groups)
      for (const listener of listeners.get(organizationId) ?? []) listener.onEvents(group, safe);
  }

  async function lookOnce(): Promise<void> {
    try {
      await look();
      isFailing = false;
    } catch (error) {
      // Told once: a database that is away stays so for many seconds.
      if (!isFailing && !isStopped) log.warn("Events could not be read. It is tried again.", { error });
      isFailing = true;
    }
  }

  function begin(): void {
    timer = null;
    isWoken = false;
    running ??= lookOnce().finally(() => {
      running = null;
      goOn();
    });
  }

  function goOn(): void {
    if (isStopped || timer !== null) return;
    if (listeners.size === 0) position = null;
    else timer = setTimeout(begin, isWoken ? MIN_POLL_MS : POLL_MS).unref();
  }

  function wake(): void {
    if (isStopped || listeners.size === 0 || isWoken) return;
    isWoken = true;
    if (running) return;
    if (timer !== null) clearTimeout(timer);
    begin();
  }

  function remove(listener: FeedListener): void {
    const group = listeners.get(listener.organizationId);
    if (!group?.delete(listener) || group.size > 0) return;
    listeners.delete(listener.organizationId);
    if (listeners.size > 0) return;
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (!running) position = null;
  }

  return {
    async listen(listener) {
      const group = listeners.get(listener.organizationId) ?? new Set();
      listeners.set(listener.organizationId, group.add(listener));
      position ??= openEventPosition(database);
      const opening = position;
      try {
        const { safe } = await opening;
        if (!running) goOn();
        return { safe, stop: () => remove(listener) };
      } catch (error) {
        if (position === opening) position = null;
        remove(listener);
        throw error;
      }
    },
    wake,
    async poll() {
      // What runs already may have looked too early.
      await running;
      if (timer !== null) clearTimeout(timer);
      timer = null;
      if (listeners.size > 0) begin();
      await running;
    },
    async stop() {
      isStopped = true;
      listeners.clear();
      if (timer !== null) clearTimeout(timer);
      timer = null;
      await running;
    },
  };
}
