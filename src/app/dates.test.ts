/**
 * 1. Days, dates and times match the language's own formatters, with three letters for September, in whatever zone the
 *    tests run. 2. An invalid date does not crash.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  formatDate,
  formatDayOfYear,
  formatTimeOfDay,
  nameDay,
  nameMonth,
  shortenWeekdayUtc,
} from "./dates.ts";

const moments = fc.date({ min: new Date("1970-01-02"), max: new Date("2199-12-30"), noInvalidDate: true });
const write = (options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat("en-GB", options);
  return (at: Date) => format.format(at).replace("Sept ", "Sep ").replace(/Sept$/, "Sep");
};
const weekday = write({ weekday: "long" });
const dayAndMonth = write({ day: "numeric", month: "long" });
const shortWeekday = write({ weekday: "short", timeZone: "UTC" });
const dayOfYear = write({ day: "numeric", month: "short" });
const date = write({ day: "numeric", month: "short", year: "numeric" });
const time = write({ hour: "2-digit", minute: "2-digit", second: "2-digit" });

test("1. as the language has it", () => {
  fc.assert(
    fc.property(moments, (at) => {
      expect(nameDay(at)).toBe(`${weekday(at)}, ${dayAndMonth(at)}`);
      expect(shortenWeekdayUtc(at)).toBe(shortWeekday(at));
      expect(formatDayOfYear(at)).toBe(dayOfYear(at));
      expect(formatDate(at)).toBe(date(at));
      expect(formatTimeOfDay(at)).toBe(time(at));
    }),
  );
  expect(formatDate(new Date(2026, 8, 5))).toBe("5 Sep 2026");
});

test("2. no date", () => {
  expect(nameMonth(12)).toBe("");
  expect(formatTimeOfDay(new Date("x"))).toBe("NaN:NaN:NaN");
  expect(() => [nameDay, formatDate, shortenWeekdayUtc].map((write) => write(new Date("x")))).not.toThrow();
});
