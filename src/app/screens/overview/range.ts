/** Ranges of days for the overview. Days are UTC days, like the counts. */
export const RANGES = [
  { value: "today", label: "Today", days: 1, since: "since midnight UTC", before: "yesterday" },
  { value: "7d", label: "7 days", days: 7, since: "in 7 days", before: "in the 7 days before" },
  { value: "30d", label: "30 days", days: 30, since: "in 30 days", before: "in the 30 days before" },
] as const;

export type Range = (typeof RANGES)[number];

export const readRange = (value: string | null): Range =>
  RANGES.find((range) => range.value === value) ?? RANGES[0];
