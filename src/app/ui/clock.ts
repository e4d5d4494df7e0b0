/** One clock for every "11 min" on the page: a second clock could disagree with it. */

const STEP_MS = 15_000;
/** On an ancestor of the page while the connection is lost: the page's ages stop at that moment. */
const STOPPED = "[data-offline]";

let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

/** Milliseconds since 1970, on the page's clock. */
export const readClock = () => now;

export function watchClock(listener: () => void): () => void {
  listeners.add(listener);
  if (timer === undefined) {
    now = Date.now();
    timer = setInterval(tick, STEP_MS);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function tick() {
  if (document.querySelector(STOPPED)) return;
  now = Date.now();
  for (const listener of listeners) listener();
}
