import { readKeysOff } from "./keys-off.ts";

const FIELDS = "input, textarea, select, [contenteditable]";
const OVERLAYS = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]';

/** Whether a field, a dialog or a menu handles the keys. */
export function isKeyTaken(target: EventTarget | null): boolean {
  if (document.querySelector(OVERLAYS)) return true;
  return target instanceof Element && target.closest(FIELDS) !== null;
}

/** Whether a single key is meant for the page: nothing else handles it, and single keys are not turned off. */
export function acceptsKey(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey)
    return false;
  return !readKeysOff() && !isKeyTaken(event.target);
}
