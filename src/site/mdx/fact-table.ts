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

/** The mark of what is documented before it exists. */
export function previewMark(availability: "available" | "preview"): PhrasingContent[] {
  if (availability === "available") return [];
  const mark = { hName: "span", hProperties: { className: ["preview"] } };
  return [...plain(" "), { type: "emphasis", data: mark, children: plain("Preview") }];
}

/** `required` in the design's colour. */
export function requiredMark(): PhrasingContent {
  return {
    type: "emphasis",
    data: { hName: "span", hProperties: { className: ["req"] } },
    children: plain("required"),
  };
}
