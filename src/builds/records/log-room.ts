import { MAX_LOG_LENGTH, MAX_LOG_LINES } from "../contract/limits.ts";

/** Limits how much of the log of one build is stored. */
export interface LogRoom {
  /** @param length of the next line. @returns false: nothing more is stored from here on */
  take: (length: number) => boolean;
}

export function createLogRoom(): LogRoom {
  let [left, lines] = [MAX_LOG_LENGTH, MAX_LOG_LINES];
  return {
    take(length) {
      left -= length;
      lines -= 1;
      return left >= 0 && lines >= 0;
    },
  };
}
