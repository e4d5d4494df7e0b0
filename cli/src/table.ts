/** Tables for people: columns that fit the terminal, or one block for each row if they do not fit. */
import { cutText, displayWidth, padText } from "./text.ts";

const GAP = 2;
/** The minimum width of a column; it is also at least as wide as its heading. */
const LEAST_WIDTH = 6;

interface Frame {
  /** Columns of the terminal; undefined if the width is unlimited, as in a pipe. */
  width: number | undefined;
  /** Styles a heading: bold if there are colors. */
  heading: (text: string) => string;
}

/**
 * @param rows clean texts, each as long as `headings`. The first column names the object and is never cut.
 * @returns text that ends with a line break
 */
export function formatTable(headings: readonly string[], rows: readonly string[][], frame: Frame): string {
  const natural = headings.map((heading, column) =>
    Math.max(displayWidth(heading), ...rows.map((row) => displayWidth(row[column] ?? ""))),
  );
  const widths = fitWidths(natural, headings, frame.width);
  if (!widths) return formatBlocks(headings, rows, frame);
  const line = (cells: readonly string[]) =>
    cells.map((cell, column) => padText(cutText(cell, widths[column]!), widths[column]!));
  const join = (cells: readonly string[]) => `${cells.join(" ".repeat(GAP)).trimEnd()}\n`;
  const head = line(headings);
  // Trailing spaces are removed before the heading is styled.
  head.push(head.pop()!.trimEnd());
  return join(head.map(frame.heading)) + rows.map((row) => join(line(row))).join("");
}

/** Shrinks the widest column until all fit; undefined if they cannot. */
function fitWidths(
  natural: readonly number[],
  headings: readonly string[],
  width: number | undefined,
): number[] | undefined {
  const widths = [...natural];
  if (width === undefined) return widths;
  const least = natural.map((size, column) =>
    column === 0 ? size : Math.min(size, Math.max(LEAST_WIDTH, displayWidth(headings[column]!))),
  );
  let excess = natural.reduce((sum, size) => sum + size, GAP * (natural.length - 1)) - width;
  for (; excess > 0; excess--) {
    const spare = widths.map((size, column) => (size > least[column]! ? size : 0));
    const widest = spare.indexOf(Math.max(...spare));
    if (spare[widest] === 0) return undefined;
    widths[widest]!--;
  }
  return widths;
}

function formatBlocks(headings: readonly string[], rows: readonly string[][], frame: Frame): string {
  const labels = Math.max(...headings.map(displayWidth)) + GAP;
  const room = Math.max(LEAST_WIDTH, (frame.width ?? 80) - labels);
  return rows
    .map((row) =>
      row
        .map((cell, column) => {
          const text = column === 0 ? cell : cutText(cell, room);
          return headings[column] === ""
            ? text && `${text}\n`
            : `${frame.heading(padText(headings[column]!, labels))}${text}`.trimEnd() + "\n";
        })
        .join(""),
    )
    .join("\n");
}

/** `Name  value` for each pair, as `orgs show` prints them. */
export function formatPairs(pairs: readonly (readonly [string, string])[], frame: Frame): string {
  const labels = Math.max(...pairs.map(([label]) => displayWidth(label))) + GAP;
  return pairs.map(([label, value]) => `${frame.heading(padText(label, labels))}${value}\n`).join("");
}
