/**
 * Other forms of an English word that mean the same to a searcher: `caches`, `cached`, `caching` for `cache`. Guesses:
 * only those that the dictionary has count, so a wrong guess costs no more than a look-up.
 */
export function inflectionsOf(word: string): string[] {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return [];
  const forms = new Set<string>();
  for (const stem of stemsOf(word)) {
    forms.add(stem);
    for (const suffix of ["s", "ed", "ing", "er"]) forms.add(stem + suffix);
    if (stem.endsWith("e")) for (const suffix of ["ing", "ed", "er"]) forms.add(stem.slice(0, -1) + suffix);
    else forms.add(`${stem}es`);
    if (/[^aeiou]y$/.test(stem)) for (const suffix of ["ies", "ied"]) forms.add(stem.slice(0, -1) + suffix);
  }
  forms.delete(word);
  return [...forms];
}

/** Possible stems of the word: itself, and itself without an ending. */
function stemsOf(word: string): string[] {
  const stems = [word];
  const add = (stem: string) => {
    if (stem.length >= 3) stems.push(stem);
  };
  if (/[^s]s$/.test(word)) add(word.slice(0, -1));
  if (/(?:s|x|z|ch|sh|o)es$/.test(word)) add(word.slice(0, -2));
  if (/ies$|ied$/.test(word)) add(`${word.slice(0, -3)}y`);
  const verb = /^(.+?)(?:ing|ed)$/.exec(word)?.[1];
  if (verb !== undefined && verb.length >= 3) {
    add(verb);
    add(`${verb}e`);
    if (/([^aeiouls])\1$/.test(verb)) add(verb.slice(0, -1));
  }
  return stems;
}
