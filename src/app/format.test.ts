/**
 * 1. Counts, shares, positions and sizes are written with the page's separators and units; nothing to divide by is a dash.
 * 2. A change against the former range is signed; from nothing it is "new", and huge ones are words.
 * 3. Durations and ages have the unit that fits.
 * 4. Whatever a reader typed becomes one line without control or direction characters, at most as long as asked, with
 *    no half characters, in time that does not depend on the rest of the text.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  cutText,
  describeChange,
  formatAgo,
  formatBytes,
  formatCount,
  formatDuration,
  formatPosition,
  formatShare,
  plural,
} from "./format.ts";

test("1. figures", () => {
  expect(formatCount(1_234_567)).toBe("1,234,567");
  expect(formatShare(1, 8)).toBe("12.5%");
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
  expect([plural(1, "search"), plural(2, "search"), plural(0, "page")]).toEqual([
    "1 search",
    "2 searches",
    "0 pages",
  ]);
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

test("2. nothing after nothing is no change to speak of", () => {
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
