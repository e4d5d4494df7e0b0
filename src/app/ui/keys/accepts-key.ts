const FIELDS = "input, textarea, select, [contenteditable]";
const OVERLAYS = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]';

/** Single keys work outside fields and overlays only, and can be turned off (WCAG 2.1.4). */
export function acceptsKey(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey)
    return false;
  if (areKeysOff() || document.querySelector(OVERLAYS)) return false;
  return !(event.target instanceof Element && event.target.closest(FIELDS));
}

function areKeysOff(): boolean {
  try {
    return localStorage.getItem("millrace-keys") === "off";
  } catch {
    return false;
  }
}
