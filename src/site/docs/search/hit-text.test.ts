/**
 * 1. A field that is absent, empty or "null" is not displayed; others come from `_formatted` if it has them.
 * 2. Splitting loses no text, marks exactly the text between tags, and leaves no tag, whatever the
 *    input.
 * 3. An excerpt is a piece of the text around its first match, not much longer than asked.
 * 4. A hit's path has no origin, keeps query and anchor, and cannot lead to another site.
 */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { excerpt, hitPath, hitText, splitHighlight, type TextPart } from "./hit-text.ts";

const PRE = "__ais-highlight__";
const POST = "__/ais-highlight__";
/** For every character, whether it is marked. */
const marksOf = (parts: TextPart[]) => parts.flatMap((part) => Array.from(part.text, () => part.isMatch));
const textOf = (parts: TextPart[]) => parts.map((part) => part.text).join("");

describe("hitText", () => {
  const hit = { objectID: "1", url: "https://site.test/docs" };

  it.each([undefined, null, "", "null"])("does not display %j (1)", (content) => {
    expect(hitText({ ...hit, content, _formatted: { content: `${PRE}null${POST}` } }, "content")).toBeNull();
  });

  it("prefers the highlighted text (1)", () => {
    const formatted = {
      ...hit,
      hierarchy_lvl1: "Layer cache",
      _formatted: { hierarchy_lvl1: `Layer ${PRE}cache${POST}` },
    };
    expect(hitText(formatted, "hierarchy_lvl1")).toEqual([
      { text: "Layer ", isMatch: false },
      { text: "cache", isMatch: true },
    ]);
    expect(hitText({ ...hit, hierarchy_lvl1: "Layer cache" }, "hierarchy_lvl1")).toEqual([
      { text: "Layer cache", isMatch: false },
    ]);
  });
});

describe("splitHighlight", () => {
  const piece = fc.record({
    text: fc.string({ unit: fc.constantFrom("a", " ", "<", "_", "é") }),
    isMatch: fc.boolean(),
  });

  it("gives back what was tagged (2)", () => {
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const tagged = pieces.map(({ text, isMatch }) => (isMatch ? PRE + text + POST : text)).join("");
        // The alphabet cannot spell a tag.
        const parts = splitHighlight(tagged);
        expect(textOf(parts)).toBe(textOf(pieces));
        expect(marksOf(parts)).toEqual(marksOf(pieces));
      }),
    );
  });

  it("leaves no tag behind, however they are mixed (2)", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(PRE, POST, "a", " b")), (pieces) => {
        const parts = splitHighlight(pieces.join(""));
        expect(textOf(parts)).toBe(pieces.filter((text) => text !== PRE && text !== POST).join(""));
      }),
    );
  });
});

describe("excerpt", () => {
  it("leaves short texts alone (3)", () => {
    const parts = splitHighlight(`a ${PRE}b${POST} c`);
    expect(excerpt(parts)).toBe(parts);
  });

  it("shows the first match with its surroundings (3)", () => {
    const words = Array.from({ length: 200 }, (_, i) => `word${i}`);
    words[150] = `${PRE}word150${POST}`;
    const shown = excerpt(splitHighlight(words.join(" ")), 80);
    expect(shown).toContainEqual({ text: "word150", isMatch: true });
    expect(textOf(shown)).toMatch(/^… word\d+( word\d+)+ …$/);
  });

  it("is a piece of the text, with its first match, and about as long as asked (3)", () => {
    const word = fc.string({ unit: fc.constantFrom("a", "b"), minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 60 }), fc.nat(59), (words, at) => {
        const match = words[at % words.length] ?? "";
        const tagged = words.map((text, i) => (i === at % words.length ? PRE + text + POST : text)).join(" ");
        const shown = excerpt(splitHighlight(tagged), 60);
        const inner = textOf(shown).replace(/^… /, "").replace(/ …$/, "");
        expect(words.join(" ")).toContain(inner);
        expect(inner.length).toBeLessThanOrEqual(60);
        const marked = shown.find((part) => part.isMatch)?.text ?? "";
        expect(marked).not.toBe("");
        expect(match.startsWith(marked)).toBe(true);
      }),
    );
  });
});

describe("hitPath", () => {
  it.each([
    ["https://docs.example.com/docs/cache/overview#limits", "/docs/cache/overview#limits"],
    ["http://localhost:3000/docs", "/docs"],
    ["https://docs.example.com/docs?x=1#a", "/docs?x=1#a"],
    ["/docs/cache", "/docs/cache"],
    ["https://docs.example.com//evil.example/x", "/evil.example/x"],
    ["//evil.example/x", "/x"],
    ["javascript:alert(1)", "/alert(1)"],
    ["https://", "/"],
  ])("%s → %s (4)", (url, path) => {
    expect(hitPath(url)).toBe(path);
  });
});
