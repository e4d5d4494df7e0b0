import type { PhrasingContent, Table, TableRow } from "mdast";
import { availabilityOf } from "#docs/content/page/availability.ts";
import type { Facts } from "#docs/content/facts/facts.ts";
import { previewMark } from "#docs/content/page/preview-marks.ts";
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

/** Inline code as Markdown, whatever characters it contains. */
export function code(text: string): PhrasingContent {
  return { type: "inlineCode", value: text };
}

interface NamesPart {
  part?: string | undefined;
}

/**
 * Marks facts that are documented before they run. If all or none of them run there are no marks: a mark on every row would
 * say nothing.
 */
export function previewMarks(
  items: readonly NamesPart[],
  facts: Facts,
): (item: NamesPart) => PhrasingContent[] {
  const isPreview = ({ part }: NamesPart) => availabilityOf(part, facts) === "preview";
  const isMixed = items.some(isPreview) && !items.every(isPreview);
  return (item) => (isMixed && isPreview(item) ? [...plain(" "), previewMark(item.part ?? "")] : []);
}

/** `Required`, in the design's colour. */
export function requiredMark(): PhrasingContent {
  return {
    type: "emphasis",
    data: { hName: "span", hProperties: { className: ["req"] } },
    children: plain("Required"),
  };
}
