/** The forms in which a body is at its worst, each made as large as is asked for. */
import type { Random } from "../fuzz/random.ts";

export interface Shape {
  /** Its content, in words. */
  name: string;
  /** @param size bytes, which it comes near to and does not exceed */
  make: (size: number, random: Random) => Buffer;
}

/** The same bytes again and again. */
export function repeat(unit: readonly number[] | Uint8Array | string, size: number): Buffer {
  const bytes = typeof unit === "string" ? Buffer.from(unit) : Buffer.from(unit);
  return Buffer.alloc(Math.max(0, Math.floor(size / bytes.length)) * bytes.length, bytes);
}

/** `begin`, then what `part` makes of each number, with `between`, then `end`. */
export function join(
  size: number,
  {
    begin,
    part,
    between,
    end,
  }: { begin: string; part: (at: number) => string; between: string; end: string },
): Buffer {
  const parts: string[] = [];
  let length = begin.length + end.length;
  for (let at = 0; ; at += 1) {
    const made = part(at);
    length += made.length + between.length;
    if (length > size) break;
    parts.push(made);
  }
  return Buffer.from(begin + parts.join(between) + end);
}
