/** Text as outlines: the drawing needs no font and looks the same on every machine. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { create, type Font } from "fontkit";

export interface Place {
  /** Left end of the baseline, px. */
  x: number;
  y: number;
  /** Font size, px. */
  size: number;
}

export interface Typeface {
  /** Advance of one line in px. */
  width(text: string, size: number): number;
  /** SVG path data of one line. */
  outline(text: string, place: Place): string;
  /** Whether every character can be drawn. */
  covers(text: string): boolean;
}

const resolvePackage = createRequire(import.meta.url).resolve;

/** Later subsets have the characters that the first lacks. */
const SUBSETS = ["latin", "latin-ext"];

/** The site's sans in one weight; `tracking` is added after each character, in em. */
export function loadTypeface(weight: 500 | 600, tracking = 0): Typeface {
  const fonts = SUBSETS.map((subset) => readFont(`${subset}-${weight}`));
  const [first] = fonts;
  if (!first) throw new Error("A typeface needs a font.");

  const fontFor = (character: string) =>
    fonts.find((font) => font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0));

  /** Adjacent characters of one font are shaped together, to keep their kerning. */
  const runsOf = (text: string) => {
    const runs: { font: Font; text: string }[] = [];
    for (const character of text.normalize("NFC")) {
      const font = fontFor(character) ?? first;
      const last = runs.at(-1);
      if (last?.font === font) last.text += character;
      else runs.push({ font, text: character });
    }
    return runs;
  };

  const shape = (text: string, size: number) =>
    runsOf(text).flatMap((run) => {
      const scale = size / run.font.unitsPerEm;
      const { glyphs, positions } = run.font.layout(run.text);
      return glyphs.map((glyph, i) => {
        const { xAdvance, xOffset, yOffset } = positions[i] ?? { xAdvance: 0, xOffset: 0, yOffset: 0 };
        const advance = xAdvance * scale + tracking * size;
        return { glyph, scale, advance, dx: xOffset * scale, dy: yOffset * scale };
      });
    });

  /** Wrapping measures the same texts repeatedly; a width is proportional to the size. */
  const widths = new Map<string, number>();
  const widthPerEm = (text: string) => {
    const known = widths.get(text) ?? shape(text, 1).reduce((sum, { advance }) => sum + advance, 0);
    widths.set(text, known);
    return known;
  };

  return {
    width: (text, size) => widthPerEm(text) * size,
    outline(text, { x, y, size }) {
      let pen = x;
      return shape(text, size)
        .map(({ glyph, scale, advance, dx, dy }) => {
          const path = glyph.path.scale(scale, -scale).translate(pen + dx, y - dy);
          pen += advance;
          return path.toSVG();
        })
        .join("");
    },
    covers: (text) => [...text.normalize("NFC")].every((character) => fontFor(character) !== undefined),
  };
}

function readFont(name: string): Font {
  const file = resolvePackage(`@fontsource/instrument-sans/files/instrument-sans-${name}-normal.woff`);
  const font = create(readFileSync(file));
  if ("fonts" in font) throw new Error(`${file} is a collection of fonts.`);
  return font;
}
