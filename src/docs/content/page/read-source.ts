import type { Root } from "mdast";
import { visit } from "unist-util-visit";
import { isComponent } from "../blocks/component-nodes.ts";
import { parseFenceMeta } from "../blocks/fence-meta.ts";
import { lineOf } from "../problem.ts";
import type { Page, Sample } from "../types.ts";

export function samplesOf(tree: Root): Sample[] {
  const samples: Sample[] = [];
  visit(tree, "code", (code) => {
    const { meta } = parseFenceMeta(code);
    const { title, diff } = meta;
    samples.push({ language: code.lang ?? "", title, diff, code: code.value, line: lineOf(code) + 1 });
  });
  visit(tree, "inlineCode", ({ value, position }) => {
    if (!/^(npx .*)?millrace /.test(value)) return;
    samples.push({
      language: "inline",
      title: null,
      diff: false,
      code: value,
      line: position?.start.line ?? 1,
    });
  });
  return samples;
}

/** Prose by paragraph and heading. Code and facts count as one word, "`…`". */
export function proseOf(tree: Root): Page["prose"] {
  const prose: Page["prose"] = [];
  visit(tree, (node) => {
    if (node.type !== "paragraph" && node.type !== "heading" && node.type !== "tableCell") return;
    const text = proseText(node).replace(/\s+/g, " ").trim();
    if (text !== "") prose.push({ text, line: lineOf(node) });
  });
  return prose;
}

function proseText(node: object): string {
  if ("type" in node && node.type === "inlineCode") return "`…`";
  if ("type" in node && node.type === "break") return " ";
  if ("type" in node && typeof node.type === "string" && isComponent({ type: node.type })) return "`…`";
  if ("value" in node && typeof node.value === "string") return node.value;
  const children: unknown[] = "children" in node && Array.isArray(node.children) ? node.children : [];
  return children.map((child) => (typeof child === "object" && child ? proseText(child) : "")).join("");
}
