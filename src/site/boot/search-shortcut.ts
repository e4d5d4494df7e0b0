import { areShortcutsOn } from "../ui/build-faster-key.ts";

/**
 * `⌘K`, `Ctrl K` and, outside text fields, `/` move the focus to the page's search box. True when it did. `/` is a
 * single-key shortcut, which the reader may have switched off (see `ui/build-faster-key.ts`).
 */
export function focusSearch(event: KeyboardEvent): boolean {
  const isTyping = (event.target as Element).closest?.("input,textarea,select,[contenteditable]");
  const isCommand = (event.metaKey || event.ctrlKey) && !event.altKey && event.key.toLowerCase() === "k";
  const isSlash =
    event.key === "/" && !isTyping && !event.metaKey && !event.ctrlKey && !event.altKey && areShortcutsOn();
  const input = isCommand || isSlash ? document.querySelector<HTMLInputElement>('input[name="q"]') : null;
  if (!input) return false;
  event.preventDefault();
  input.focus();
  input.select();
  return true;
}
