/** Counts a JSON text's depth and values before it is parsed: a parser accepts anything, but code that walks through the value may not. */

export interface JsonLimits {
  /** Nested lists and objects. */
  depth: number;
  /** Values: each follows a comma or an opening bracket, except the first. */
  values: number;
}

const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * The first limit that a text exceeds; null: none. Reads each character once, and none after the limit.
 * @param text may be invalid JSON: the parser then reports the error
 */
export function exceededLimit(
  text: string,
  { depth: most, values: mostValues }: JsonLimits,
): keyof JsonLimits | null {
  let depth = 0;
  let values = 1;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    if (sign === QUOTE) at = endOfString(text, at);
    else if (sign === COMMA) values += 1;
    else if (sign === OPEN_OBJECT || sign === OPEN_LIST) {
      values += 1;
      depth += 1;
    } else if (sign === CLOSE_OBJECT || sign === CLOSE_LIST) depth -= 1;
    if (depth > most) return "depth";
    if (values > mostValues) return "values";
  }
  return null;
}

/** The position of the closing quote, or the text's end. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  for (; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    if (sign === QUOTE) break;
    if (sign === BACKSLASH) at += 1;
  }
  return at;
}
