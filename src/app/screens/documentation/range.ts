import { useMemo } from "react";
import { useSearchParams } from "react-router";

const HOUR = 3_600_000;

/** The options of the range picker; `7d` when the address names none. */
export const RANGES = [
  { key: "24h", label: "24 h", length: 24 * HOUR },
  { key: "7d", label: "7 days", length: 7 * 24 * HOUR },
  { key: "30d", label: "30 days", length: 30 * 24 * HOUR },
] as const;

export type Range = (typeof RANGES)[number];

export interface RangeBounds {
  range: Range;
  /** `from=…&to=…`, for the reports. */
  query: string;
  /** The same length of time before it. */
  formerQuery: string;
}

export function findRange(key: string | null): Range {
  return RANGES.find((range) => range.key === key) ?? RANGES[1];
}

/** Ends with the current minute, so that pages opened in succession show the same range. */
export function boundsOf(range: Range, now = Date.now()): RangeBounds {
  const to = Math.ceil(now / 60_000) * 60_000;
  const from = to - range.length;
  return { range, query: `from=${from}&to=${to}`, formerQuery: `from=${from - range.length}&to=${from}` };
}

/** The address's range; it ends when the page was opened or the range chosen. */
export function useRange(): RangeBounds {
  const [params] = useSearchParams();
  const key = params.get("range");
  return useMemo(() => boundsOf(findRange(key)), [key]);
}
