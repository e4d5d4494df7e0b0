export interface Shown {
  /** From 1. */
  first: number;
  last: number;
}

/** Which rows of a virtual table are in the window: scrolling renders only them and this line. */
export function createPosition() {
  let shown: Shown | null = null;
  const listeners = new Set<() => void>();
  return {
    get: () => shown,
    set: (next: Shown | null) => {
      if (shown?.first === next?.first && shown?.last === next?.last) return;
      shown = next;
      for (const listener of listeners) listener();
    },
    watch: (listener: () => void) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}

export type Position = ReturnType<typeof createPosition>;
