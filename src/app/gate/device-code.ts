/** The code that a terminal shows: eight consonants, `WDJB-MJHT`. */

const CODE_LENGTH = 8;
const GROUP = 4;

/** What was typed or pasted, as the terminal writes it: `wdjb mjht` is `WDJB-MJHT`. */
export function normalizeCode(text: string): string {
  const letters = text
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, "")
    .slice(0, CODE_LENGTH);
  return letters.length > GROUP ? `${letters.slice(0, GROUP)}-${letters.slice(GROUP)}` : letters;
}

export const isWholeCode = (code: string) => code.length === CODE_LENGTH + 1;

/** As a screen reader spells it: `W D J B, M J H T`. */
export const spellCode = (code: string) =>
  code
    .split("-")
    .map((group) => [...group].join(" "))
    .join(", ");
