/**
 * 1. Addresses with anything but a month that has begun show no month.
 * 2. Months are added across years, and have all their days, even in leap years; the current one ends now.
 * 3. Spans of days and years begin at midnight, UTC.
 * 4. Names include the year unless it is the current one.
 */
import { expect, test } from "vitest";
import {
  addMonths,
  daysOf,
  describeSpan,
  monthsOf,
  nameMonth,
  readMonth,
  spanOfDays,
  spanOfMonth,
  spanOfYear,
} from "./months.ts";

const now = Date.parse("2026-11-20T14:32:00Z");

test.each([
  ["2026-11", "2026-11"],
  ["2025-01", "2025-01"],
  ["2026-12", null],
  ["2026-13", null],
  ["1999-12", null],
  ["2026-1", null],
  ["<b>", null],
  [null, null],
])("1. %j", (text, month) => {
  expect(readMonth(text, now)).toBe(month);
});

test("2. months", () => {
  expect([-11, -1, 1, 2, 14].map((count) => addMonths("2026-11", count))).toEqual([
    "2025-12",
    "2026-10",
    "2026-12",
    "2027-01",
    "2028-01",
  ]);
  expect(daysOf(spanOfMonth("2024-02", now))).toHaveLength(29);
  expect(daysOf(spanOfMonth("2026-10", now)).at(-1)).toBe("2026-10-31");
  expect(spanOfMonth("2026-11", now).to.getTime()).toBe(now);
  expect(daysOf(spanOfMonth("2026-11", now))).toHaveLength(20);
});

test("3. stretches", () => {
  expect(spanOfDays(7, now).from.toISOString()).toBe("2026-11-14T00:00:00.000Z");
  expect(daysOf(spanOfDays(1, now))).toEqual(["2026-11-20"]);
  expect(monthsOf(spanOfYear(now))).toHaveLength(12);
  expect(monthsOf(spanOfYear(now))[0]).toBe("2025-12");
});

test("4. names", () => {
  expect(nameMonth("2026-10", now)).toBe("October");
  expect(nameMonth("2025-10", now)).toBe("October 2025");
  expect(describeSpan(spanOfMonth("2026-11", now), now)).toBe("1 to 20 November");
  expect(describeSpan(spanOfYear(now), now)).toBe("December 2025 to November 2026");
});
