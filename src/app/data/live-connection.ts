/**
 * The page's one stream of events (`/app/:organization/events`), whatever happens to it.
 *
 *   connecting ──hello──► live ──error, silence──► lost ──hello──► live        missed events come as one batch
 *                           └──bye──► ended
 *
 * It asks again after 1, 2, 4 … 30 seconds, and at once when the network is back, the page is looked at again, or the
 * person says so.
 */

/** What the server sends of a change. `text`, `subject` and who did it are null where the reader may not read them. */
export interface LiveEvent {
  /** Sorts as a text. */
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

export type LiveState = "connecting" | "live" | "lost" | "ended";

export interface Live {
  state: LiveState;
  /** When it was lost, in milliseconds since 1970; null: it is not. */
  since: number | null;
  /** When the last message came. */
  lastAt: number | null;
}

/** The part of `EventSource` that is used here. */
export interface Source {
  /** 2: the server has refused it. */
  readonly readyState: number;
  addEventListener: (type: string, listener: (event: { data?: unknown; lastEventId?: string }) => void) => void;
  close: () => void;
}

export interface LiveSurroundings {
  /** Opens an address of this origin. */
  open: (address: string) => Source;
  now: () => number;
  /** @returns what cancels it */
  after: (ms: number, run: () => void) => () => void;
  /** Before the page is painted next. */
  nextFrame: (run: () => void) => void;
  /** 0 to 1. */
  random: () => number;
}

export interface LiveListeners {
  onState: (live: Live) => void;
  /** At most once a frame, in the order of their numbers; the same one may come twice. */
  onChanges: (events: readonly LiveEvent[]) => void;
  /** Too much was missed: everything has to be read again. */
  onReset: () => void;
  /** The person may not read this any more. @param code of the API: `unauthenticated`, `not_found` */
  onEnd: (code: string) => void;
  /** The server did not accept the stream: why, is not said to `EventSource`. */
  onRefused: () => void;
}

export interface LiveConnection {
  /** Tries now, unless it is live or has ended. */
  reconnect: () => void;
  /** Begins again after its end: the person has signed in. */
  resume: () => void;
  /** Closes the stream without a word until `reconnect`. */
  pause: () => void;
  stop: () => void;
}

const REFUSED = 2;
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 30_000;
/** Two pings did not come. */
const SILENCE_MS = 40_000;
/** Events that wait for a frame; a page that is not painted for so many reads everything again. */
const MAX_WAITING = 1_000;

export function connectLive(
  organization: string,
  surroundings: LiveSurroundings,
  listeners: LiveListeners,
): LiveConnection {
  const { open, now, after, nextFrame, random } = surroundings;
  let live: Live = { state: "connecting", since: null, lastAt: null };
  let source: Source | null = null;
  let failures = 0;
  let last = "";
  let waiting: LiveEvent[] = [];
  let cancelTimer = () => {};
  let isOver = false;

  function change(next: Partial<Live>): void {
    live = { ...live, ...next };
    listeners.onState(live);
  }

  function listenTo(each: Source, type: string, act: (data: Record<string, unknown>, id: string) => void): void {
    each.addEventListener(type, ({ data, lastEventId = "" }) => {
      if (each !== source) return;
      const parsed = parse(data);
      if (!parsed) return;
      failures = 0;
      cancelTimer();
      cancelTimer = after(SILENCE_MS, lose);
      act(parsed, lastEventId);
    });
  }

  function noteLast({ last: cursor }: Record<string, unknown>): void {
    if (typeof cursor === "string") last = cursor;
    change({ state: "live", since: null, lastAt: now() });
  }

  function connect(): void {
    cancelTimer();
    const since = last === "" ? "" : `?since=${encodeURIComponent(last)}`;
    const each = open(`/app/${encodeURIComponent(organization)}/events${since}`);
    source = each;
    cancelTimer = after(SILENCE_MS, lose);
    listenTo(each, "hello", noteLast);
    listenTo(each, "ping", noteLast);
    listenTo(each, "change", (data, id) => {
      if (id !== "") last = id;
      // The server makes it of the same type.
      wait(data as unknown as LiveEvent);
      change({ lastAt: now() });
    });
    listenTo(each, "too-old", (data) => {
      noteLast(data);
      waiting = [];
      listeners.onReset();
    });
    listenTo(each, "bye", ({ code }) => {
      close();
      change({ state: "ended", since: now() });
      listeners.onEnd(typeof code === "string" ? code : "unauthenticated");
    });
    each.addEventListener("error", () => {
      if (each !== source) return;
      if (each.readyState === REFUSED) listeners.onRefused();
      lose();
    });
  }

  function wait(event: LiveEvent): void {
    if (waiting.length === 0) nextFrame(give);
    waiting.push(event);
    if (waiting.length < MAX_WAITING) return;
    waiting = [];
    listeners.onReset();
  }

  function give(): void {
    if (waiting.length === 0 || isOver) return;
    const events = waiting;
    waiting = [];
    listeners.onChanges(events);
  }

  function close(): void {
    cancelTimer();
    source?.close();
    source = null;
  }

  function lose(): void {
    if (isOver || live.state === "ended") return;
    close();
    if (live.state !== "lost") change({ state: "lost", since: now() });
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** failures, MAX_PAUSE_MS);
    failures += 1;
    // Not all pages of a server that was restarted come back in the same moment.
    cancelTimer = after(pause * (0.75 + random() / 4), connect);
  }

  function tryNow(): void {
    close();
    failures = 0;
    connect();
  }

  connect();
  return {
    reconnect() {
      if (isOver || live.state === "ended" || (source && live.state === "live")) return;
      tryNow();
    },
    resume() {
      if (isOver || (source && live.state === "live")) return;
      if (live.state === "ended") change({ state: "connecting", since: null });
      tryNow();
    },
    pause() {
      if (isOver || live.state === "ended") return;
      close();
      change({ state: "connecting", since: null });
    },
    stop() {
      isOver = true;
      close();
    },
  };
}

function parse(data: unknown): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(String(data));
    // An object of any properties.
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
