/**
 * JSON that all readers understand in the same way: a second field of the same name is an error, because programs differ in
 * which of the two they take, and a digest would no longer say what is run.
 */
import { exceededLimit } from "#platform/text/json-depth.ts";
import { MAX_REFERENCES } from "../contract/limits.ts";

/** Nested objects and lists. */
const MAX_DEPTH = 32;
/** A layer has four values, and some annotations. This many names take 40 ms. */
const MAX_VALUES = 12 * MAX_REFERENCES;

/** @throws SyntaxError that says what is wrong */
export function readJson(bytes: Uint8Array): unknown {
  const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  // Before it is parsed: 4 MB of brackets or of names take 180 MB, and half a second.
  const exceeded = exceededLimit(text, { depth: MAX_DEPTH, values: MAX_VALUES });
  if (exceeded === "depth")
    throw new SyntaxError(`its objects and lists are nested more than ${MAX_DEPTH} deep`);
  if (exceeded === "values") throw new SyntaxError(`it has more than ${MAX_VALUES} values`);
  const value: unknown = JSON.parse(text);
  // The parser keeps one field of each name. Which of them came twice is only looked for where one did.
  if (countNames(text) !== countKeys(value)) refuseTwins(text);
  return value;
}

const QUOTE = 0x22;
const COLON = 0x3a;
const BACKSLASH = 0x5c;

/** @param text is known to be JSON, so that every string before a colon is a name */
function countNames(text: string): number {
  let names = 0;
  let isInText = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    if (sign === QUOTE) isInText = !isInText;
    else if (isInText) {
      if (sign === BACKSLASH) at += 1;
    } else if (sign === COLON) names += 1;
  }
  return names;
}

function countKeys(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const parts: unknown[] = Array.isArray(value) ? value : Object.values(value);
  let keys = Array.isArray(value) ? 0 : parts.length;
  for (const part of parts) keys += countKeys(part);
  return keys;
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
        // Escapes allow two spellings of one name.
        const written = text.slice(at + 1, end - 1);
        const name = written.includes("\\") ? String(JSON.parse(`"${written}"`)) : written;
        if (names.has(name))
          throw new SyntaxError(`the field ${JSON.stringify(name.slice(0, 100))} appears twice`);
        names.add(name);
      }
      at = end - 1;
    }
  }
}

/** The index after the closing quote. */
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
