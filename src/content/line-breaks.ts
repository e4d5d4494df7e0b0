/**
 * Where a line may break, for narrow screens: `--network=none` not after its dashes, `MILLRACE_SECRET_KEY` after an
 * underscore and not inside a word, "50 GB" not at all. What is copied, searched and read aloud stays the same.
 */
import type { Element, ElementContent, Root } from "hast";
import { h } from "hastscript";
import { SKIP, visit } from "unist-util-visit";

/** Longer ones may break: they would not fit a phone. */
const longestFlag = 24;
const flags = /(?<![\w-])(--?[A-Za-z][\w-]*)/;
const quantity = /(\d) (?=(?:[KMGT]B|CPUs?|minutes?|hours?|days?)\b)/g;

export function placeLineBreaks(root: Root): void {
  visit(root, (node, index, parent) => {
    if (node.type === "element" && node.tagName === "pre") return SKIP;
    if (node.type === "element" && node.tagName === "code") {
      placeInCode(node);
      return SKIP;
    }
    if (node.type === "text" && parent && index !== undefined)
      node.value = node.value.replace(quantity, "$1\u00a0");
    return undefined;
  });
}

/** Short code with a flag is one piece as it is: hundreds of them stand in the tables of the CLI's reference. */
function placeInCode(code: Element): void {
  const [only] = code.children;
  if (
    code.children.length === 1 &&
    only?.type === "text" &&
    only.value.length <= longestFlag &&
    flags.test(only.value)
  ) {
    code.properties.className = ["flag"];
  } else {
    code.children = code.children.flatMap((child) =>
      child.type === "text" ? codePieces(child.value) : [child],
    );
  }
}

/** Flags in a span that does not break, and a place to break after each underscore of a variable. */
function codePieces(text: string): ElementContent[] {
  return text.split(flags).flatMap((piece, index): ElementContent[] => {
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
