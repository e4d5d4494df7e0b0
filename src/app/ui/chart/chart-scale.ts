const MAX_LINES = 4;

export interface Scale {
  /** The value at full height; more than zero. */
  top: number;
  /** Values of the grid's lines, none of them zero. */
  lines: number[];
}

/** Round values for grid lines: at most four, at least two where the values leave room for them. */
export function scaleFor(values: readonly number[]): Scale {
  const highest = values.reduce((most, value) => Math.max(most, value), 0);
  if (!(highest > 0) || !Number.isFinite(highest)) return { top: 1, lines: [] };
  const isWhole = values.every(Number.isInteger);
  // Steps of 1, 2 and 5 differ by 2.5 at most: the smallest one with fewer than five lines has at least two.
  const least = highest / (MAX_LINES + 1);
  const power = 10 ** Math.floor(Math.log10(least));
  const factor = [1, 2, 5, 10].find((each) => each * power > least * (1 + 1e-9)) ?? 20;
  const step = isWhole ? Math.max(1, factor * power) : factor * power;
  const count = Math.floor(highest / step + 1e-9);
  return { top: highest, lines: Array.from({ length: count }, (_, index) => step * (index + 1)) };
}

/** Interval between labelled bars, so that at most `most` labels are under the chart. */
export const labelStep = (count: number, most: number) => Math.max(1, Math.ceil(count / most));
