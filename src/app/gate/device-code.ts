/** The code that a terminal shows: eight consonants, `WDJB-MJHT`. */

const CODE_LENGTH = 8;
const GROUP = 4;

/** Typed or pasted text in the terminal's form: `wdjb mjht` is `WDJB-MJHT`. */
export function normalizeCode(text: string): string {
  const letters = text
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, "")
    .slice(0, CODE_LENGTH);
  return letters.length > GROUP ? `${letters.slice(0, GROUP)}-${letters.slice(GROUP)}` : letters;
}

export const isWholeCode = (code: string) => code.length === CODE_LENGTH + 1;

/** The way a screen reader should spell it: `W D J B, M J H T`. */
export const spellCode = (code: string) =>
  code
    .split("-")
    .map((group) => [...group].join(" "))
    .join(", ");
