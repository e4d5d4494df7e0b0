/** Finds what people read in a file: its comments, strings and text, but not its code. */
import { parseSync, Visitor } from "vite";
import { isCode } from "../../imports/import-graph.ts";

interface Prose {
  /** As long as in the file: line breaks stay, other characters that are not prose are spaces. */
  text: string;
  /** Where it starts in the file. */
  start: number;
}

/** The comments, strings and element text of code; the comments of styles and schemas; other files in full, without code blocks. */
export function readProse(file: string, source: string): Prose[] {
  if (isCode(file)) return proseOfCode(file, source);
  if (/\.(?:css|proto)$/.test(file)) return proseOfComments(source);
  return [{ text: withoutMarks(blank(blank(source, CODE_BLOCK), CODE_SPAN)), start: 0 }];
}

const CODE_BLOCK = /^[ \t]*(```+|~~~+)[^\n]*\n.*?^[ \t]*\1[ \t]*$/gms;
const CODE_SPAN = /(?<!`)(`+)(?!`)[^\n]+?(?<!`)\1(?!`)/g;
const COMMENT = /\/\*.*?\*\/|(?:^[ \t]*|[ \t])\/\/.*?$(?:\n[ \t]*\/\/.*?$)*/gms;

/** Replaces with spaces, and keeps the lines. */
const blank = (text: string, what: RegExp) => text.replace(what, (found) => found.replace(/\S/g, " "));

/** The marks of a comment, a quotation or a list where a line begins. */
export const withoutMarks = (text: string) =>
  blank(text, /^[ \t]*(?:\/\*\*?|\/\/|\*\/|[*#>]+(?=\s))|\*\/$/gm);

const proseOfComments = (source: string): Prose[] =>
  [...source.matchAll(COMMENT)].map(({ 0: text, index }) => ({ text: withoutMarks(text), start: index }));

interface Node {
  start: number;
  end: number;
}

function proseOfCode(file: string, source: string): Prose[] {
  const { comments, program } = parseSync(file, source);
  const prose = joinLines(comments, source);
  const add = ({ start, end }: Node) =>
    // An escape of a line break.
    void prose.push({ text: source.slice(start, end).replace(/\\[nt]/g, "  "), start });
  new Visitor({
    Literal: (node) =>
      void (typeof node.value === "string" && add({ start: node.start + 1, end: node.end - 1 })),
    JSXText: add,
    TemplateLiteral({ start, quasis, expressions }) {
      const text = source.slice(start + 1, quasis.at(-1)!.end);
      prose.push({ text: withValues(text, expressions, start + 1), start: start + 1 });
    },
  }).visit(program);
  return prose;
}

/** Each value becomes "…". */
function withValues(text: string, values: readonly Node[], start: number): string {
  let result = text.replace(/\\[nt]/g, "  ");
  for (const value of values) {
    const [from, to] = [value.start - start, value.end - start];
    const spaces = result.slice(from, to).replace(/\S/g, " ");
    result = `${result.slice(0, from - 2)}  ${spaces.replace(/^ /, "…")}${result.slice(to)}`;
  }
  return result;
}

/** Comments of lines that follow each other are one text. */
function joinLines(comments: readonly (Node & { type: string })[], source: string): Prose[] {
  const spans: Node[] = [];
  let isLine = false;
  for (const { type, start, end } of comments) {
    const last = spans.at(-1);
    if (last && isLine && type === "Line" && /^\n[ \t]*$/.test(source.slice(last.end, start))) last.end = end;
    else spans.push({ start, end });
    isLine = type === "Line";
  }
  return spans.map(({ start, end }) => ({ text: withoutMarks(source.slice(start, end)), start }));
}
