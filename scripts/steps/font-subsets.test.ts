/**
 * 1. The files match their packages' current fonts: a font update cannot leave an old subset behind.
 * 2. Every character of a subset has its glyph, and `unicode-range` in fonts.css lists exactly these characters.
 * 3. The fonts of a first view weigh at most 37 KB, three tenths of what the packages' files do.
 * 4. Tabular figures are still there: a count's width does not change with its digits.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { create, type Font } from "fontkit";
import { describe, expect, it } from "vitest";
import { root } from "#server/pages/build-folders.ts";
import { fontSubsets, makeSubset } from "./font-subsets.ts";

const read = (file: string) => readFileSync(join(root, "src/ui/fonts", file));
const open = (file: string) => create(read(file)) as Font;
const css = readFileSync(join(root, "src/ui/styles/fonts.css"), "utf8");

/** `unicode-range` of the face that loads this file. */
function declaredCharacters(file: string): Set<number> {
  const face = css.split("@font-face").find((each) => each.includes(`/fonts/${file}`)) ?? "";
  const range = /unicode-range:([^;]+);/.exec(face)?.[1] ?? "";
  const codes = new Set<number>();
  for (const [, from = "", to = from] of range.matchAll(/U\+([0-9a-f]+)(?:-([0-9a-f]+))?/gi))
    for (let code = parseInt(from, 16); code <= parseInt(to, 16); code++) codes.add(code);
  return codes;
}

describe.each(fontSubsets)("$file", (subset) => {
  it("(1) is made from its package's font", async () => {
    const source = readFileSync(fileURLToPath(import.meta.resolve(subset.source)));
    const made = await makeSubset(source, subset);
    expect(made.equals(read(subset.file)), "run: npm run node scripts/subset-fonts.ts").toBe(true);
  });

  it("(2) holds the characters that fonts.css promises", () => {
    const codes = new Set([...subset.characters].map((character) => character.codePointAt(0) ?? 0));
    expect(declaredCharacters(subset.file)).toEqual(codes);
    const font = open(subset.file);
    for (const code of codes) expect(font.hasGlyphForCodePoint(code), code.toString(16)).toBe(true);
  });
});

it("(3) all together are small", () => {
  const bytes = fontSubsets.reduce((sum, { file }) => sum + read(file).length, 0);
  expect(bytes).toBeLessThanOrEqual(37 * 1024);
});

it("(4) keeps figures of one width", () => {
  const font = open("instrument-sans.woff2");
  const width = (text: string, features: string[]) => font.layout(text, features).advanceWidth;
  expect(width("1111", ["tnum"])).toBe(width("8888", ["tnum"]));
  expect(width("1111", [])).not.toBe(width("8888", []));
});
