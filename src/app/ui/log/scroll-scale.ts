/**
 * Where a box that scrolls stands in rows that together are higher than browsers lay out (Firefox: 17.8 million pixels, 940,000
 * lines). Such a box is as high as may be, and each of its pixels stands for a little more than one of the rows'.
 */
const MAX_HEIGHT = 16_000_000;

export interface ScrollScale {
  /** Of the box's content, in pixels. */
  height: number;
  /** From where the box stands to where the rows do. */
  toRows: (scrollTop: number) => number;
  toBox: (top: number) => number;
}

/** @param rowsHeight of all rows, @param viewHeight of what is seen at once; in pixels */
export function scaleScroll(rowsHeight: number, viewHeight: number): ScrollScale {
  const height = Math.min(rowsHeight, MAX_HEIGHT);
  const scale = height === rowsHeight ? 1 : (rowsHeight - viewHeight) / (height - viewHeight);
  return { height, toRows: (scrollTop) => scrollTop * scale, toBox: (top) => top / scale };
}
