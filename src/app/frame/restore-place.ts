import type { PlaceRecord, Position } from "./place-memory.ts";

/** How long content may take to arrive; after that the page stays as it is. */
const PATIENCE_MS = 10_000;
const USER_ACTS = ["wheel", "touchstart", "pointerdown", "keydown"] as const;

interface Wanted {
  scroll: Pick<PlaceRecord, "page" | "inner"> | null;
  /** Selectors of elements to focus, best first. */
  focus: readonly string[];
}

/**
 * Scrolls and focuses as soon as the content is there: screens and their data arrive later than the address. Data may
 * replace the focused element; then its replacement takes the focus. Gives up when the reader does something.
 * @param onEnd whatever the outcome, once
 * @returns ends it
 */
export function restorePlace({ scroll, focus }: Wanted, onEnd: () => void): () => void {
  let level = focus.length;
  let focused: Element | null = null;
  let isOver = false;
  const attempt = () => {
    if (focused?.isConnected === false && document.activeElement === document.body) level = focus.length;
    const isBetter = level > 0;
    if (isBetter) level = focusBest(focus, level);
    if (isBetter && level < focus.length) focused = document.activeElement;
    if (isOver) return;
    const isScrolled = scroll === null || scrollAll(scroll);
    if (isScrolled && level === 0) finish();
  };
  const finish = () => {
    if (isOver) return;
    isOver = true;
    sizes.disconnect();
    onEnd();
  };
  const end = () => {
    finish();
    clearTimeout(timer);
    changes.disconnect();
    for (const act of USER_ACTS) removeEventListener(act, end, true);
  };
  const timer = setTimeout(end, PATIENCE_MS);
  const changes = new MutationObserver(attempt);
  const sizes = new ResizeObserver(attempt);
  changes.observe(document.body, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ["style", "inert", "hidden"],
  });
  sizes.observe(document.body);
  for (const act of USER_ACTS) addEventListener(act, end, { capture: true, passive: true });
  attempt();
  return end;
}

/** @returns whether everything is at its former position */
function scrollAll({ page, inner }: Pick<PlaceRecord, "page" | "inner">): boolean {
  let isDone = scrollTo(document.documentElement, page);
  for (const [name, position] of Object.entries(inner)) {
    const element = document.querySelector(`[data-keep-scroll="${CSS.escape(name)}"]`);
    isDone = element !== null && scrollTo(element, position) && isDone;
  }
  return isDone;
}

function scrollTo(element: Element, { top, left }: Position): boolean {
  element.scrollTo({ top, left, behavior: "instant" });
  // Browsers round; a device pixel ratio of 1.5 gives halves.
  return Math.abs(element.scrollTop - top) < 2 && Math.abs(element.scrollLeft - left) < 2;
}

/** @returns how many better ones are still awaited */
function focusBest(selectors: readonly string[], level: number): number {
  for (let index = 0; index < level; index++) {
    const selector = selectors[index];
    const element = selector === undefined ? null : document.querySelector<HTMLElement>(selector);
    element?.focus({ preventScroll: true });
    if (element && document.activeElement === element) return index;
  }
  return level;
}
