/** Words of sentences and passages, as far as it takes to compare them. */

/** Too frequent to support anything. */
const LIGHT = new Set(
  `a about after again all also although always an and any are as at be because been before being both but by can could did do does
   done each either else every few for from get gets had has have having here how i if in instead into is it its itself just like
   made make makes many may me more most much must my need needs of off on once one only or other others our out over own per same
   see set shall should so some still such than that the their them then there these they this those through to too under until up
   us use used uses using very via was we were what when where whether which while who whose why will with within would yes you your
   yours`.split(/\s+/),
);

const NEGATION =
  /\b(?:no|not|never|none|nothing|neither|nor|cannot|without|unsupported|unavailable|impossible)\b|n['’]t\b/i;

/** Words that say nothing on their own: "you", "after". */
export const isLight = (word: string): boolean => LIGHT.has(word);

export const isNegated = (text: string): boolean => NEGATION.test(text);

/** Only for comparing: "caches", "cached" and "caching" are "cach". */
export function stem(word: string): string {
  const short = word
    .replace(/(?:'|’)s?$/, "")
    .replace(/ies$/, "y")
    .replace(/(?:ing|ed|es|s)$/, (end) => (word.length - end.length >= 3 ? "" : end));
  const root = short.length >= 4 ? short.replace(/[ey]$/, "") : short;
  return /([^aeiouls])\1$/.test(root) ? root.slice(0, -1) : root;
}

export const wordsOf = (text: string): string[] => text.match(/\p{L}[\p{L}\p{M}'’]*/gu) ?? [];

/** The stems of the words that carry meaning. */
export function contentStems(text: string): Set<string> {
  const stems = new Set<string>();
  for (const word of wordsOf(text)) {
    const small = word.toLowerCase();
    if (small.length > 1 && !LIGHT.has(small) && !isNegated(small) && !isAmount(small))
      stems.add(stem(small));
  }
  return stems;
}

const NUMBER_WORDS: ReadonlyMap<string, string> = new Map(
  [
    ..."two three four five six seven eight nine ten eleven twelve"
      .split(" ")
      .map((word, at) => [word, at + 2]),
    ["fifteen", 15],
    ["twenty", 20],
    ["thirty", 30],
    ["forty", 40],
    ["fifty", 50],
    ["sixty", 60],
    ["ninety", 90],
    ["hundred", 100],
    ["thousand", 1000],
    ["dozen", 12],
    // Only with a unit: "every minute".
    ["every", 1],
    ["each", 1],
    ["per", 1],
    ["one", 1],
  ].map(([word, value]) => [String(word), String(value)]),
);

const UNITS: readonly (readonly [RegExp, string])[] = [
  [/^(?:ms|milliseconds?)$/i, "ms"],
  [/^(?:s|sec|secs|seconds?)$/, "s"],
  [/^(?:min|mins|minutes?)$/i, "min"],
  [/^(?:h|hours?)$/i, "h"],
  [/^(?:d|days?)$/i, "d"],
  [/^weeks?$/i, "week"],
  [/^months?$/i, "month"],
  [/^years?$/i, "year"],
  [/^(?:%|percent)$/i, "%"],
  [/^(?:[kmgtp]i?b|bytes?|[kmgt]bit\/s)$/i, ""],
];

/** Numbers are compared with their units. */
const isAmount = (word: string): boolean => NUMBER_WORDS.has(word) || UNITS.some(([form]) => form.test(word));

const NUMBER = new RegExp(
  `(?<![\\p{L}\\p{N}_.])(\\d+(?:\\.\\d+)?|(?:${[...NUMBER_WORDS.keys()].join("|")})(?![\\p{L}_]))(?:[ \\u00a0\\u202f-]?(%|\\p{L}+(?:/s)?))?`,
  "giu",
);

/** Numbers with their units, in one spelling: "1,000 days" and "thousand d" are "1000 d". */
export function numbersOf(text: string): string[] {
  const plain = text.replaceAll(/(\d),(?=\d{3}(?!\d))/g, "$1");
  return [...plain.matchAll(NUMBER)].flatMap(([found, amount = "", unit = ""]) => {
    const value = NUMBER_WORDS.get(amount.toLowerCase());
    const known = UNITS.find(([form]) => form.test(unit));
    if (known) return [`${value ?? amount} ${known[1] || unit.toLowerCase()}`];
    // "two-step" is a word.
    return value === "1" || (value !== undefined && found.includes("-")) ? [] : [value ?? amount];
  });
}
