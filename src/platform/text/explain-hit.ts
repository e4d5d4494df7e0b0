/**
 * Explains why a search found a record and ranked it there, from a hit in Meilisearch's protocol: the ranking's details
 * (`showRankingScoreDetails`) and the record with its matches marked. Works with any server of that protocol.
 *
 *   "cachng" → title "[Caching] build tools"      caching: 1 typo in "cachng"
 *              title 0.15 × 38 %, weight 0.14 × 29 %, …
 */

export const EXPLAIN_TAGS = { pre: "__ais-highlight__", post: "__/ais-highlight__" } as const;

/** Query parameters, in addition to `q` and its limit, that make hits explainable. */
export const EXPLAIN_PARAMETERS = {
  attributesToHighlight: ["*"],
  highlightPreTag: EXPLAIN_TAGS.pre,
  highlightPostTag: EXPLAIN_TAGS.post,
  showRankingScore: true,
  showRankingScoreDetails: true,
} as const;

/** A hit of the protocol. Its shape is not trusted. */
export type ExplainableHit = { readonly [name: string]: unknown };

export interface ExplainedRule {
  name: string;
  /** In a few words; "" for a rule that only the server knows. */
  meaning: string;
  /** 0 to 1; null for an order by values. */
  score: number | null;
  /** The rule's part of the whole, 0 to 1; null if rules decide one after another. */
  weight: number | null;
  /** The rule's other details: "typoCount 1, maxTypoCount 3". */
  rest: string;
}

export interface MatchedWord {
  /** In lower case. */
  word: string;
  fields: string[];
  how: "as typed" | "begins with" | "typo" | "another form" | "synonym";
  /** The matching word of the query; null if none is similar, as with synonyms. */
  asked: string | null;
  typos: number;
}

export interface ExplainedHit {
  /** 0 to 1; null if the server gives none. */
  score: number | null;
  rules: ExplainedRule[];
  words: MatchedWord[];
  /** The record as indexed, without empty fields. */
  fields: { name: string; text: string }[];
}

const MAX_RULES = 20;
const MAX_WORDS = 30;
const MAX_FIELDS = 30;
const MAX_FIELD_LENGTH = 600;

const MEANINGS: { readonly [rule: string]: string } = {
  weight: "rare words, often and in short and highly weighted fields",
  title: "the query is a title",
  proximity: "the words are close together",
  complete: "one paragraph has every word as typed",
  definition: "the row or term that defines an identifier",
  page: "other sections of its page match as well",
  words: "how many words of the query it has",
  typo: "fewer typos",
  attribute: "matches in the more important fields",
  attributeRank: "matches in the more important fields",
  wordPosition: "matches near the beginning of a field",
  exactness: "words as they were typed",
  skipped: "not ranked further: an earlier rule decided",
};

/** @param query as the reader typed it */
export function explainHit(hit: ExplainableHit, query: string): ExplainedHit {
  const score = hit["_rankingScore"];
  return {
    score: typeof score === "number" ? score : null,
    rules: rulesOf(hit["_rankingScoreDetails"]),
    words: matchedWords(hit["_formatted"], query),
    fields: fieldsOf(hit),
  };
}

const isObject = (value: unknown): value is { [name: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function rulesOf(details: unknown): ExplainedRule[] {
  if (!isObject(details)) return [];
  return Object.entries(details)
    .filter((entry): entry is [string, { [name: string]: unknown }] => isObject(entry[1]))
    .toSorted(([, a], [, b]) => Number(a["order"] ?? 0) - Number(b["order"] ?? 0))
    .slice(0, MAX_RULES)
    .map(([name, { score, weight, ...rest }]) => ({
      name,
      meaning: Object.hasOwn(MEANINGS, name) ? (MEANINGS[name] ?? "") : "",
      score: typeof score === "number" ? score : null,
      weight: typeof weight === "number" ? weight : null,
      rest: Object.entries(rest)
        .filter(([key]) => key !== "order")
        .map(([key, value]) => `${key} ${textOf(value)}`)
        .join(", "),
    }));
}

function fieldsOf(hit: ExplainableHit): ExplainedHit["fields"] {
  return Object.entries(hit)
    .filter(([name, value]) => !name.startsWith("_") && !isBlank(value))
    .slice(0, MAX_FIELDS)
    .map(([name, value]) => ({ name, text: cut(textOf(value)) }));
}

/** Records of documentation use "null" for an absent text. */
const isBlank = (value: unknown) => value === null || value === undefined || value === "" || value === "null";
const textOf = (value: unknown) => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));
const cut = (text: string) => (text.length > MAX_FIELD_LENGTH ? `${text.slice(0, MAX_FIELD_LENGTH)}…` : text);

