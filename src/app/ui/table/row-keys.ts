/** Whether a single key is meant for the page: no field, no dialog, no menu has it, and nobody has turned keys off. */
export function acceptsKeys(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing)
    return false;
  if (document.documentElement.dataset["keys"] === "off") return false;
  if (document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]')) return false;
  const target = event.target instanceof Element ? event.target : null;
  return !target?.closest('input, textarea, select, [contenteditable=""], [contenteditable="true"]');
}
