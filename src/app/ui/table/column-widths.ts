/** Pixels that a column needs. */
export interface ColumnNeed {
  /** Width of its label and its rows, plus some for later rows. */
  wanted: number;
  /** Below this width it is useless: then the table scrolls sideways. */
  least: number;
}

/** Each column gets its minimum. The rest of `room` goes to columns that want more, in proportion. */
function fitColumns(needs: readonly ColumnNeed[], room: number) {
  const least = sum(needs.map((need) => need.least));
  const more = sum(needs.map((need) => need.wanted)) - least;
  const share = more > 0 ? Math.min(Math.max((room - least) / more, 0), 1) : 0;
  const widths = needs.map((need) => Math.floor(need.least + share * (need.wanted - need.least)));
  return { widths, isTight: share < 1 };
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

/** The main column's share of the frame: when all columns have enough, and while the others can still shrink. */
const MAIN_USUAL = 0.44;
const MAIN_FIRST = 0.26;

interface Frame {
  width: number;
  /** The main column's minimum. */
  mainLeast: number;
}

/** Widths of all columns but the main one, and the table's minimum width. The main column takes the rest. */
export function planColumns(needs: readonly ColumnNeed[], { width, mainLeast }: Frame) {
  const spare = Math.max(1, (width * (1 - MAIN_USUAL)) / sum(needs.map(({ wanted }) => wanted)));
  const { widths, isTight } = fitColumns(
    needs.map(({ wanted, least }) => ({ wanted: wanted * spare, least })),
    width - Math.max(mainLeast, Math.ceil(width * MAIN_FIRST)),
  );
  return { widths, isTight, tableLeast: sum(widths) + mainLeast };
}
