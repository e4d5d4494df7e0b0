/**
 * Controls line breaks for narrow screens and columns: `--network=none` does not break after its dashes, `MILLRACE_SECRET_KEY`
 * breaks after an underscore and not inside a word, long code in a table between its parts (`remoteCache` `.apiUrl`), "50 GB" never.
 * The text for copying, searching and reading aloud stays the same.
 */
import type { Element, ElementContent, Root } from "hast";
import { toString } from "hast-util-to-string";
import { h } from "hastscript";
import { SKIP, visit } from "unist-util-visit";

/** Longer flags may break, because they would not fit on a phone. */
const LONGEST_FLAG = 24;
/** Longer code would widen the column of its table. */
const LONGEST_IN_COLUMN = 14;
const FLAGS = /(?<![\w-])(--?[A-Za-z][\w-]*)/;
const QUANTITY = /(\d) (?=(?:[KMGT]B|CPUs?|minutes?|hours?|days?)\b)/g;

const BETWEEN_NAMES = /(?<=[A-Z]_)(?=[A-Z])/;
const BETWEEN_PARTS = /(?<=[_=,])(?=[\w{])|(?<=[\w}])(?=[/.]\w)/;

export function placeLineBreaks(root: Root): void {
  const inTables = new Set<Element>();
  visit(root, { tagName: "td" }, (cell) =>
    visit(cell, { tagName: "code" }, (code: Element) => void inTables.add(code)),
  );
  visit(root, (node, index, parent) => {
    if (node.type === "element" && node.tagName === "pre") return SKIP;
    if (node.type === "element" && node.tagName === "code") {
      placeInCode(node, inTables.has(node));
      return SKIP;
    }
    if (node.type === "text" && parent && index !== undefined)
      node.value = node.value.replace(QUANTITY, "$1\u00a0");
    return undefined;
  });
}

/** Short code with a flag needs no change; the tables of the CLI reference have hundreds of flags. */
function placeInCode(code: Element, isInTable: boolean): void {
  const [only] = code.children;
  if (
    code.children.length === 1 &&
    only?.type === "text" &&
    only.value.length <= LONGEST_FLAG &&
    FLAGS.test(only.value)
  ) {
    code.properties.className = ["flag"];
  } else {
    const isLong = isInTable && toString(code).length > LONGEST_IN_COLUMN;
    code.children = code.children.flatMap((child) =>
      child.type === "text" ? codePieces(child.value, isLong ? BETWEEN_PARTS : BETWEEN_NAMES) : [child],
    );
  }
}

/** Flags in a span that does not break, and break opportunities in the rest. */
function codePieces(text: string, places: RegExp): ElementContent[] {
  return text.split(FLAGS).flatMap((piece, index): ElementContent[] => {
    const isFlag = index % 2 === 1 && piece.length <= LONGEST_FLAG;
    return isFlag ? [flag(piece)] : withBreaks(piece, places);
  });
}

function flag(value: string): Element {
  return h("span", { className: ["flag"] }, value);
}

function withBreaks(text: string, places: RegExp): ElementContent[] {
  if (text === "") return [];
  return text.split(places).flatMap((value, index): ElementContent[] => {
    const word: ElementContent = { type: "text", value };
    return index === 0 ? [word] : [h("wbr"), word];
  });
}
