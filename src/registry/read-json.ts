/**
 * JSON of which every reader understands the same: a second field of the same name is an error, because programs differ in
 * which of the two they take, and a digest would no longer say what is run.
 */

/** Objects and lists inside each other. */
const MAX_DEPTH = 32;

/** @throws SyntaxError that says what is wrong */
export function readJson(bytes: Uint8Array): unknown {
  // Before it is parsed: 4 MB of brackets take 180 MB, and a quarter of a second.
  refuseDepth(bytes);
  const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  const value: unknown = JSON.parse(text);
  refuseTwins(text);
  return value;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Of what may be no JSON, too. In UTF-8 no byte of another letter is one of these. */
function refuseDepth(bytes: Uint8Array): void {
  let depth = 0;
  let isInText = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) isInText = !isInText;
    else if (isInText) {
      if (byte === BACKSLASH) at += 1;
    } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      depth += 1;
      if (depth > MAX_DEPTH)
        throw new SyntaxError(`it has more than ${MAX_DEPTH} objects and lists inside each other`);
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1;
  }
}

/** One open object, with the names that it has so far, or one open list. */
type Open = Set<string> | null;

/** @param text is known to be JSON */
function refuseTwins(text: string): void {
  const open: Open[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === "{" || char === "[") {
      open.push(char === "{" ? new Set() : null);
    } else if (char === "}" || char === "]") open.pop();
    else if (char === '"') {
      const end = endOfString(text, at);
      const names = open.at(-1);
      if (names && isName(text, end)) {
        // Escapes make two spellings of one name.
        const written = text.slice(at + 1, end - 1);
        const name = written.includes("\\") ? String(JSON.parse(`"${written}"`)) : written;
        if (names.has(name))
          throw new SyntaxError(`the field ${JSON.stringify(name.slice(0, 100))} is there twice`);
        names.add(name);
      }
      at = end - 1;
    }
  }
}

/** Behind the closing quote. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end + 1;
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text[at - 1 - slashes] === "\\") slashes += 1;
  return slashes % 2 === 1;
}

/** Whether a colon follows. */
function isName(text: string, from: number): boolean {
  let at = from;
  while (text[at] === " " || text[at] === "\n" || text[at] === "\t" || text[at] === "\r") at += 1;
  return text[at] === ":";
}
