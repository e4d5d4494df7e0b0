/**
 * 1. Colours, weights and their ends become tones; a style continues in the next line.
 * 2. Whatever a build prints, the shown text has no control characters and no changes of direction.
 * 3. Text without sequences stays unchanged; sequences take nothing from the text around them.
 * 4. Sequences without an end, with thousands of parameters, or by the million cost no more than their length.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseAnsi, PLAIN, stripAnsi, styleAfter } from "./ansi.ts";

const E = "\u001B";

test("colours become tones (1)", () => {
  const { segments, end } = parseAnsi(`${E}[32m✓${E}[39m done ${E}[1;31mno${E}[0m ${E}[38;5;208mwarm${E}[m`);
  expect(segments.map(({ tone, isBold, text }) => [tone, isBold, text])).toEqual([
    ["ok", false, "✓"],
    ["none", false, " done "],
    ["error", true, "no"],
    ["none", false, " "],
    ["warn", false, "warm"],
  ]);
  expect(end).toEqual(PLAIN);
});

test.each([
  ["38;2;255;0;0", "error"],
  ["38;2;0;200;40", "ok"],
  ["38;2;20;60;255", "key"],
  ["38;2;250;240;30", "warn"],
  ["38;2;220;30;240", "name"],
  ["38;2;90;90;90", "dim"],
  ["38;2;250;250;250", "none"],
  ["38;2", "none"],
  ["38;5;9", "error"],
  ["38;5;240", "dim"],
  ["48;2;255;0;0", "none"],
  ["95", "name"],
  ["999", "none"],
])("%s is %s (1)", (codes, tone) => {
  expect(parseAnsi(`${E}[${codes}mx`).segments[0]?.tone).toBe(tone);
});

test("a style continues until it is ended (1)", () => {
  const style = styleAfter(`${E}[33mfirst`, PLAIN);
  expect(parseAnsi("second", style).segments[0]).toMatchObject({ text: "second", tone: "warn" });
  expect(styleAfter(`x${E}[0m`, style)).toEqual(PLAIN);
});

const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        E,
        "[",
        "]",
        "m",
        ";",
        "38",
        "2",
        "5",
        "\u0007",
        "\\",
        "\r",
        "\u0000",
        "\u202E",
        "\u009B",
      ),
      fc.string({ unit: "binary" }),
    ),
    { maxLength: 60 },
  )
  .map((parts) => parts.join(""));

test("nothing that steers a terminal or turns the text is shown (2)", () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const shown = stripAnsi(text);
      // oxlint-disable-next-line no-control-regex
      expect(shown).not.toMatch(/[\u0000-\u0008\u000A-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/);
      const { segments } = parseAnsi(text);
      expect(segments.map((segment) => segment.text).join("")).toBe(shown);
    }),
    { numRuns: Math.ceil(500 * Number(process.env["FUZZ_FACTOR"] ?? 1)) },
  );
});

const plain = fc.stringMatching(/^[ -~äß漢]{0,20}$/);
const sequence = fc.constantFrom(
  "[31m",
  "[0m",
  "[2K",
  "[1;1H",
  "]0;title\u0007",
  `]8;;https://x${E}\\`,
  "7",
  "(B",
);

test("sequences take nothing from the text around them (3)", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(plain, sequence)), plain, (parts, last) => {
      const text = parts.map(([words, codes]) => `${words}${E}${codes}`).join("") + last;
      expect(stripAnsi(text)).toBe(parts.map(([words]) => words).join("") + last);
    }),
  );
});

test("what never ends is text, and costs its length (4)", () => {
  expect(stripAnsi(`${E}[${"1;".repeat(100)}m`)).toMatch(/^␛\[1;1;/);
  expect(stripAnsi(`${E}]0;${"x".repeat(5000)}`)).toHaveLength(5004);
  expect(stripAnsi(`${E}[31`)).toBe("␛[31");
  expect(stripAnsi(E)).toBe("␛");
  const { segments } = parseAnsi(`${E}[31mx${E}[32my`.repeat(50_000));
  expect(segments.length).toBeLessThanOrEqual(2001);
  expect(segments.reduce((sum, { text }) => sum + text.length, 0)).toBe(100_000);
  expect(stripAnsi(`${E}]`.repeat(100_000))).toHaveLength(200_000);
});
