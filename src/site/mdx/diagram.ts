import { h } from "hastscript";
import type { Fence } from "#content/component.ts";
import { plain } from "./inline-markdown.ts";

export interface Edge {
  from: string;
  to: string;
  label: string;
}

/** Lines `from -> to: label`; the label may be absent. */
export function parseDiagram(source: string): { edges: Edge[]; wrong: { line: number; text: string }[] } {
  const edges: Edge[] = [];
  const wrong: { line: number; text: string }[] = [];
  source.split("\n").forEach((text, index) => {
    if (text.trim() === "") return;
    const match = /^\s*(.+?)\s*->\s*([^:]+?)\s*(?::\s*(.*?)\s*)?$/.exec(text);
    if (match?.[1] && match[2] && !match[2].includes("->")) {
      edges.push({ from: match[1], to: match[2], label: match[3] ?? "" });
    } else wrong.push({ line: index + 1, text });
  });
  return { edges, wrong };
}

export const diagram: Fence = {
  html(code, { caption }) {
    const { edges } = parseDiagram(code.value);
    const items = edges.map(({ from, to, label }) =>
      h("li", `${from} → ${to}${label === "" ? "" : `: ${label}`}`),
    );
    return [h("figure", { className: ["flow"] }, [h("ul", items), h("figcaption", caption ?? "")])];
  },
  markdown(code, { caption }) {
    const text = {
      type: "paragraph" as const,
      children: [{ type: "emphasis" as const, children: plain(caption ?? "") }],
    };
    return [{ type: "code", lang: "text", value: code.value }, text];
  },
  check(code, { caption }) {
    const { edges, wrong } = parseDiagram(code.value);
    const problems = wrong.map(({ line, text }) => ({
      line,
      message: `"${text.trim()}" is not an arrow.`,
      fix: "laptop -> builder: changed files",
    }));
    if (caption === null) {
      problems.unshift({
        line: 0,
        message: "The diagram has no caption.",
        fix: '```diagram caption="What it says."',
      });
    }
    if (edges.length === 0 && wrong.length === 0) {
      problems.push({ line: 0, message: "The diagram is empty.", fix: "laptop -> builder: changed files" });
    }
    return problems;
  },
};
