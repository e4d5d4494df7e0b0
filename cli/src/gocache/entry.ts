/** An action's output. */
export interface Entry {
  /** SHA-256 of the bytes, hexadecimal: Go's name for the output. */
  output: string;
  size: number;
  /** When it was made, in nanoseconds since 1970: `go clean -testcache` uses it. */
  time: string;
}

export const ID = /^[0-9a-f]{64}$/;
const TIME = /^\d{1,19}$/;

/** @returns undefined if a field is malformed */
export function parseEntry(
  { output, size, time }: { [Field in keyof Entry]: unknown },
  mostBytes: number,
): Entry | undefined {
  if (typeof output !== "string" || !ID.test(output)) return undefined;
  if (typeof time !== "string" || !TIME.test(time)) return undefined;
  if (typeof size !== "number" || !Number.isSafeInteger(size) || size < 0 || size > mostBytes)
    return undefined;
  return { output, size, time };
}

/** `1764000000000000005` → `2025-11-24T16:00:00.000000005Z` */
export function formatTime(nanoseconds: string): string {
  const digits = nanoseconds.padStart(10, "0");
  const seconds = new Date(Number(digits.slice(0, -9)) * 1000).toISOString().slice(0, 19);
  return `${seconds}.${digits.slice(-9)}Z`;
}

export const nowInNanoseconds = (): string => `${Date.now()}000000`;
