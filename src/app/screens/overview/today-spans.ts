import { type Span, spanOfDays } from "../usage/months.ts";
import type { Range } from "./range.ts";

/** A single bar says nothing: today is shown with the six days before. */
const LEAST_DAYS = 7;

export const isLong = (range: Range): boolean => range.days > LEAST_DAYS;

/** The overview's spans: the days with a bar, and the range together with the previous one, to compare. */
export const todaySpans = (range: Range, now: number): { shown: Span; both: Span } => ({
  shown: spanOfDays(Math.max(range.days, LEAST_DAYS), now),
  both: spanOfDays(range.days * 2, now),
});
