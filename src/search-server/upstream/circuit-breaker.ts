/**
 * Spares a failing server: after `failures` in a row nothing is sent for `coolDownMs`, then one trial
 * decides.
 *
 *   closed ──failures──▶ open ──coolDownMs──▶ trial ──success──▶ closed
 *                         ▲                     └───failure──▶ open
 */
export interface CircuitBreaker {
  /** Milliseconds until the next trial; 0 = ask now (and the caller is the trial, if one is due). */
  waitMs: () => number;
  succeeded: () => void;
  failed: () => void;
}

export interface CircuitBreakerOptions {
  failures: number;
  coolDownMs: number;
  now: () => number;
}

export function createCircuitBreaker({ failures, coolDownMs, now }: CircuitBreakerOptions): CircuitBreaker {
  let inARow = 0;
  let openUntil = 0;
  let isTrialRunning = false;

  return {
    waitMs() {
      if (inARow < failures) return 0;
      const remaining = openUntil - now();
      if (remaining > 0) return remaining;
      if (isTrialRunning) return coolDownMs;
      isTrialRunning = true;
      return 0;
    },
    succeeded() {
      inARow = 0;
      isTrialRunning = false;
    },
    failed() {
      inARow++;
      isTrialRunning = false;
      if (inARow >= failures) openUntil = now() + coolDownMs;
    },
  };
}
