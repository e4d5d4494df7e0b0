/**
 * The page's one stream of events (`/app/:organization/events`), and its states.
 *
 *   connecting ──hello──► live ──error, silence──► lost ──hello──► live        missed events come as one batch
 *                           ├──bye──► ended
 *                           └──bye, for newer pages of the same person──► paused, until it is viewed
 *
 * It reconnects after 1, 2, 4 … 30 seconds, and immediately when the network is back, the page is viewed again, or the person asks for it.
 */

/** A change, as the server sends it. `text`, `subject` and the actor are null where the reader may not read them. */
export interface LiveEvent {
  /** Sorts as text. */
  id: string;
  /** RFC 3339. */
  at: string;
  /** `token.create`, `refused.project` */
  kind: string;
  subject: string | null;
  project: string | null;
  by: string | null;
  by_id: string | null;
  text: string | null;
  refused: boolean;
}

export type LiveState = "connecting" | "live" | "lost" | "paused" | "ended";

export interface Live {
  state: LiveState;
  /** When it was lost, in milliseconds since 1970; null: not lost. */
  since: number | null;
  /** When the last message came. */
  lastAt: number | null;
}

/** The part of `EventSource` that is used here. */
export interface Source {
  /** 2: the server has refused it. */
  readonly readyState: number;
  addEventListener: (
    type: string,
    listener: (event: { data?: unknown; lastEventId?: string }) => void,
  ) => void;
  close: () => void;
}

export interface LiveBeginning {
  /** The organization's name or id. */
  organization: string;
  /** Position of the stream before the page read anything. Null: it begins a little in the past (`FRESH_OVERLAP_MS`). */
  since: string | null;
}

export interface LiveEnvironment {
  /** Opens an address of this origin. */
  open: (address: string) => Source;
  now: () => number;
  /** @returns cancels it */
  after: (ms: number, run: () => void) => () => void;
  /** Runs before the next paint of the page. */
  nextFrame: (run: () => void) => void;
  /** 0 to 1. */
  random: () => number;
}

export interface LiveListeners {
  onState: (live: Live) => void;
  /** At most once a frame, ordered by number; an event may come twice. */
  onChanges: (events: readonly LiveEvent[]) => void;
  /** Too much was missed: everything must be read again. */
  onReset: () => void;
  /** The person may no longer read this stream. @param code of the API: `unauthenticated`, `not_found` */
  onEnd: (code: string) => void;
  /** The server did not accept the stream; `EventSource` does not reveal why. */
  onRefused: () => void;
}

const REFUSED = 2;
/** The person has opened so many newer pages that this one no longer has a stream. */
const REPLACED = "resource_exhausted";
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 30_000;
/** Two pings were missed. */
const SILENCE_MS = 40_000;
/** Events that wait for a frame; a page that is not painted for more than these reads everything again. */
const MAX_WAITING = 1_000;

export class LiveConnection {
  readonly #organization: string;
  readonly #environment: LiveEnvironment;
  readonly #listeners: LiveListeners;
  #live: Live = { state: "connecting", since: null, lastAt: null };
  #source: Source | null = null;
  #failures = 0;
  #last: string;
  #waiting: LiveEvent[] = [];
  #cancelTimer = () => {};
  #isOver = false;

  /** Connects immediately. */
  constructor(
    { organization, since }: LiveBeginning,
    environment: LiveEnvironment,
    listeners: LiveListeners,
  ) {
    this.#organization = organization;
    this.#last = since ?? "";
    this.#environment = environment;
    this.#listeners = listeners;
    this.#connect();
  }

  /** Tries now, unless it is live or has ended. */
  reconnect(): void {
    if (this.#live.state !== "ended") this.resume();
  }

  /** Connects again, even after its end: the person has signed in. */
  resume(): void {
    if (this.#isOver || (this.#source && this.#live.state === "live")) return;
    if (this.#live.state === "ended") this.#change({ state: "connecting", since: null });
    this.#close();
    this.#failures = 0;
    this.#connect();
  }

  /** Closes the stream silently until `reconnect`. */
  pause(): void {
    if (this.#isOver || this.#live.state === "ended") return;
    this.#close();
    this.#change({ state: "connecting", since: null });
  }

  stop(): void {
    this.#isOver = true;
    this.#close();
  }

  #connect(): void {
    this.#cancelTimer();
    const since = this.#last === "" ? "" : `?since=${encodeURIComponent(this.#last)}`;
    const source = this.#environment.open(`/app/${encodeURIComponent(this.#organization)}/events${since}`);
    this.#source = source;
    this.#cancelTimer = this.#environment.after(SILENCE_MS, () => this.#lose());
    this.#listenTo(source, "hello", (data) => this.#noteLast(data));
    this.#listenTo(source, "ping", (data) => this.#noteLast(data));
    this.#listenTo(source, "change", (data, id) => {
      if (id !== "") this.#last = id;
      // The server builds it from the same type.
      this.#wait(data as unknown as LiveEvent);
      this.#change({ lastAt: this.#environment.now() });
    });
    this.#listenTo(source, "too-old", (data) => {
      this.#noteLast(data);
      this.#waiting = [];
      this.#listeners.onReset();
    });
    this.#listenTo(source, "bye", ({ code }) => {
      this.#close();
      if (code === REPLACED) return this.#change({ state: "paused", since: this.#environment.now() });
      this.#change({ state: "ended", since: this.#environment.now() });
      this.#listeners.onEnd(typeof code === "string" ? code : "unauthenticated");
    });
    source.addEventListener("error", () => {
      if (source !== this.#source) return;
      if (source.readyState === REFUSED) this.#listeners.onRefused();
      this.#lose();
    });
  }

  #listenTo(source: Source, type: string, act: (data: Record<string, unknown>, id: string) => void): void {
    source.addEventListener(type, ({ data, lastEventId = "" }) => {
      if (source !== this.#source) return;
      const parsed = parse(data);
      if (!parsed) return;
      this.#failures = 0;
      this.#cancelTimer();
      this.#cancelTimer = this.#environment.after(SILENCE_MS, () => this.#lose());
      act(parsed, lastEventId);
    });
  }

  #noteLast({ last }: Record<string, unknown>): void {
    if (typeof last === "string") this.#last = last;
    this.#change({ state: "live", since: null, lastAt: this.#environment.now() });
  }

  #wait(event: LiveEvent): void {
    if (this.#waiting.length === 0) this.#environment.nextFrame(() => this.#give());
    this.#waiting.push(event);
    if (this.#waiting.length < MAX_WAITING) return;
    this.#waiting = [];
    this.#listeners.onReset();
  }

  #give(): void {
    if (this.#waiting.length === 0 || this.#isOver) return;
    const events = this.#waiting;
    this.#waiting = [];
    this.#listeners.onChanges(events);
  }

  #lose(): void {
    if (this.#isOver || this.#live.state === "ended") return;
    this.#close();
    if (this.#live.state !== "lost") this.#change({ state: "lost", since: this.#environment.now() });
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** this.#failures, MAX_PAUSE_MS);
    this.#failures += 1;
    // After a restart, the server's pages must not all reconnect in the same moment.
    const wait = pause * (0.75 + this.#environment.random() / 4);
    this.#cancelTimer = this.#environment.after(wait, () => this.#connect());
  }

  #close(): void {
    this.#cancelTimer();
    this.#source?.close();
    this.#source = null;
  }

  #change(next: Partial<Live>): void {
    this.#live = { ...this.#live, ...next };
    this.#listeners.onState(this.#live);
  }
}

function parse(data: unknown): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(String(data));
    // Any object.
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
