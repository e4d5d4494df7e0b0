/** The meaning of a UTF-16 unit to the tokenizer. */
export const CharacterClass = {
  separator: 0,
  /** Letters without upper case, marks, and lower case. */
  letter: 1,
  upper: 2,
  digit: 3,
  /** May hold two words together: `-`, `_`, `.`, apostrophes. */
  connector: 4,
  /** Scripts written without spaces, which `Intl.Segmenter` cuts. */
  unspaced: 5,
  surrogate: 6,
  unknown: 255,
} as const;

const CONNECTORS = "-_.'\u2019\u2010\u2011";
const UNSPACED =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\u30fc\u3005]$/u;

// One byte per unit of the basic plane, filled when a unit is first seen: a property escape costs 50 times a look-up.
const classes = new Uint8Array(0x10000).fill(CharacterClass.unknown);

export function classOfUnit(unit: number): number {
  const known = classes[unit]!;
  return known === CharacterClass.unknown ? learnClass(unit) : known;
}

/** The class of a whole code point; `surrogate` never comes out. */
export function classOfCodePoint(codePoint: number): number {
  return codePoint < 0x10000 ? classOfUnit(codePoint) : classify(String.fromCodePoint(codePoint));
}

function learnClass(unit: number): number {
  const isSurrogate = unit >= 0xd800 && unit <= 0xdfff;
  return (classes[unit] = isSurrogate ? CharacterClass.surrogate : classify(String.fromCharCode(unit)));
}

function classify(character: string): number {
  if (CONNECTORS.includes(character)) return CharacterClass.connector;
  if (UNSPACED.test(character)) return CharacterClass.unspaced;
  if (/^\p{Lu}$/u.test(character)) return CharacterClass.upper;
  if (/^[\p{L}\p{M}]$/u.test(character)) return CharacterClass.letter;
  if (/^\p{N}$/u.test(character)) return CharacterClass.digit;
  return CharacterClass.separator;
}
