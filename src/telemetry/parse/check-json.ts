/**
 * Counts the values of a JSON text before it is parsed: scanning bytes is cheap, making values is not.
 *
 *     {"a":[1,"b"]}     depth 2; 6 tokens: `{` `"a"` `[` `,` `"b"`, and one for the text
 *
 * Text that is not JSON passes if it is small enough: the parser then reports the error.
 */
import { Refusal } from "../contract/refusal.ts";

/** One budget per request, shared by its texts (the items of an envelope, the compressed parts of a recording). */
export interface JsonBudget {
  depth: number;
  /** Strings, commas, lists and objects that are still allowed. */
  tokens: number;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Reads each byte once, and none after a limit is exceeded.
 * @returns the number of bytes that were read
 * @throws Refusal
 */
export function checkJson(bytes: Uint8Array, budget: JsonBudget): number {
  let depth = 0;
  let tokens = budget.tokens - 1;
  let position = 0;
  for (; position < bytes.length && tokens >= 0; position++) {
    switch (bytes[position]) {
      case QUOTE:
        tokens -= 1;
        position = endOfString(bytes, position);
        break;
      case COMMA:
        tokens -= 1;
        break;
      case OPEN_LIST:
      case OPEN_OBJECT:
        tokens -= 1;
        depth += 1;
        if (depth > budget.depth)
          throw new Refusal("too complex", `The JSON is nested deeper than ${budget.depth} levels.`);
        break;
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        depth -= 1;
        break;
    }
  }
  if (tokens < 0) throw new Refusal("too complex", "The JSON has too many values: send fewer at once.");
  budget.tokens = tokens;
  return position;
}

/** The position of the closing quote, or the text's end. */
function endOfString(bytes: Uint8Array, start: number): number {
  let position = start + 1;
  // Most strings are short: a loop is faster than the engine's own search.
  while (position < bytes.length && bytes[position] !== QUOTE)
    position += bytes[position] === BACKSLASH ? 2 : 1;
  return position;
}
