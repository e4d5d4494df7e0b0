import { MAX_LOG_LENGTH, MAX_LOG_LINES } from "../limits.ts";

/** How much of the log of one build is kept. */
export interface LogRoom {
  /** @param length of the next line. @returns false: from here on nothing is kept */
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
