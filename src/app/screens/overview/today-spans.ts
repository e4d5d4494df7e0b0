import { type Span, spanOfDays } from "../usage/months.ts";
import type { Range } from "./range.ts";

/** A single bar says nothing: today stands beside the six days before. */
const LEAST_DAYS = 7;

export const isLong = (range: Range): boolean => range.days > LEAST_DAYS;

/** What the overview counts: the days that have a bar, and the range with the one before, to compare. */
export const todaySpans = (range: Range, now: number): { shown: Span; both: Span } => ({
  shown: spanOfDays(Math.max(range.days, LEAST_DAYS), now),
  both: spanOfDays(range.days * 2, now),
});
