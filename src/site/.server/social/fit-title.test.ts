/**
 * 1. No word is broken, lost or moved: the lines, joined, are the title, or its first words and "…".
 * 2. No line exceeds its limit, and no size has more lines than its step allows.
 * 3. A title of one line stays one line; a longer one is set in lines of similar length, at the largest size
 *    that fits.
 * 4. A single very long word is scaled down instead of cut.
 */
import { array, assert, integer, property } from "fast-check";
import { describe, expect, it } from "vitest";
import { fitTitle } from "./fit-title.ts";

/** Every character is half its size wide. */
const limits = {
  measure: (text: string, size: number) => (text.length * size) / 2,
  maxWidth: (line: number) => 820 - 40 * line,
};

describe("fitTitle", () => {
  it("(1, 2) keeps every word whole and every line within its limit", () => {
    const word = integer({ min: 1, max: 24 }).map((length) => "w".repeat(length));
    assert(
      property(array(word, { minLength: 1, maxLength: 40 }), (words) => {
        const { size, lines } = fitTitle(words.join(" "), limits);
        for (const [n, line] of lines.entries())
          expect(limits.measure(line, size)).toBeLessThanOrEqual(limits.maxWidth(n) + 0.001);
        expect(lines.length).toBeLessThanOrEqual(6);
        const set = lines.join(" ").split(" ");
        const isShortened = set.at(-1) === "…";
        expect(isShortened ? set.slice(0, -1) : set).toEqual(
          words.slice(0, isShortened ? set.length - 1 : undefined),
        );
      }),
    );
  });

  it("(3) sets a short title large", () => {
    expect(fitTitle("Install the CLI", limits)).toEqual({ size: 76, lines: ["Install the CLI"] });
  });

  it("(3) balances two lines", () => {
    expect(fitTitle("Build images in GitHub Actions", limits)).toEqual({
      size: 76,
      lines: ["Build images in", "GitHub Actions"],
    });
  });

  it("(3) goes down to three lines at 64", () => {
    const { size, lines } = fitTitle("Write optimal Dockerfiles that cache well in every project", limits);
    expect(size).toBe(64);
    expect(lines).toHaveLength(3);
  });

  it("(4) scales an endless word", () => {
    const { size, lines } = fitTitle("x".repeat(300), limits);
    expect(lines).toEqual(["x".repeat(300)]);
    expect(limits.measure(lines[0] ?? "", size)).toBeCloseTo(820);
  });

  it("(1) has nothing to set for an empty title", () => {
    expect(fitTitle("  ", limits).lines.join("")).toBe("");
  });
});
