/**
 * 1. Every symbol has a unique id, a frame and at least one shape, and nothing else from its source file.
 * 2. Names from content are added once, whatever their order and number.
 * 3. A name that Lucide does not have causes an error with that name; so does one that leaves the folder.
 * 4. Equal sets give equal files. 5. The marketing pages' marks are in a separate file, with the same rules.
 */
import { describe, expect, it } from "vitest";
import { buildMarks, buildSprite } from "./sprite.ts";

const symbolsOf = (sprite: string) => [...sprite.matchAll(/<symbol id="([^"]+)"([^>]*)>(.*?)<\/symbol>/g)];

describe("buildSprite", () => {
  it("(1) gives each symbol an id, a frame and shapes", () => {
    const symbols = symbolsOf(buildSprite());
    const ids = symbols.map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(expect.arrayContaining(["l-copy", "l-database-zap", "s-claude", "s-github"]));
    for (const [, id, attributes, shapes] of symbols) {
      expect(attributes, id).toContain('viewBox="0 0 24 24"');
      expect(shapes, id).toMatch(/^(<(path|circle|rect|line|polyline|polygon|ellipse) [^<]*\/>)+$/);
    }
  });

  it("(1) draws Lucide's icons as lines of 1.75", () => {
    const moon = symbolsOf(buildSprite()).find(([, id]) => id === "l-moon");
    expect(moon?.[2]).toContain('stroke-width="1.75"');
  });

  it("(2, 4) adds names of content once, in any order", () => {
    const sprite = buildSprite(["key-round", "copy", "key-round", "boxes"]);
    expect(symbolsOf(sprite).filter(([, id]) => id === "l-key-round")).toHaveLength(1);
    expect(symbolsOf(sprite).filter(([, id]) => id === "l-copy")).toHaveLength(1);
    expect(buildSprite(["boxes", "key-round"])).toBe(sprite);
  });

  it.each(["no-such-icon", "../package", ""])("(3) refuses %j", (name) => {
    expect(() => buildSprite([name])).toThrow(`"${name}"`);
  });
});

describe("buildMarks", () => {
  it("(5) has each mark once, filled", () => {
    const marks = buildMarks(["rust", "bazel", "rust"]);
    expect(symbolsOf(marks).map(([, id]) => id)).toEqual(["s-bazel", "s-rust"]);
    expect(marks.match(/fill="currentColor"/g)).toHaveLength(2);
    expect(buildMarks(["bazel", "rust"])).toBe(marks);
  });

  it.each(["no-such-mark", "../package", ""])("(5) refuses %j", (name) => {
    expect(() => buildMarks([name])).toThrow(`"${name}"`);
  });
});
