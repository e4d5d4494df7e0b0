/**
 * Returns the focus when an overlay is closed, to the element that had it before. A menu's row is gone by the time the
 * dialog that it opened is closed, so the last element outside of all overlays is remembered as well.
 */

/** Set on overlays that disappear once something in them is chosen: menus, the command menu. */
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

/** The element that has the focus now, or had it before a menu was opened. */
export function findFocusOrigin(): HTMLElement | null {
  const { activeElement } = document;
  const isPassing = activeElement?.closest("[data-passing]") != null;
  if (activeElement instanceof HTMLElement && activeElement !== document.body && !isPassing)
    return activeElement;
  return lastOutside;
}

/** Returns the focus, unless it has already moved elsewhere; to the heading when its former element is gone. */
export function returnFocus(origin: HTMLElement | null): void {
  const { activeElement } = document;
  if (activeElement && activeElement !== document.body && activeElement.isConnected) return;
  const isThere = origin?.isConnected && origin.checkVisibility();
  const target = isThere ? origin : document.querySelector<HTMLElement>("main h1");
  target?.focus({ preventScroll: true });
}
