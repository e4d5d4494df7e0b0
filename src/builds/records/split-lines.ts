/** Turns a step's output, in pieces of any size, into lines: joins split UTF-8, and keeps the last form of a line that is redrawn. */
import { MAX_LINE_LENGTH } from "../contract/limits.ts";

const CUT = " …";
/** Characters of an unfinished line that are examined again when more arrives. */
const MAX_HELD_LENGTH = 2 * MAX_LINE_LENGTH;

export interface LineSplitter {
  /** @returns the lines that are complete now */
  push: (bytes: Uint8Array) => string[];
  /** @returns the last line, if it has no end */
  end: () => string[];
}

/** @param mask masks a whole line and returns the part to store */
export function createLineSplitter(mask = (line: string) => line.slice(0, MAX_LINE_LENGTH)): LineSplitter {
  const decoder = new TextDecoder();
  let held = "";
  const take = (text: string): string[] => {
    const lines = (held + text).split("\n");
    held = lines.pop() ?? "";
    // A line that is redrawn endlessly.
    const drawn = held.lastIndexOf("\r", held.length - 2);
    if (drawn >= 0) held = held.slice(drawn + 1);
    if (held.length > MAX_HELD_LENGTH) held = held.slice(0, MAX_HELD_LENGTH);
    return lines.map((line) => finish(line, mask));
  };
  return {
    push: (bytes) => take(decoder.decode(bytes, { stream: true })),
    end() {
      const lines = take(decoder.decode());
      if (held !== "") lines.push(finish(held, mask));
      held = "";
      return lines;
    },
  };
}

function finish(line: string, mask: (line: string) => string): string {
  const end = line.endsWith("\r") ? line.length - 1 : line.length;
  const start = line.lastIndexOf("\r", end - 1) + 1;
  // Neither database stores NUL, and JSON no unpaired surrogate.
  const text = line.slice(start, end).replaceAll("\0", "").toWellFormed();
  const shown = mask(text);
  return text.length > MAX_LINE_LENGTH ? shown.toWellFormed() + CUT : shown;
}
