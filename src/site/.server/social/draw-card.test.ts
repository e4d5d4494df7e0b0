/**
 * 1. A card is 1200 x 630 and contains outlines only: no text element, no font, nothing external.
 * 2. A different title, trail or name gives a different drawing; the same card gives the same bytes.
 * 3. A character that no font has is never drawn as a box: the title is replaced by the last part of the
 *    trail that can be drawn, then by the site's name.
 * 4. Letters of the second subset (Ł, ő) are drawn; composed and decomposed forms look the same.
 * 5. Markup in a title is text.
 */
import { describe, expect, it } from "vitest";
import { cardDrawer } from "./draw-card.ts";
import { loadTypeface } from "./typeface.ts";

const draw = cardDrawer("Millrace");
const trail = ["Docs", "Cache"];

describe("cardDrawer", () => {
  it("(1) draws outlines", () => {
    const svg = draw({ trail, title: "Use the build cache with Bazel" });
    expect(svg).toMatch(/^<svg [^>]*viewBox="0 0 1200 630"/);
    expect(svg).not.toMatch(/<text|font|href|NaN|undefined/);
  });

  it("(2) depends on title, trail and name alone", () => {
    const card = { trail, title: "Use the build cache with Go" };
    expect(draw(card)).toBe(draw({ ...card }));
    expect(draw({ ...card, title: "Use the build cache with Bazel" })).not.toBe(draw(card));
    expect(draw({ ...card, trail: ["Docs"] })).not.toBe(draw(card));
    expect(cardDrawer("Other")(card)).not.toBe(draw(card));
  });

  it("(3) puts the section in the place of a title that cannot be drawn", () => {
    expect(draw({ trail, title: "構築キャッシュ" })).toBe(draw({ trail: ["Docs"], title: "Cache" }));
    expect(draw({ trail: ["Docs", "キャッシュ"], title: "構築" })).toBe(draw({ trail: [], title: "Docs" }));
    expect(draw({ trail: [], title: "🚀" })).toBe(draw({ trail: [], title: "Millrace" }));
    expect(cardDrawer("水車")({ trail: [], title: "構築" })).not.toMatch(/NaN|undefined/);
  });

  it("(4) draws letters of both subsets, in either form", () => {
    const sans = loadTypeface(600);
    expect(sans.covers("Łódź, coöperation, naïve…")).toBe(true);
    expect(sans.covers("構")).toBe(false);
    expect(sans.width("e\u0301", 10)).toBeCloseTo(sans.width("é", 10));
    expect(sans.outline("Ő", { x: 0, y: 0, size: 10 })).toMatch(/^M/);
  });

  it("(5) draws markup as text", () => {
    expect(draw({ trail, title: '</svg><script>"&' })).not.toContain("script");
  });
});

describe("a typeface", () => {
  it("kerns", () => {
    const sans = loadTypeface(600);
    expect(sans.width("AV", 100)).toBeLessThan(sans.width("A", 100) + sans.width("V", 100));
  });

  it("adds tracking after each character", () => {
    expect(loadTypeface(600, 0.1).width("AV", 10)).toBeCloseTo(loadTypeface(600).width("AV", 10) + 2);
  });
});
