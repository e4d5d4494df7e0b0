/** Counts of days, added up. The server leaves out empty days. */
import type { UsageDay } from "#api/gen/json-types.ts";

export interface Counts {
  calls: number;
  jobs: number;
  refused: number;
}

const NONE: Counts = { calls: 0, jobs: 0, refused: 0 };

/** @param from, to days, `2026-11-20`, both inclusive */
export function sumDays(days: readonly UsageDay[], from: string, to: string): Counts {
  return days.filter(({ date }) => date >= from && date <= to).reduce(add, NONE);
}

/** For each given key, in order: for a day (`2026-11-20`) or for a month (`2026-11`). */
export function sumBy(days: readonly UsageDay[], keys: readonly string[]): Counts[] {
  const sums = new Map<string, Counts>(keys.map((key) => [key, NONE]));
  const [{ length } = ""] = keys;
  for (const day of days) {
    const key = day.date.slice(0, length);
    const sum = sums.get(key);
    if (sum) sums.set(key, add(sum, day));
  }
  return keys.map((key) => sums.get(key) ?? NONE);
}

const add = ({ calls, jobs, refused }: Counts, day: UsageDay): Counts => ({
  calls: calls + Number(day.api_calls),
  jobs: jobs + Number(day.job_tokens),
  refused: refused + Number(day.refused_jobs),
});

/** `12 % more than the 7 days before`; in words, because a figure alone has no direction. */
export function compareCounts(now: number, former: number, before: string): string {
  if (former === 0) return now === 0 ? `none ${before} either` : `none ${before}`;
  const change = Math.round(((now - former) / former) * 100);
  if (change === 0) return `as many as ${before}`;
  if (change > 999) return `more than 10 times as many as ${before}`;
  return `${Math.abs(change)} % ${change > 0 ? "more" : "less"} than ${before}`;
}

/** One line for each day of the span, even those without calls. */
export function writeUsageCsv(days: readonly UsageDay[], dates: readonly string[]): string {
  const lines = sumBy(days, dates).map(({ calls, jobs, refused }, index) =>
    [dates[index], calls, jobs, refused].join(","),
  );
  return ["date,api_calls,job_tokens,refused_jobs", ...lines, ""].join("\r\n");
}
