/** Single keys can be turned off (WCAG 2.1.4): people who use speech input would press them by accident. */

const KEPT = "millrace-keys";
const listeners = new Set<() => void>();

/** Whether single keys are turned off in this browser. */
export function readKeysOff(): boolean {
  try {
    return localStorage.getItem(KEPT) === "off";
  } catch {
    return false;
  }
}

export function setKeysOff(isOff: boolean): void {
  try {
    if (isOff) localStorage.setItem(KEPT, "off");
    else localStorage.removeItem(KEPT);
  } catch {}
  for (const listener of listeners) listener();
}

export function watchKeysOff(listener: () => void): () => void {
  listeners.add(listener);
  addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    removeEventListener("storage", listener);
  };
}
