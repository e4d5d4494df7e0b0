/** The brand's mark as strokes of width 5 in a box of 32: the channel, and the branch that meets it. */
export const MARK_PATHS = [
  "M5.5 29V5.5H13A14 14 0 0 1 27 19.5V29",
  "M5.5 16.5H12A4.25 4.25 0 0 1 16.25 20.75V29",
] as const;
