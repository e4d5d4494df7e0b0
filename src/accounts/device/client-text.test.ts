/**
 * 1. A client's description of itself is one short line without invisible characters, whatever it sent; cleaning it again
 *    changes nothing.
 * 2. A code is accepted in every spelling that people type, and nothing else is a code.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { cleanClientText } from "./client-text.ts";
import { formatUserCode, newUserCode, readUserCode } from "./user-code.ts";

test("1. texts of clients", () => {
  const hostile = fc.oneof(
    fc.string({ unit: "binary", maxLength: 600 }),
    fc.string({ unit: "grapheme", maxLength: 600 }),
    fc
      .array(fc.constantFrom("\u202E", "\u001B[2J", "\n", "a", "é", "👩‍💻", "\uD800", "\u0301"), {
        maxLength: 300,
      })
      .map((all) => all.join("")),
  );
  fc.assert(
    fc.property(hostile, (text) => {
      const clean = cleanClientText(text);
      expect([...clean].length).toBeLessThanOrEqual(60);
      expect(clean).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]|\s\s|^\s|\s$|\p{M}{4}/u);
      expect(cleanClientText(clean)).toBe(clean);
    }),
    { numRuns: 2000 },
  );
  expect(cleanClientText("ada-mbp")).toBe("ada-mbp");
  expect(cleanClientText("Adas\u202E\nMac")).toBe("Adas Mac");
  expect(cleanClientText("x".repeat(100_000))).toHaveLength(60);
});

test("2. codes", () => {
  fc.assert(
    fc.property(fc.infiniteStream(fc.nat({ max: 19 })), (numbers) => {
      const code = newUserCode(() => Number(numbers.next().value));
      expect(readUserCode(formatUserCode(code))).toBe(code);
      expect(readUserCode(` ${formatUserCode(code).toLowerCase().replace("-", " – ")} `)).toBe(code);
      expect(code).toMatch(/^[B-DF-HJ-NP-TV-XZ]{8}$/);
    }),
  );
  expect(formatUserCode("WDJBMJHT")).toBe("WDJB-MJHT");
  for (const text of ["", "WDJB", "WDJB-MJHTX", "ADJB-MJHT", "WDJB-MJH1", "W".repeat(10_000)])
    expect(readUserCode(text)).toBeNull();
});
