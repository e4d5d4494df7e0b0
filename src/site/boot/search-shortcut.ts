import { areShortcutsOn } from "../ui/build-faster-key.ts";

/**
 * `⌘K`, `Ctrl K` and, outside text fields, `/` focus the page's search box. `/` is a single-key shortcut, which the
 * reader may have switched off (see `ui/build-faster-key.ts`). Returns whether the box was focused.
 */
export function focusSearch(event: KeyboardEvent): boolean {
  const { key, target, metaKey, ctrlKey, altKey } = event;
  const isShortcut =
    metaKey || ctrlKey ? key.toLowerCase() === "k" : key === "/" && !isTyping(target) && areShortcutsOn();
  const input = isShortcut && !altKey && document.querySelector<HTMLInputElement>('input[name="q"]');
  if (!input) return false;
  event.preventDefault();
  input.focus();
  input.select();
  return true;
}

/** Whether a key on this element is text. A document has no `closest`. */
export const isTyping = (target: EventTarget | null) =>
  (target as Element).closest?.("input,textarea,select,[contenteditable]");
