/** "Leaving asks once": the reason to hold the reader on a page, and the move that waits for the answer. */
import type { Navigator } from "react-router";

export interface LeaveWords {
  /** "Leave without the secret?" */
  title: string;
  text: string;
  /** The safe answer: "Stay here". */
  stay: string;
  leave: string;
}

interface Leaving {
  id: number;
  words: LeaveWords;
  go: () => void;
}

let held: LeaveWords | null = null;
let leaving: Leaving | null = null;
let lastId = 0;
const listeners = new Set<() => void>();

function change(next: Leaving | null) {
  leaving = next;
  for (const listener of listeners) listener();
}

export const readLeaving = () => leaving;
/** The reader stays; the next move asks again. */
export const stay = () => change(null);

export function watchLeaving(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The reader leaves: this page does not ask again. */
export function askedToLeave(): void {
  const go = leaving?.go;
  held = null;
  change(null);
  go?.();
}

/** @returns ends it */
export function holdHere(words: LeaveWords): () => void {
  held = words;
  // The browser asks in its own words.
  const onUnload = (event: BeforeUnloadEvent) => {
    if (held) event.preventDefault();
  };
  addEventListener("beforeunload", onUnload);
  return () => {
    if (held === words) held = null;
    removeEventListener("beforeunload", onUnload);
  };
}

function ask(go: () => void) {
  if (held) change({ id: ++lastId, words: held, go });
}

/** The history entry that the reader sees. */
let shown = { pathname: "", index: NaN };

export function noteShown(): void {
  shown = { pathname: location.pathname, index: indexOf(history.state) };
}

/** For links, keys and commands. A change of parameters only stays on the page. */
export function guardNavigator(navigator: Navigator): Navigator {
  const guard =
    (move: Navigator["push"]): Navigator["push"] =>
    (to, state, options) => {
      const pathname = typeof to === "string" ? new URL(to, location.href).pathname : to.pathname;
      const go = () => {
        move(to, state, options);
        noteShown();
      };
      if (held && pathname !== undefined && pathname !== location.pathname) ask(go);
      else go();
    };
  return {
    ...navigator,
    createHref: (to) => navigator.createHref(to),
    go: (delta) => navigator.go(delta),
    push: guard((...move) => navigator.push(...move)),
    replace: guard((...move) => navigator.replace(...move)),
  };
}

/** For back and forward: the browser has already moved, so it is sent back before the question is asked. */
export function guardHistory(): void {
  let isReturning = false;
  const onPop = (event: PopStateEvent) => {
    const delta = indexOf(event.state) - shown.index;
    if (!isReturning && !(held && location.pathname !== shown.pathname && Number.isFinite(delta) && delta)) {
      noteShown();
      return;
    }
    // The router must not notice: the reader still sees the page that they have not left.
    event.stopImmediatePropagation();
    isReturning = !isReturning;
    if (!isReturning) return;
    history.go(-delta);
    ask(() => history.go(delta));
  };
  addEventListener("popstate", onPop, { capture: true });
}

function indexOf(state: unknown): number {
  const index = typeof state === "object" && state !== null && "idx" in state ? state.idx : undefined;
  return typeof index === "number" ? index : NaN;
}
