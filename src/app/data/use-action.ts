import { useCallback, useRef, useState } from "react";

/**
 * An action that the person started: its button waits while it runs, and a failure is reported. The answer stays with the
 * caller and in no cache, so that a secret in it can be forgotten.
 */
export function useAction() {
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const isRunning = useRef(false);
  /** @returns whether it succeeded; a second call while one runs does nothing */
  const run = useCallback(async (work: () => Promise<unknown>): Promise<boolean> => {
    if (isRunning.current) return false;
    isRunning.current = true;
    setIsBusy(true);
    setError(null);
    try {
      await work();
      return true;
    } catch (cause) {
      setError(cause instanceof Error ? cause : new Error(String(cause)));
      return false;
    } finally {
      isRunning.current = false;
      setIsBusy(false);
    }
  }, []);
  const clear = useCallback(() => setError(null), []);
  return { isBusy, error, run, clear };
}
