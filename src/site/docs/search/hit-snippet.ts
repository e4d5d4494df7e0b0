/**
 * The text that a hit shows, by type of record:
 *
 *   text   a paragraph or list: the text around the best match; a heading: the first sentence below it
 *   code   the line that matched best, and its neighbours
 *   row    the cells of a table row with the names of their columns
 */
import { excerpt, hitText, splitParts, type TextPart } from "./hit-text.ts";
import type { DocsHit } from "./protocol.ts";

export interface RowCell {
  /** "" if the column has no name. */
  column: string;
  parts: TextPart[];
}

export type Snippet =
  | { kind: "text"; parts: TextPart[] }
  | { kind: "code"; lines: TextPart[][] }
  | { kind: "row"; cells: RowCell[] };

/** Lines shown above and below the one that matched. */
const CODE_CONTEXT = 1;
/** Maximum length of a line or a cell, in characters. */
const LINE_LENGTH = 160;

/** @returns null for a hit without its own text and without text below it. */
export function snippetOf(hit: DocsHit): Snippet | null {
  const content = hitText(hit, "content");
  if (content && hit.type === "code") return { kind: "code", lines: codeLines(content) };
  if (content && hit.type === "row") return { kind: "row", cells: rowCells(content, hit.columns) };
  const text = content ?? hitText(hit, "summary");
  return text && { kind: "text", parts: excerpt(text) };
}

function rowCells(content: TextPart[], columns: unknown): RowCell[] {
  const names: unknown[] = Array.isArray(columns) ? columns : [];
  return splitParts(content, "\t").map((parts, at) => {
    const name = names[at];
    return { column: typeof name === "string" ? name : "", parts: excerpt(parts, LINE_LENGTH) };
  });
}

function codeLines(content: TextPart[]): TextPart[][] {
  const lines = splitParts(content, "\n");
  const around = (at: number) => lines.slice(Math.max(at - CODE_CONTEXT, 0), at + CODE_CONTEXT + 1);
  let best = { at: 0, score: -1 };
  lines.forEach((line, at) => {
    // The line itself breaks the tie between lines with the same words nearby.
    const score = matchCount([line]) === 0 ? 0 : 2 * matchCount(around(at)) + matchCount([line]);
    if (score > best.score) best = { at, score };
  });
  const shown = around(best.at).filter((line) => textOf(line).trim() !== "");
  const indent = Math.min(...shown.map((line) => textOf(line).search(/\S/)));
  return shown.map((line) => excerpt(withoutIndent(line, indent), LINE_LENGTH));
}

/** How many different words are marked. */
function matchCount(lines: TextPart[][]): number {
  const matches = lines.flat().filter(({ isMatch }) => isMatch);
  return new Set(matches.map(({ text }) => text.toLowerCase())).size;
}

/** Blanks are never marked, so a line's indent is always in its first part. */
function withoutIndent([first, ...rest]: TextPart[], indent: number): TextPart[] {
  return first ? [{ ...first, text: first.text.slice(indent) }, ...rest] : [];
}

const textOf = (parts: TextPart[]) => parts.map(({ text }) => text).join("");
