/** Pixels that a column needs. */
export interface ColumnNeed {
  /** For its label and its rows, and some more for rows that come later. */
  wanted: number;
  /** Narrower it would not be of use: then the table scrolls sideways. */
  least: number;
}

/** Each gets its least. What is left of `room` goes to those that want more, by how much they want. */
function fitColumns(needs: readonly ColumnNeed[], room: number) {
  const least = sum(needs.map((need) => need.least));
  const more = sum(needs.map((need) => need.wanted)) - least;
  const share = more > 0 ? Math.min(Math.max((room - least) / more, 0), 1) : 0;
  const widths = needs.map((need) => Math.floor(need.least + share * (need.wanted - need.least)));
  return { widths, isTight: share < 1 };
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

/** Of the frame's width, for the main column: where all have enough, and while the others can still give way. */
const MAIN_USUAL = 0.44;
const MAIN_FIRST = 0.26;

interface Frame {
  width: number;
  /** Of the main column. */
  mainLeast: number;
}

/** The columns beside the main one, and how wide the table is at least. The main column takes what they leave. */
export function planColumns(needs: readonly ColumnNeed[], { width, mainLeast }: Frame) {
  const spare = Math.max(1, (width * (1 - MAIN_USUAL)) / sum(needs.map(({ wanted }) => wanted)));
  const { widths, isTight } = fitColumns(
    needs.map(({ wanted, least }) => ({ wanted: wanted * spare, least })),
    width - Math.max(mainLeast, Math.ceil(width * MAIN_FIRST)),
  );
  return { widths, isTight, tableLeast: sum(widths) + mainLeast };
}
