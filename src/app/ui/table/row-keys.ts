import { readKeysOff } from "../keys/keys-off.ts";

const OVERLAYS = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]';
const FIELDS = "input, textarea, select, [contenteditable]";

/** Whether a single key is meant for the page: no field, no dialog, no menu has it, and nobody has turned keys off. */
export function acceptsKeys(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey)
    return false;
  if (readKeysOff() || document.querySelector(OVERLAYS)) return false;
  return !(event.target instanceof Element && event.target.closest(FIELDS));
}
