/**
 * The part of each font that pages load first: the characters of English prose and code. All others are in the font's
 * own package, whose file a browser fetches only when a page uses one of them (`unicode-range` in styles/fonts.css).
 */
import subsetFont from "subset-font";

export interface FontSubset {
  /** File in `src/ui/fonts/`. */
  file: string;
  /** The package file that it is made from. */
  source: string;
  characters: string;
  /** False leaves out glyphs that only OpenType features reach; code uses no features. */
  hasFeatures: boolean;
}

const ascii = Array.from({ length: 95 }, (_, index) => String.fromCodePoint(0x20 + index)).join("");
const typographic = "\u00a0©·×–—‘’“”•…›−";
const drawn = "←↑→↓⌘⏎─│└├▮✓";

const mono = (weight: number): FontSubset => ({
  file: `commit-mono-${weight}.woff2`,
  source: `@fontsource/commit-mono/files/commit-mono-latin-${weight}-normal.woff2`,
  characters: ascii + typographic + drawn,
  hasFeatures: false,
});

export const fontSubsets: FontSubset[] = [
  {
    file: "instrument-sans.woff2",
    source: "@fontsource-variable/instrument-sans/files/instrument-sans-latin-wght-normal.woff2",
    characters: ascii + typographic,
    hasFeatures: true,
  },
  mono(400),
  mono(600),
];

/** @returns WOFF2, the same bytes for the same font. */
export function makeSubset(source: Buffer, { characters, hasFeatures }: FontSubset): Promise<Buffer> {
  return subsetFont(source, characters, { targetFormat: "woff2", noLayoutClosure: !hasFeatures });
}
