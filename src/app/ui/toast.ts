/** One message at a time, bottom right; `ui/toaster.tsx` shows it. */
export interface Toast {
  text: string;
  /** Failures stay until they are closed. */
  isFailure?: boolean;
  /** Display time; 6 seconds when absent. */
  milliseconds?: number;
  /** "Undo", "Show it". */
  action?: { label: string; run: () => void };
}

let current: (Toast & { id: number }) | null = null;
let lastId = 0;
const listeners = new Set<() => void>();

export function showToast(toast: Toast): void {
  current = { ...toast, id: ++lastId };
  for (const listener of listeners) listener();
}

export function hideToast(): void {
  current = null;
  for (const listener of listeners) listener();
}

export const readToast = () => current;

export function watchToast(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
