/** What a JSON text is made of, counted before it is parsed: a parser takes anything, but code that walks through the value does not. */

export interface JsonLimits {
  /** Lists and objects inside each other. */
  depth: number;
  /** Values: before each but the first is a comma, or the bracket that it is in. */
  values: number;
}

const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Which limit a text exceeds, the first one; null: none. Looks at each character once, and at none after that.
 * @param text may be no JSON: the parser then says what is wrong with it
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

/** The place of the closing quote, or the text's end. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  for (; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    if (sign === QUOTE) break;
    if (sign === BACKSLASH) at += 1;
  }
  return at;
}
