/**
 * The tokens that the model may take in a day, so that strangers cannot spend without end. A day begins at 00:00 UTC, and anew when
 * the server starts; each server counts for itself. What an answer takes is known at its end: until then, it holds a reserve.
 */
import { RESERVED_TOKENS } from "./contract/limits.ts";

export interface TokenBudget {
  /** Without those that running answers hold. */
  left: () => number;
  /** @returns a function that replaces the reserve with what was used, once; or null when too little is left */
  take: () => ((used: number) => void) | null;
  /** Until the next day. */
  secondsLeft: () => number;
  /** Whether this is the first time today that it is asked, for one line of the log. */
  isFirstToday: () => boolean;
}

const DAY_MS = 86_400_000;

/** @param clock milliseconds since 1970 */
export function createTokenBudget(perDay: number, clock: () => number = Date.now): TokenBudget {
  let day = Math.floor(clock() / DAY_MS);
  let taken = 0;
  let isAsked = false;
  const today = () => {
    const now = Math.floor(clock() / DAY_MS);
    if (now !== day) [day, taken, isAsked] = [now, 0, false];
    return day;
  };
  const left = () => {
    today();
    return Math.max(0, perDay - taken);
  };
  return {
    left,
    take() {
      if (left() < RESERVED_TOKENS) return null;
      const begun = today();
      taken += RESERVED_TOKENS;
      let isSettled = false;
      return (used) => {
        if (isSettled) return;
        isSettled = true;
        // The reserve of an answer that began yesterday is gone.
        if (today() === begun) taken -= RESERVED_TOKENS;
        taken += used;
      };
    },
    secondsLeft: () => Math.ceil(((today() + 1) * DAY_MS - clock()) / 1000),
    isFirstToday() {
      today();
      const isFirst = !isAsked;
      isAsked = true;
      return isFirst;
    },
  };
}
