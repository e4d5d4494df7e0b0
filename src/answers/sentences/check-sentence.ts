/**
 * Whether the cited passages support a sentence. A model can be wrong, and the reader's question can tell it what to write, so
 * nothing is said that the pages do not contain:
 *
 *   citations     at least one, and each of a passage that the model got
 *   identifiers   code, flags, paths, names: each occurs exactly in a cited passage
 *   words         most words that carry meaning occur, and many of them in one sentence of a passage
 *   numbers       each occurs, with its unit, in a sentence that is about the same
 *   negation      that sentence is negated if this one is, and not otherwise
 *
 * The check compares words, not meaning. It leaves out some true sentences; a false one must be made of the passage's own words.
 */
import { hasExactly, type SourceText, type Unit } from "./source-text.ts";
import { contentStems, isLight, isNegated, numbersOf, stem, wordsOf } from "./words.ts";
import { parseSentence } from "./parse-sentence.ts";

/** Why a sentence is not said. */
export type Unsaid = "no source" | "identifier" | "words" | "number" | "negation";

export type CheckedSentence = { text: string; citations: number[]; unsaid: null } | { unsaid: Unsaid };

/** Share of a sentence's words that the cited passages have, and that one of their sentences has. */
const MIN_SUPPORT = 0.6;
const MIN_UNIT_SUPPORT = 0.4;
/** Units with this share of the best unit's support are about the same. */
const SAME_SUBJECT = 0.75;
/** Words, numbers and identifiers of the shortest sentence. */
const MIN_WORDS = 2;

/**
 * @param sources in the order of their numbers, which begin with 1
 * @param isOrdinary whether a word in small letters is used in the documentation: a first word that is not may be a name
 */
export function checkSentence(
  sentence: string,
  sources: readonly SourceText[],
  isOrdinary: (word: string) => boolean,
): CheckedSentence {
  const { text, citations } = parseSentence(sentence);
  const cited = citations.map((number) => sources[number - 1]);
  if (text === "" || cited.length === 0 || !cited.every((source) => source !== undefined))
    return { unsaid: "no source" };
  if (!identifiersOf(text).every((wanted) => cited.some((source) => hasExactly(source, wanted))))
    return { unsaid: "identifier" };
  if (!namesOf(text, isOrdinary).every((name) => cited.some(({ words }) => hasName(words, name))))
    return { unsaid: "identifier" };
  const unsaid = compareWords(text, cited);
  return unsaid ? { unsaid } : { text, citations, unsaid: null };
}

function compareWords(text: string, cited: readonly SourceText[]): Unsaid | null {
  const [stems, numbers] = [contentStems(text), numbersOf(text)];
  if (stems.size === 0 || stems.size + numbers.length + identifiersOf(text).length < MIN_WORDS)
    return "words";
  const units = cited.flatMap((source) =>
    source.units.map((unit) => ({ unit, support: supportOf(stems, unit, source) })),
  );
  const best = Math.max(0, ...units.map(({ support }) => support));
  const isThere = (word: string) =>
    cited.some(
      ({ headingStems, units: all }) => headingStems.has(word) || all.some((unit) => unit.stems.has(word)),
    );
  const found = [...stems].filter(isThere).length / stems.size;
  if (found < MIN_SUPPORT || best < MIN_UNIT_SUPPORT) return "words";
  const same = units.filter(({ support }) => support >= SAME_SUBJECT * best).map(({ unit }) => unit);
  if (!numbers.every((number) => same.some((unit) => hasNumber(unit, number)))) return "number";
  return hasSameSense(text, stems, same) ? null : "negation";
}

/** Whether a clause about the same is negated as the sentence is. */
function hasSameSense(text: string, stems: ReadonlySet<string>, units: readonly Unit[]): boolean {
  const clauses = units.flatMap(({ clauses: parts }) =>
    parts.map((clause) => ({ clause, shared: [...clause.stems].filter((word) => stems.has(word)).length })),
  );
  const most = Math.max(1, ...clauses.map(({ shared }) => shared));
  return clauses.some(({ clause, shared }) => shared >= most / 2 && clause.isNegated === isNegated(text));
}

function supportOf(stems: ReadonlySet<string>, unit: Unit, { headingStems }: SourceText): number {
  let found = 0;
  for (const word of stems) if (unit.stems.has(word) || headingStems.has(word)) found++;
  return found / stems.size;
}

/** A number without a unit may have one in the passage: "30 or 60 days". */
const hasNumber = ({ numbers }: Unit, wanted: string) =>
  numbers.some((number) => number === wanted || (!wanted.includes(" ") && number.startsWith(`${wanted} `)));

const CODE = /`([^`]*)`/g;
const EDGES = /^[("'“‘[*_]+|[)"'”’\].,;:!?*_]+$/g;
const NUMBER_WITH_UNIT = /^[\d.,]*\d(?:-?\p{L}+|%)?$/u;
/** Its unit is not a name: numbers have a check of their own. */
const SIZE = /\d[\d.,]*[ \u00a0-]?[KMGTP]i?B\b/g;
const WORDS_WITH_SLASH = /^\p{L}+(?:\/\p{L}+)+$/u;
const IDENTIFIER =
  /^--?\p{L}|[\\/_@<>{}$#~+*|=^&]|\p{L}\.\p{L}|\p{Ll}\p{Lu}|\p{L}\d|\d\p{L}|[\d\p{L}]:[\d\p{L}]|\d\.\d+\.\d/u;

/** What must occur letter by letter. */
function identifiersOf(text: string): string[] {
  const found = [...text.matchAll(CODE)].map(([, code = ""]) => code.trim()).filter((code) => code !== "");
  for (const word of text.replaceAll(CODE, " ").split(/\s+/)) {
    const bare = word.replaceAll(EDGES, "");
    if (NUMBER_WITH_UNIT.test(bare) || WORDS_WITH_SLASH.test(bare)) continue;
    if (IDENTIFIER.test(bare)) found.push(bare);
  }
  return found;
}

/** Words that are written like a name: large in the middle of a sentence, or at its start if no page has them small. */
function namesOf(text: string, isOrdinary: (word: string) => boolean): string[] {
  const prose = text.replaceAll(CODE, " ").replaceAll(SIZE, " ");
  return wordsOf(prose).filter((word, at) => {
    if (!/^\p{Lu}\p{L}/u.test(word)) return false;
    const isAcronym = /^\p{Lu}{2,}/u.test(word);
    const small = word.toLowerCase();
    return !isLight(small) && (at > 0 || isAcronym || !isOrdinary(small));
  });
}

function hasName(words: ReadonlySet<string>, name: string): boolean {
  const small = name.toLowerCase();
  return words.has(small) || words.has(small.replace(/['’]?s$/, "")) || words.has(stem(small));
}
