/** When a notice may open on its own: the reader has paused, and their pointer is not where it will open. */

const REST_MS = 2000;
/** Measured from the bottom of the window. No notice that opens on its own is higher. */
const NOTICE_HEIGHT = 320;
const MARGIN = 24;

const ACTIVITIES = ["pointermove", "pointerdown", "keydown", "scroll"] as const;

export interface Rest {
  /** Resolves at the next pause, or never after `stop`. */
  wait(): Promise<void>;
  stop(): void;
}

export function createRest(): Rest {
  const controller = new AbortController();
  let waiting: (() => void)[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  // Until its first event, the pointer may be anywhere.
  let pointer: { x: number; y: number } | "unknown" | null = matchMedia("(hover: hover)").matches
    ? "unknown"
    : null;

  const rest = () => {
    if (pointer === "unknown" || (pointer && isPlaceOfNotices(pointer))) return;
    for (const resolve of waiting.splice(0)) resolve();
  };
  const onActivity = (event: Event) => {
    // A finger that has left the screen has no position.
    if (event instanceof PointerEvent)
      pointer = event.pointerType === "mouse" ? { x: event.clientX, y: event.clientY } : null;
    clearTimeout(timer);
    if (waiting.length > 0) timer = setTimeout(rest, REST_MS);
  };
  for (const type of ACTIVITIES)
    addEventListener(type, onActivity, { capture: true, passive: true, signal: controller.signal });

  return {
    wait: () =>
      new Promise((resolve) => {
        waiting.push(resolve);
        clearTimeout(timer);
        timer = setTimeout(rest, REST_MS);
      }),
    stop() {
      clearTimeout(timer);
      waiting = [];
      controller.abort();
    },
  };
}

function isPlaceOfNotices({ x, y }: { x: number; y: number }): boolean {
  const place = document.querySelector(".notices")?.getBoundingClientRect();
  return place !== undefined && x > place.left - MARGIN && y > innerHeight - NOTICE_HEIGHT;
}