/** Also marked, but not searched. */
const UNREAD = new Set(["url", "anchor", "objectID"]);

function matchedWords(formatted: unknown, query: string): MatchedWord[] {
  if (!isObject(formatted)) return [];
  const asked = wordsOf(query);
  const found = new Map<string, MatchedWord>();
  for (const [name, value] of Object.entries(formatted)) {
    if (UNREAD.has(name)) continue;
    for (const word of markedWords(textOf(value))) {
      const known = found.get(word);
      if (known) {
        if (!known.fields.includes(name)) known.fields.push(name);
      } else if (found.size < MAX_WORDS) found.set(word, { word, fields: [name], ...howFound(word, asked) });
    }
  }
  return [...found.values()];
}

/** Whole words, even if only their beginning is marked. */
function* markedWords(text: string): Generator<string> {
  const [, ...pieces] = text.split(EXPLAIN_TAGS.pre);
  for (const piece of pieces) {
    const end = piece.indexOf(EXPLAIN_TAGS.post);
    if (end < 0) continue;
    const after = /^[\p{L}\p{N}]*/u.exec(piece.slice(end + EXPLAIN_TAGS.post.length))?.[0] ?? "";
    yield* wordsOf(piece.slice(0, end) + after);
  }
}

/** Longer words are compared by their beginning, which keeps the comparison cheap. */
const MAX_WORD_LENGTH = 40;

function wordsOf(text: string): string[] {
  const folded = text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
  return (folded.match(/[\p{L}\p{N}]+/gu) ?? [])
    .slice(0, MAX_WORDS)
    .map((word) => word.slice(0, MAX_WORD_LENGTH));
}

type How = Pick<MatchedWord, "how" | "asked" | "typos">;

/** The engine has found the word; this only finds the query's word that matched it. The closest match counts. */
function howFound(word: string, asked: readonly string[]): How {
  const exact = asked.find((each) => each === word);
  if (exact !== undefined) return { how: "as typed", asked: exact, typos: 0 };
  const form = asked.find((each) => isInflected(each, word));
  if (form !== undefined) return { how: "another form", asked: form, typos: 0 };
  const start = asked.find((each) => word.startsWith(each));
  if (start !== undefined) return { how: "begins with", asked: start, typos: 0 };
  let nearest: How = { how: "synonym", asked: null, typos: 0 };
  for (const each of asked) {
    const typos = distanceOf(each, word);
    const isNear = typos <= 2 && typos * 3 <= Math.max(each.length, word.length);
    if (isNear && (nearest.asked === null || typos < nearest.typos))
      nearest = { how: "typo", asked: each, typos };
  }
  return nearest;
}

const ENDINGS = new Set(["", "s", "es", "d", "ed", "e", "ing", "er", "ers", "y", "ies", "ied"]);
const SHORTEST_STEM = 3;

function isInflected(a: string, b: string): boolean {
  let stem = 0;
  while (stem < a.length && a[stem] === b[stem]) stem++;
  return stem >= SHORTEST_STEM && ENDINGS.has(a.slice(stem)) && ENDINGS.has(b.slice(stem));
}

/** Letters to insert, remove, replace or swap (optimal string alignment). */
function distanceOf(a: string, b: string): number {
  let [before, last] = [[] as number[], Array.from({ length: b.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      let least = Math.min(row[j - 1]! + 1, last[j]! + 1, last[j - 1]! + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, before[j - 2]! + 1);
      row.push(least);
    }
    [before, last] = [last, row];
  }
  return last[b.length]!;
}

/** "1 typo in “cachng”" */
export function describeWord({ how, asked, typos }: MatchedWord): string {
  if (how === "as typed") return "as typed";
  if (how === "typo") return `${typos === 1 ? "1 typo" : `${typos} typos`} in “${asked}”`;
  if (how === "begins with") return `begins with “${asked}”`;
  if (how === "another form") return `another form of “${asked}”`;
  return "a synonym, or words written as one";
}
