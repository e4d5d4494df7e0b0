/** Letters that Unicode does not decompose but readers type without their strokes and ligatures. */
const PLAIN: { [letter: string]: string } = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  ł: "l",
  ħ: "h",
  ı: "i",
  þ: "th",
  ς: "σ",
};

// Latin, Greek and Cyrillic accents, Hebrew points, Arabic vowel signs. Not every \p{M}: Indic and Thai vowels are marks too.
const ACCENTS =
  /[\u{300}-\u{36f}\u{591}-\u{5bd}\u{5bf}-\u{5c7}\u{610}-\u{61a}\u{64b}-\u{65f}\u{670}\u{640}]|[\u{200c}\u{200d}]|[\u{fe00}-\u{fe0f}]/gu;
const UNDECOMPOSED = /[ßæœøđðłħıþς]/g;

/**
 * The form in which words are compared: lower case, without diacritics, full-width and compatibility forms made
 * plain. `Crème` → `creme`, `ＡＢＣ` → `abc`, `Straße` → `strasse`. Folding twice changes nothing.
 */
export function fold(text: string): string {
  const lower = text.toLowerCase();
  if (isAscii(lower)) return lower;
  return lower
    .normalize("NFKD")
    .toLowerCase()
    .replace(ACCENTS, "")
    .replace(UNDECOMPOSED, (letter) => PLAIN[letter]!)
    .normalize("NFC");
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 127) return false;
  return true;
}
