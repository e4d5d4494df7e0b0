/** Controls, line separators, characters that change the text direction, and other invisible characters. */
const UNSEEN =
  /[\p{C}\p{Zl}\p{Zp}\u061C\u115F\u1160\u180E\u200B-\u200F\u202A-\u202E\u2060-\u206F\u3164\uFEFF]+/gu;
const MAX_CHARACTERS = 60;
/** The length that is examined: a character may take several units. */
const MAX_UNITS = 400;

/**
 * A client's description of itself, safe to show on the page where a person decides about it. It is still a stranger's text:
 * it is never markup, and no decision depends on it.
 */
export function cleanClientText(text: string): string {
  const visible = text
    .slice(0, MAX_UNITS)
    .toWellFormed()
    .normalize("NFC")
    .replace(UNSEEN, " ")
    .replace(/\s+/gu, " ");
  // Marks stacked on one character would cover the lines around it.
  const plain = visible.replace(/(\p{M}{2})\p{M}+/gu, "$1");
  return [...plain.trim()].slice(0, MAX_CHARACTERS).join("").trim();
}
