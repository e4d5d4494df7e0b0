/** One clock for every "11 min" of the page: a second one would let two of them disagree. */

const STEP_MS = 15_000;
/** On an ancestor of the page while the connection is lost: what is shown is as old as it was then. */
const STOPPED = "[data-offline]";

let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

/** Milliseconds since 1970, as the page's clocks show it. */
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
