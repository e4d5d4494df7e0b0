import { inflectionsOf } from "./inflections.ts";
import { stemGerman } from "./german-stem.ts";

/** What counts as a part of a compound: `cache` in `schichtencache`, not `er` in `builder`. */
const MIN_PART = 5;
const MIN_BEFORE = 3;

/**
 * Other forms of a German word, among the words of an index: `hauser` for `haus`, `loschen` for `loeschen`, and
 * `zwischenspeicher` for `speicher`. English words are inflected as elsewhere, because texts about software mix both.
 * @param words folded
 */
export function germanForms(words: Iterable<string>): (word: string) => string[] {
  const byStem = new Map<string, string[]>();
  for (const word of words) if (/^[a-z]{3,}$/.test(word)) add(byStem, stemOf(word), word);
  const compounds = compoundsOf(byStem);
  return (word) => {
    const forms = new Set(inflectionsOf(word));
    for (const spelled of [word, withUmlauts(word)]) {
      if (!/^[a-z]{3,}$/.test(spelled)) continue;
      const stem = stemOf(spelled);
      for (const form of byStem.get(stem) ?? []) forms.add(form);
      for (const form of compounds.get(stem) ?? []) forms.add(form);
    }
    forms.delete(word);
    return [...forms];
  };
}

/** `schlusseln` is a form of `schlussel` too. */
const stemOf = (word: string) => stemGerman(word.replace(/(?<=el)n$/, ""));

/** Umlauts without a key for them, folded: `haeuser` → `hauser`. */
const withUmlauts = (word: string) =>
  word
    .replace(/ae/g, "a")
    .replace(/oe/g, "o")
    .replace(/(?<!q)ue/g, "u");

/** Stem of a word → the words that end with one of its forms. */
function compoundsOf(byStem: ReadonlyMap<string, string[]>): Map<string, string[]> {
  const compounds = new Map<string, string[]>();
  for (const word of [...byStem.values()].flat())
    for (let at = MIN_BEFORE; at <= word.length - MIN_PART; at++) {
      const stem = stemOf(word.slice(at));
      if (stem.length >= MIN_PART - 1 && byStem.has(stem)) add(compounds, stem, word);
    }
  return compounds;
}

function add(map: Map<string, string[]>, key: string, value: string): void {
  const values = map.get(key);
  if (values) values.push(value);
  else map.set(key, [value]);
}
