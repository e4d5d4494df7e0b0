import type { Log } from "#platform/log/log.ts";

/** A log that a test can read. */
export function createTestLog(): { lines: string[]; log: Log } {
  const lines: string[] = [];
  const write = (line: string) => void lines.push(line);
  const log = { debug: write, info: write, warn: write, error: write, writes: () => true, flush: () => {} };
  return { lines, log };
}
