/** Lines by their numbers, both ends included. */
export interface LineRange {
  from: number;
  to: number;
}

/** `#L65` and `#L65-L67`, in either order; null for anything else. */
export function parseLineRange(hash: string): LineRange | null {
  const match = /^#L([1-9]\d{0,6})(?:-L([1-9]\d{0,6}))?$/.exec(hash);
  if (!match) return null;
  const first = Number(match[1]);
  const second = Number(match[2] ?? first);
  return { from: Math.min(first, second), to: Math.max(first, second) };
}

export const formatLineRange = ({ from, to }: LineRange) => (from === to ? `#L${from}` : `#L${from}-L${to}`);

/** A click selects the line; Shift extends the range to the line. */
export function extendRange(range: LineRange | null, number: number): LineRange {
  if (range === null) return { from: number, to: number };
  return number < range.from ? { from: number, to: range.to } : { from: range.from, to: number };
}
