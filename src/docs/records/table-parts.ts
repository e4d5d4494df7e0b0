import type { Block } from "#docs/content/types.ts";
import { LONGEST_TEXT, splitText } from "./split-text.ts";
import type { Part } from "./types.ts";

/** Separates the cells of a row; no cell contains one. */
const CELL_END = "\t";

interface Cell {
  column: string;
  text: string;
}

/**
 * The rows of a table, each a separate text: the cells that are not empty, and separately the names of their columns.
 * The names are not part of the text, because a search for them would find every row. A row without an anchor has the anchor of
 * the row above it. A row that is too long continues in another part.
 */
export function rowParts({ columns, rows }: Block & { kind: "table" }): Part[] {
  let anchor: string | undefined;
  return rows.flatMap(({ id, cells, for: readers = [] }) => {
    anchor = id ?? anchor;
    const pieces = cells.flatMap((text, at) =>
      splitText(text, ". ").map((piece): Cell => ({ column: columns[at] ?? "", text: piece })),
    );
    return packCells(pieces).map((part): Part => ({
      type: "row",
      text: part.map(({ text }) => text).join(CELL_END),
      columns: part.map(({ column }) => column),
      anchor,
      for: readers,
    }));
  });
}

/** Groups cells into texts of at most the usual length. */
function packCells(cells: readonly Cell[]): Cell[][] {
  const parts: Cell[][] = [];
  let length = Infinity;
  for (const cell of cells) {
    length += cell.text.length + CELL_END.length;
    if (length <= LONGEST_TEXT) parts.at(-1)?.push(cell);
    else {
      parts.push([cell]);
      length = cell.text.length;
    }
  }
  return parts;
}
