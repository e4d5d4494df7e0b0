/** Controls, separators of lines, what turns the direction of text, and what cannot be seen. */
const UNSEEN =
  /[\p{C}\p{Zl}\p{Zp}\u061C\u115F\u1160\u180E\u200B-\u200F\u202A-\u202E\u2060-\u206F\u3164\uFEFF]+/gu;
const MAX_CHARACTERS = 60;
/** What is looked at: a character may take several units. */
const MAX_UNITS = 400;

/**
 * What a client says of itself, fit to be shown on the page where somebody decides about it. It stays a text of a
 * stranger: it is never markup, and nothing follows from it.
 */
export function cleanClientText(text: string): string {
  const visible = text
    .slice(0, MAX_UNITS)
    .toWellFormed()
    .normalize("NFC")
    .replace(UNSEEN, " ")
    .replace(/\s+/gu, " ");
  // Marks that pile up on one character would cover the lines around it.
  const plain = visible.replace(/(\p{M}{2})\p{M}+/gu, "$1");
  return [...plain.trim()].slice(0, MAX_CHARACTERS).join("").trim();
}
