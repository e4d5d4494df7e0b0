/** Changes and refusals, as the context gives them to the event stream. */
import type { ShownToken } from "./refused.ts";

/** An event as it is stored. */
export interface StoredEvent {
  id: number;
  organizationId: string;
  /** Milliseconds since 1970. */
  time: number;
  kind: string;
  subject: string;
  projectId: string | null;
  actor: string;
  actorId: string;
  text: string;
  isRefused: boolean;
}

export interface FeedListener {
  organizationId: string;
  /**
   * @param events of the organization, in the order of their numbers
   * @param safe everything up to this number has then been given to the listener
   */
  onEvents: (events: readonly StoredEvent[], safe: number) => void;
  /** Events may have been missed. */
  onLost: () => void;
}

export interface Feed {
  /** @returns the number after which the listener misses nothing, and a function that stops it */
  listen(listener: FeedListener): Promise<{ safe: number; stop: () => void }>;
  /** @returns a number after which a reader misses nothing who reads the other tables from now on */
  findSafe(): Promise<number>;
  /** Polls now, because something has changed. */
  wake(): void;
  /** Polls, and resolves when all listeners have been given the events. */
  poll(): Promise<void>;
  stop(): Promise<void>;
}

export interface RefusalReport {
  /** `refused.project` */
  kind: string;
  /** A sentence with what to do instead, and nothing that a stranger chose. */
  text: string;
  /** The known token; null: the caller is unknown, and owners of the first organization get the report. */
  token: ShownToken | null;
  /** The organization concerned; absent: that of the token, or the first organization. */
  organizationId?: string | null;
  projectId?: string | null;
  /** The caller's address. */
  address: string;
}

export interface RefusalReports {
  add: (refusal: RefusalReport) => void;
  /** Writes pending refusals. */
  flush: () => Promise<void>;
  /** Counts of reported and of dropped refusals. */
  readonly counts: Iterable<readonly [outcome: "told" | "dropped", count: number]>;
  stop: () => Promise<void>;
}
