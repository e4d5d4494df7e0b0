/**
 * 1. Counts, shares, positions and sizes have the page's separators and units; a division by zero is a dash.
 * 2. A change against the former range is signed; from zero it is "new", and huge ones are words.
 * 3. Durations and ages have a suitable unit; elapsed times have a decimal under a minute and two units above, and never
 *    decrease as the time increases.
 * 4. A reader's text becomes one line without control or direction characters, at most as long as requested, with no half
 *    characters, in time that does not depend on the rest of the text.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  cutText,
  describeChange,
  formatAge,
  formatAgo,
  formatAxis,
  formatBytes,
  formatCount,
  formatDuration,
  formatPart,
  formatPosition,
  formatShare,
  formatTook,
  plural,
} from "./format.ts";

test("1. figures", () => {
  expect(formatCount(1_234_567)).toBe("1,234,567");
  expect(formatShare(1, 8)).toBe("12.5 %");
  expect(formatShare(0, 0)).toBe("–");
  expect(formatPosition(2)).toBe("2");
  expect(formatPosition(1.4375)).toBe("1.4");
  expect(formatPosition(null)).toBe("–");
  expect([0, 999, 1000, 84_213, 2_000_000_000].map(formatBytes)).toEqual([
    "0 B",
    "999 B",
    "1 KB",
    "84.2 KB",
    "2 GB",
  ]);
  expect([plural(1, "search"), plural(2, "search"), plural(0, "page"), plural(2, "person")]).toEqual([
    "1 search",
    "2 searches",
    "0 pages",
    "2 people",
  ]);
});

test("1. sizes have a digit where it tells something, shares of a total none, axes are short", () => {
  expect(
    [412_300_000, 18_400_000_000, 122_800_000_000, 250e9, 1.312e12, 99_940, 1e18].map(formatBytes),
  ).toEqual(["412 MB", "18.4 GB", "122.8 GB", "250 GB", "1.31 TB", "99.9 KB", "1,000,000 TB"]);
  expect([formatShare(962, 1000), formatPart(5006, 9412), formatPart(1, 0)]).toEqual(["96.2 %", "53 %", "–"]);
  expect([0, 999, 18_204, 40_000, 1_250_000].map(formatAxis)).toEqual(["0", "999", "18.2k", "40k", "1.3M"]);
});

test.each([
  [112, 100, "+12 %", "up"],
  [97, 100, "−3 %", "down"],
  [0, 4, "−100 %", "down"],
  [1001, 1000, "no change", "same"],
  [5, 0, "new", "up"],
  [5000, 10, "more than 10 times", "up"],
])("2. %i after %i is %s", (now, former, text, direction) => {
  expect(describeChange(now, former)).toEqual({ text, direction });
});

test("2. nothing after nothing is not a change", () => {
  expect(describeChange(0, 0)).toBeNull();
});

test("3. durations and ages", () => {
  expect([0, 7900, 61_000, 754_000, 3_723_000, -5].map(formatDuration)).toEqual([
    "0:00",
    "0:07",
    "1:01",
    "12:34",
    "1:02:03",
    "0:00",
  ]);
  const now = 1_800_000_000_000;
  const ages = [10_000, 60_000, 59 * 60_000, 47 * 3_600_000, 49 * 3_600_000];
  expect(ages.map((age) => formatAgo(now - age, now))).toEqual([
    "just now",
    "1 minute ago",
    "59 minutes ago",
    "47 hours ago",
    "2 days ago",
  ]);
});

test("3. what something took", () => {
  const MINUTE = 60_000;
  const took = [
    0,
    100,
    33_400,
    59_940,
    59_960,
    81_000,
    171 * MINUTE,
    25 * 60 * MINUTE,
    61 * 1440 * MINUTE,
    -5,
    NaN,
  ];
  expect(took.map(formatTook)).toEqual([
    "0.0s",
    "0.1s",
    "33.4s",
    "59.9s",
    "1m 0s",
    "1m 21s",
    "2h 51m",
    "25h 0m",
    "61 days",
    "0.0s",
    "0.0s",
  ]);
  const UNITS: { [unit: string]: number } = { s: 1, m: 60, h: 3600, " day": 86_400, " days": 86_400 };
  const secondsOf = (text: string) =>
    [...text.matchAll(/([\d.,]+)( days?|[smh])/g)].reduce(
      (sum, [, count = "", unit = ""]) => sum + Number(count.replaceAll(",", "")) * (UNITS[unit] ?? NaN),
      0,
    );
  fc.assert(
    fc.property(fc.nat(400 * 86_400_000), fc.nat(86_400_000), (start, more) => {
      const [before, after] = [secondsOf(formatTook(start)), secondsOf(formatTook(start + more))];
      expect(after).toBeGreaterThanOrEqual(before);
    }),
  );
});

test("3. how long ago", () => {
  const now = Date.UTC(2026, 10, 20, 12);
  const MINUTE = 60_000;
  const ages = [-30_000, 0, 59_000, MINUTE, 11 * MINUTE, 180 * MINUTE, 1440 * MINUTE, 8 * 1440 * MINUTE];
  expect(ages.map((age) => formatAge(now - age, now))).toEqual([
    "now",
    "now",
    "now",
    "1 min",
    "11 min",
    "3 h",
    "1 day",
    "8 days",
  ]);
  const dates = [Date.UTC(2026, 8, 3, 12), Date.UTC(2025, 8, 3, 12), Date.UTC(2027, 1, 18, 12)];
  expect(dates.map((at) => formatAge(at, now))).toEqual(["3 Sep", "3 Sep 2025", "18 Feb 2027"]);
});

test.each([
  ["  layer \n\t cache ", "layer cache"],
  ["<img src=x onerror=alert(1)>", "<img src=x onerror=alert(1)>"],
  ["\u202Egnp.exe", "␣gnp.exe"],
  ["bell\u0007", "bell␣"],
  ["ذاكرة التخزين", "ذاكرة التخزين"],
  ["", ""],
])("4. %j is shown as %j", (text, shown) => {
  expect(cutText(text, 80)).toBe(shown);
});

test("4. whole characters, at most as many as asked", () => {
  expect(cutText("👩‍💻 می‌خواهم", 80)).toBe("👩‍💻 می‌خواهم");
  expect(cutText("👩‍💻".repeat(50), 10)).toMatch(/…$/);
  expect(cutText("x".repeat(10_000), 10)).toBe("xxxxxxxxx…");
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme", maxLength: 300 }),
      fc.integer({ min: 1, max: 60 }),
      (text, length) => {
        const shown = cutText(text, length);
        expect([...shown].length).toBeLessThanOrEqual(length);
        expect(shown.isWellFormed()).toBe(true);
        expect(shown.replaceAll(/[\u200c\u200d]/g, "")).not.toMatch(/[\p{Cc}\p{Cf}]/u);
      },
    ),
  );
});
