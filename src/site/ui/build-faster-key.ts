/**
 * The key of the primary action: `B` does what the button does. A single-key shortcut must not act while
 * someone types, and readers must be able to switch it off (WCAG 2.1.4); the choice is kept in
 * `localStorage.shortcuts`.
 */

type Listener = () => void;

const listeners = new Set<Listener>();
/** The reader's choice if storage is forbidden; null if it is in storage. */
let unstoredChoice: boolean | null = null;

export function areShortcutsOn(): boolean {
  if (unstoredChoice !== null) return unstoredChoice;
  try {
    return localStorage.getItem("shortcuts") !== "off";
  } catch {
    return true;
  }
}

export function setShortcuts(isOn: boolean): void {
  try {
    if (isOn) localStorage.removeItem("shortcuts");
    else localStorage.setItem("shortcuts", "off");
    unstoredChoice = null;
  } catch {
    unstoredChoice = isOn;
  }
  for (const listener of listeners) listener();
}

/** Calls back after every change, in this tab or another. @returns a function that stops this. */
export function subscribeShortcuts(listener: Listener): () => void {
  const onStorage = (event: StorageEvent) => event.key === "shortcuts" && listener();
  listeners.add(listener);
  addEventListener("storage", onStorage);
  return () => {
    listeners.delete(listener);
    removeEventListener("storage", onStorage);
  };
}

/** True for a press that may be a single-key shortcut: outside text fields and dialogs, shortcuts on. */
export function isShortcut(event: KeyboardEvent): boolean {
  if (event.metaKey || event.ctrlKey || event.altKey || event.repeat || event.defaultPrevented) return false;
  const target = event.target instanceof Element ? event.target : document.body;
  if (target.closest("input, textarea, select, [contenteditable]:not([contenteditable='false'])"))
    return false;
  return areShortcutsOn() && !document.querySelector("dialog[open], [role='dialog']:not([hidden])");
}

/** `Shift B` is not `B`; for other keys, Shift may be needed for the character. */
function isActionKey(event: KeyboardEvent, key: string): boolean {
  return event.key.toLowerCase() === key.toLowerCase() && !event.shiftKey && isShortcut(event);
}

/** Calls `act` when the key is pressed. @returns a function that stops this. */
export function listenForActionKey(key: string, act: () => void): () => void {
  const onKeydown = (event: KeyboardEvent) => {
    if (!isActionKey(event, key)) return;
    event.preventDefault();
    act();
  };
  document.addEventListener("keydown", onKeydown);
  return () => document.removeEventListener("keydown", onKeydown);
}
