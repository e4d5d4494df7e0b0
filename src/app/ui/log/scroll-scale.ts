/**
 * Maps scroll positions to rows that together are higher than browsers lay out (Firefox: 17.8 million pixels, 940,000
 * lines). Such a box has the maximum height, and each of its pixels represents a little more than one pixel of the rows.
 */
const MAX_HEIGHT = 16_000_000;

export interface ScrollScale {
  /** The height of the box's content, in pixels. */
  height: number;
  /** From the box's scroll position to the rows' position. */
  toRows: (scrollTop: number) => number;
  toBox: (top: number) => number;
}

/** @param rowsHeight of all rows, @param viewHeight of the visible part; in pixels */
export function scaleScroll(rowsHeight: number, viewHeight: number): ScrollScale {
  const height = Math.min(rowsHeight, MAX_HEIGHT);
  const scale = height === rowsHeight ? 1 : (rowsHeight - viewHeight) / (height - viewHeight);
  return { height, toRows: (scrollTop) => scrollTop * scale, toBox: (top) => top / scale };
}
