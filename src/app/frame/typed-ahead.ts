/**
 * Text typed after `Ctrl K`, before the command menu's field has the focus: its code may still be loading. Without this
 * the letters would be lost, or act as keys of the page below.
 */
let typed = "";
let receiver: ((change: (text: string) => string) => void) | null = null;

/** More than anyone types while a file loads. */
const MOST_LETTERS = 200;

/** @returns whether the key belongs to the menu's field; the field's own keys do not */
export function takeKeyAhead(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  if (event.target instanceof Element && event.target.closest('[role="dialog"]')) return false;
  const change = changeOf(event.key);
  if (!change) return false;
  if (receiver) receiver(change);
  else typed = change(typed).slice(0, MOST_LETTERS);
  return true;
}

/** Hands over the text typed before and any keys that still miss the field. @returns ends it */
export function receiveTyped(receive: (change: (text: string) => string) => void): () => void {
  const before = typed;
  typed = "";
  receiver = receive;
  if (before) receive((text) => before + text);
  return () => {
    receiver = null;
    typed = "";
  };
}

/** The menu was closed before its field was there. */
export function forgetTyped(): void {
  typed = "";
}

function changeOf(key: string): ((text: string) => string) | null {
  if (key === "Backspace") return (text) => text.slice(0, -1);
  return [...key].length === 1 ? (text) => text + key : null;
}
