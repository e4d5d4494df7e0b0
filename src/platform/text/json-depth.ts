/**
 * Whether lists and objects of a JSON text are inside each other more than `limit` times. Counted before it is parsed: a
 * parser takes any depth, but code that walks through the value does not. Brackets in texts do not count.
 */
export function isDeeperThan(limit: number, text: string): boolean {
  let depth = 0;
  let isText = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (isText && character === "\\") index += 1;
    else if (character === '"') isText = !isText;
    else if (isText) continue;
    else if (character === "{" || character === "[") depth += 1;
    else if (character === "}" || character === "]") depth -= 1;
    if (depth > limit) return true;
  }
  return false;
}
