/**
 * Finds the function around a line of formatted source by its indentation: source maps give a position, but not its function.
 * Going up, each line with less indentation is one block further out.
 *
 *     export function sendSearch(query) {      ← `sendSearch`
 *       if (query) {                           ← a block, not a function
 *         return fetch(`/multi-search`);       ← the place
 */
const PATTERNS = [
  /\bfunction\s*\*?\s*([\w$]+)\s*[(<]/,
  /\b(?:const|let|var)\s+([\w$]+)\s*(?::[^=]+)?=\s*(?:async\s*)?(?:function\b|\(|<|[\w$]+\s*=>)/,
  /^\s*(?:public |private |protected |static |override |async |get |set |\*)*#?([\w$]+)\s*(?:<[^>]*>)?\([^;]*$/,
  /^\s*([\w$]+)\s*:\s*(?:async\s*)?(?:function\b|\([^)]*\)\s*=>|[\w$]+\s*=>)/,
];
const NOT_FUNCTIONS = new Set([
  "if",
  "for",
  "while",
  "switch",
  "catch",
  "return",
  "with",
  "do",
  "else",
  "await",
  "super",
]);
const FURTHEST = 400;
/** A longer line is not formatted source: the source maps of some packages contain built files. */
const MAX_LINE_LENGTH = 300;

/** @param line from 1 @returns null when no line above names a function. */
export function findEnclosingFunction(lines: readonly string[], line: number): string | null {
  let indent = indentOf(lines[line - 1] ?? "");
  const own = nameIn(lines[line - 1] ?? "");
  for (let index = line - 2; index >= Math.max(line - FURTHEST, 0); index--) {
    const text = lines[index] ?? "";
    if (text.trim() === "" || indentOf(text) >= indent) continue;
    indent = indentOf(text);
    const name = nameIn(text);
    if (name) return name;
    if (indent === 0) break;
  }
  return own;
}

function indentOf(text: string): number {
  return text.length - text.trimStart().length;
}

function nameIn(text: string): string | null {
  if (text.length > MAX_LINE_LENGTH) return null;
  // The first line of a block opens a bracket; a call that ends on its own line does not.
  if (!/[{(>]\s*$|=>\s*\S*$/.test(text)) return null;
  for (const pattern of PATTERNS) {
    const name = pattern.exec(text)?.[1];
    if (name && !NOT_FUNCTIONS.has(name)) return name;
  }
  return null;
}
