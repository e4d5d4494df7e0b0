import type { Element } from "hast";
import { h, s } from "hastscript";
import type { Fence } from "#docs/content/blocks/component.ts";
import { layoutDiagram, type Layout, type PlacedText } from "./diagram-layout.ts";
import type { Edge } from "./diagram-tree.ts";
import { plain } from "./inline-markdown.ts";

/** Parses lines `from -> to: label`; the label is optional. */
function parseDiagram(source: string): { edges: Edge[]; wrong: { line: number; text: string }[] } {
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
  html(code, { caption }, context) {
    const { edges } = parseDiagram(code.value);
    const id = context.id(`figure-${context.heading}`);
    const figcaption = h("figcaption", { id }, caption ?? "");
    return [h("figure", { className: ["flow"] }, [draw(layoutDiagram(edges), id), figcaption])];
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

const ARROW_HEADS = { down: "m-4-5 4 5 4-5", right: "m-5-4 5 4-5 4", left: "m5-4-5 4 5 4" };

/** `captionId` is the id of the caption, which describes the drawing. */
function draw({ width, height, boxes, labels, rails, arrows }: Layout, captionId: string): Element {
  const heads = arrows.map(({ x, y, to }) => `M${x} ${y}${ARROW_HEADS[to]}`);
  const properties = {
    viewBox: `0 0 ${width} ${height}`,
    width,
    height,
    role: "img",
    ariaLabelledBy: captionId,
  };
  return s("svg", properties, [
    s("path", { className: ["flow-rail"], d: rails.join("") }),
    ...boxes.map((box) => {
      const { left: x, top: y } = box;
      return s("rect", { x, y, width: box.width, height: box.height, rx: 6 });
    }),
    s("path", { className: ["flow-rail"], d: heads.join("") }),
    ...boxes.flatMap((box) => textLines(box, 20)),
    s(
      "g",
      labels.flatMap((label) => textLines(label, 18)),
    ),
  ]);
}

function textLines({ x, y, lines }: PlacedText, lineHeight: number): Element[] {
  return lines.map((line, index) => s("text", { x, y: y + index * lineHeight }, line));
}
