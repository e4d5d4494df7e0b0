/** What a JSON text is made of, counted before it is parsed: a parser takes anything, but code that walks through the value does not. */

/** Whether lists and objects of a JSON text are inside each other more than `limit` times. Brackets in texts do not count. */
export function isDeeperThan(limit: number, text: string): boolean {
  let depth = 0;
  for (const sign of signsOf(text)) {
    if (sign === "{" || sign === "[") depth += 1;
    else if (sign === "}" || sign === "]") depth -= 1;
    if (depth > limit) return true;
  }
  return false;
}

/** Whether a JSON text has more than `limit` values: before each but the first is a comma or the bracket that it is in. */
export function hasMoreValuesThan(limit: number, text: string): boolean {
  let values = 1;
  for (const sign of signsOf(text)) {
    if (sign === "," || sign === "{" || sign === "[") values += 1;
    if (values > limit) return true;
  }
  return false;
}

/** The characters of a JSON text that are in none of its texts. */
function* signsOf(text: string): Generator<string> {
  let isText = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index] ?? "";
    if (isText && character === "\\") index += 1;
    else if (character === '"') isText = !isText;
    else if (!isText) yield character;
  }
}
