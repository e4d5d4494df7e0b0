import type { PhrasingContent, Table, TableRow } from "mdast";
import { inlineMarkdown, plain } from "./inline-markdown.ts";

export interface FactRow {
  /** The row's anchor. */
  id?: string;
  classes?: string[];
  /** Inline Markdown, or nodes. */
  cells: (string | PhrasingContent[])[];
}

/** A table whose rows can be linked. */
export function factTable(head: string[], rows: readonly FactRow[]): Table {
  const row = (cells: FactRow["cells"]): TableRow => ({
    type: "tableRow",
    children: cells.map((cell) => ({
      type: "tableCell",
      children: typeof cell === "string" ? inlineMarkdown(cell) : cell,
    })),
  });
  return {
    type: "table",
    children: [
      row(head),
      ...rows.map(({ id, classes, cells }) => ({
        ...row(cells),
        data: { hProperties: { id, className: classes } },
      })),
    ],
  };
}

/** Code whatever signs are in it, as Markdown. */
export function code(text: string): PhrasingContent {
  return { type: "inlineCode", value: text };
}

type Availability = "available" | "preview";

/**
 * Marks what is documented before it exists. Where everything is, or nothing, the page's own mark says it: a mark on
 * every row would say nothing.
 */
export function previewMarks(
  items: readonly { availability: Availability }[],
): (item: { availability: Availability }) => PhrasingContent[] {
  const isMixed = new Set(items.map(({ availability }) => availability)).size > 1;
  return ({ availability }) => (isMixed && availability === "preview" ? [...plain(" "), previewMark()] : []);
}

function previewMark(): PhrasingContent {
  const mark = { hName: "span", hProperties: { className: ["preview"] } };
  return { type: "emphasis", data: mark, children: plain("Preview") };
}

/** `Required` in the design's colour. */
export function requiredMark(): PhrasingContent {
  return {
    type: "emphasis",
    data: { hName: "span", hProperties: { className: ["req"] } },
    children: plain("Required"),
  };
}
