/**
 * Memory for large messages, shared by the whole process: a message's bytes are reserved before they are read. A message without
 * room waits its turn, and its stream is not read meanwhile.
 *
 *   take ─► room? ─► held ─► release
 *             └────► waits ─► room ─► held …
 *                        └──► too long, or given up
 *
 * Each holder has at most a share, so that one client cannot take everything. A message that waits for its holder's share lets
 * others pass.
 */

/** Larger messages need a place; smaller messages are bounded by the number of requests. */
export const FREE_BYTES = 64 * 1024;

/** There was no room in time. */
export class NoRoomError extends Error {}

export interface Place {
  /** Null: there was room immediately. Otherwise resolves when there is. Rejects with `NoRoomError`, also when released earlier. */
  readonly ready: Promise<void> | null;
  /** The message turned out to need no more than this. */
  shrink: (bytes: number) => void;
  /** Must always be called; repeated calls have no effect. */
  release: () => void;
}

export interface MessageRoom {
  /** @param holder whose share is used; a message larger than the share is held when its holder has no other */
  take: (holder: string, bytes: number) => Place;
  readonly heldBytes: number;
  readonly waiting: number;
}

export interface MessageRoomOptions {
  /** For all holders; a larger message counts as this many. */
  bytes: number;
  /** Per holder. Default: a quarter. */
  share?: number;
  /** Longest wait, in milliseconds. */
  waitMs: number;
}

interface Taking {
  readonly holder: string;
  bytes: number;
  state: "waiting" | "held" | "over";
  begin: () => void;
}

const FREE: Place = { ready: null, shrink() {}, release() {} };

/** Bytes held by each holder. */
function createHeld(total: number, share: number) {
  const byHolder = new Map<string, number>();
  let bytes = 0;
  return {
    add(holder: string, more: number): void {
      bytes += more;
      const sum = (byHolder.get(holder) ?? 0) + more;
      if (sum > 0) byHolder.set(holder, sum);
      else byHolder.delete(holder);
    },
    isBeyondShare(holder: string, more: number): boolean {
      const own = byHolder.get(holder) ?? 0;
      return own > 0 && own + more > share;
    },
    hasRoom: (more: number) => bytes + more <= total,
    get bytes() {
      return bytes;
    },
  };
}

/** Waiting messages in order of arrival, and which is next. */
function createQueue(held: ReturnType<typeof createHeld>) {
  const waiting = new Set<Taking>();

  /** The first message without room blocks those after it, or it would never get enough. */
  function admit(): void {
    const full = new Set<string>();
    for (const next of waiting) {
      if (full.has(next.holder)) continue;
      if (held.isBeyondShare(next.holder, next.bytes)) full.add(next.holder);
      else if (!held.hasRoom(next.bytes)) return;
      else {
        waiting.delete(next);
        held.add(next.holder, next.bytes);
        next.begin();
      }
    }
  }

  return { waiting, admit };
}

export function createMessageRoom({
  bytes: total,
  share = total / 4,
  waitMs,
}: MessageRoomOptions): MessageRoom {
  const held = createHeld(total, share);
  const { waiting, admit } = createQueue(held);

  function shrink(taking: Taking, fewer: number): void {
    const bytes = Math.min(taking.bytes, fewer);
    if (taking.state === "held") held.add(taking.holder, bytes - taking.bytes);
    taking.bytes = bytes;
    admit();
  }

  return {
    take(holder, wanted) {
      if (wanted <= FREE_BYTES) return FREE;
      const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
      // A caller that gives up need not listen.
      ready.catch(() => {});
      const taking: Taking = {
        holder,
        bytes: Math.min(wanted, total),
        state: "waiting",
        begin() {
          taking.state = "held";
          clearTimeout(timer);
          resolve();
        },
      };
      const release = () => {
        clearTimeout(timer);
        if (taking.state === "over") return;
        if (taking.state === "held") held.add(holder, -taking.bytes);
        taking.state = "over";
        waiting.delete(taking);
        reject(new NoRoomError(NO_ROOM));
        admit();
      };
      const timer = setTimeout(release, waitMs).unref();
      waiting.add(taking);
      admit();
      return {
        ready: taking.state === "held" ? null : ready,
        shrink: (fewer) => shrink(taking, fewer),
        release,
      };
    },
    get heldBytes() {
      return held.bytes;
    },
    get waiting() {
      return waiting.size;
    },
  };
}

const NO_ROOM =
  "the server has no memory for more large messages right now: try again in a few seconds, or send and request less at a time";
