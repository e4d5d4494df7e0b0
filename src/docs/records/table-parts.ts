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
 * The rows of a table, each a text of its own: the cells that are not empty, and beside them the names of their columns.
 * The names are not part of the text, or every row would be found by them. A row without an anchor has that of
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

/** As many cells together as make a text of the usual length. */
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
