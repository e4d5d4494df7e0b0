/**
 * Where the focus goes when something that floats is closed: to what had it before. A menu's row is gone by the time the
 * dialog that it opened is closed, so the last element outside of all that floats is kept as well.
 */

/** Set on what leaves the page when something in it is chosen: menus, the command menu. */
export const PASSING = { "data-passing": "" } as const;

let lastOutside: HTMLElement | null = null;

/** Called once, by the frame. @returns ends it */
export function watchFocus(): () => void {
  const onFocus = ({ target }: FocusEvent) => {
    if (target instanceof HTMLElement && !target.closest("[data-passing]")) lastOutside = target;
  };
  document.addEventListener("focusin", onFocus);
  return () => document.removeEventListener("focusin", onFocus);
}

/** What has the focus now, or had it before a menu was opened. */
export function findFocusOrigin(): HTMLElement | null {
  const { activeElement } = document;
  const isPassing = activeElement?.closest("[data-passing]") != null;
  if (activeElement instanceof HTMLElement && activeElement !== document.body && !isPassing)
    return activeElement;
  return lastOutside;
}

/** Gives the focus back, unless it has gone somewhere else by itself; to the heading when what had it is gone. */
export function returnFocus(origin: HTMLElement | null): void {
  const { activeElement } = document;
  if (activeElement && activeElement !== document.body && activeElement.isConnected) return;
  const isThere = origin?.isConnected && origin.checkVisibility();
  const target = isThere ? origin : document.querySelector<HTMLElement>("main h1");
  target?.focus({ preventScroll: true });
}
