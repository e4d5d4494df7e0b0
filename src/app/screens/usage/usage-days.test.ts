/**
 * 1. Days without a count are zero, in sums by day and by month; nothing is counted twice or lost.
 * 2. A comparison is a sentence, even against zero.
 * 3. The CSV has every day of the span.
 */
import { expect, test } from "vitest";
import { compareCounts, sumBy, sumDays, writeUsageCsv } from "./usage-days.ts";

const day = (date: string, calls: number, jobs = 0, refused = 0) => ({
  date,
  api_calls: String(calls),
  job_tokens: String(jobs),
  refused_jobs: String(refused),
});
const days = [day("2026-10-31", 5), day("2026-11-01", 7, 2, 1), day("2026-11-03", 11, 1)];

test("1. sums", () => {
  expect(sumBy(days, ["2026-11-01", "2026-11-02", "2026-11-03"]).map(({ calls }) => calls)).toEqual([
    7, 0, 11,
  ]);
  expect(sumBy(days, ["2026-10", "2026-11"])).toEqual([
    { calls: 5, jobs: 0, refused: 0 },
    { calls: 18, jobs: 3, refused: 1 },
  ]);
  expect(sumDays(days, "2026-11-01", "2026-11-02")).toEqual({ calls: 7, jobs: 2, refused: 1 });
});

test.each([
  [112, 100, "12 % more than yesterday"],
  [88, 100, "12 % less than yesterday"],
  [100, 100, "as many as yesterday"],
  [5, 0, "none yesterday"],
  [0, 0, "none yesterday either"],
  [9_000, 3, "more than 10 times as many as yesterday"],
])("2. %d after %d", (now, former, words) => {
  expect(compareCounts(now, former, "yesterday")).toBe(words);
});

test("3. CSV", () => {
  expect(writeUsageCsv(days, ["2026-11-01", "2026-11-02"])).toBe(
    "date,api_calls,job_tokens,refused_jobs\r\n2026-11-01,7,2,1\r\n2026-11-02,0,0,0\r\n",
  );
});
