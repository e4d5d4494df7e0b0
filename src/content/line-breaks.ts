/**
 * Where a line may break, for narrow screens: `--network=none` not after its dashes, `MILLRACE_SECRET_KEY` after an
 * underscore and not inside a word, "50 GB" not at all. What is copied, searched and read aloud stays the same.
 */
import type { Element, ElementContent, Root } from "hast";
import { h } from "hastscript";
import { SKIP, visit } from "unist-util-visit";

/** Longer ones may break: they would not fit a phone. */
const longestFlag = 24;
const quantity = /(\d) (?=(?:[KMGT]B|CPUs?|minutes?|hours?|days?)\b)/g;

export function placeLineBreaks(root: Root): void {
  visit(root, (node, index, parent) => {
    if (node.type === "element" && node.tagName === "pre") return SKIP;
    if (node.type === "element" && node.tagName === "code") {
      node.children = node.children.flatMap((child) =>
        child.type === "text" ? codePieces(child.value) : [child],
      );
      return SKIP;
    }
    if (node.type === "text" && parent && index !== undefined)
      node.value = node.value.replace(quantity, "$1\u00a0");
    return undefined;
  });
}

/** Flags in a span that does not break, and a place to break after each underscore of a variable. */
function codePieces(text: string): ElementContent[] {
  return text.split(/(?<![\w-])(--?[A-Za-z][\w-]*)/).flatMap((piece, index): ElementContent[] => {
    const isFlag = index % 2 === 1 && piece.length <= longestFlag;
    return isFlag ? [flag(piece)] : withBreaks(piece);
  });
}

function flag(value: string): Element {
  return h("span", { className: ["flag"] }, value);
}

function withBreaks(text: string): ElementContent[] {
  if (text === "") return [];
  return text.split(/(?<=[A-Z]_)(?=[A-Z])/).flatMap((value, index): ElementContent[] => {
    const word: ElementContent = { type: "text", value };
    return index === 0 ? [word] : [h("wbr"), word];
  });
}
