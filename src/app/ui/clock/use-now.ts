import { useEffect, useState } from "react";

/**
 * This computer's time in milliseconds since 1970: ten times a second in the first minute, then each second. It stops while nothing runs.
 */
export function useNow(isRunning: boolean, startedAt: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isRunning) return;
    let timer = 0;
    const tick = () => {
      const time = Date.now();
      setNow(time);
      timer = window.setTimeout(tick, time - startedAt < 60_000 ? 100 : 1000);
    };
    tick();
    return () => clearTimeout(timer);
  }, [isRunning, startedAt]);
  return now;
}
