/** Wakes the streams of this process that follow a build. They find changes by other servers by polling. */
export interface Changes {
  notify: (buildId: string) => void;
  /** Resolves at the next change, after this many milliseconds, or when the signal is aborted. */
  wait: (buildId: string, ms: number, signal: AbortSignal) => Promise<void>;
}

export function createChanges(): Changes {
  const waiting = new Map<string, Set<() => void>>();
  return {
    notify(buildId) {
      const wakers = waiting.get(buildId);
      waiting.delete(buildId);
      for (const wake of wakers ?? []) wake();
    },
    wait(buildId, ms, signal) {
      if (signal.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const wakers = waiting.get(buildId) ?? new Set();
        const end = () => {
          clearTimeout(timer);
          signal.removeEventListener("abort", end);
          wakers.delete(end);
          if (wakers.size === 0 && waiting.get(buildId) === wakers) waiting.delete(buildId);
          resolve();
        };
        const timer = setTimeout(end, ms);
        signal.addEventListener("abort", end, { once: true });
        waiting.set(buildId, wakers.add(end));
      });
    },
  };
}
