import type { TextMatcher, TextToken, TokenMatch } from "./format/types.ts";
import { lengthOfRun, matchRuns, UNFINISHED, wordRuns } from "./format/word-runs.ts";
import { createWordStarts } from "./format/word-starts.ts";
import { MAX_COMPOUND_PARTS } from "./contract/limits.ts";
import type { OpenedIndex } from "./reader/open-index.ts";
import type { Candidates } from "./query/retrieve.ts";
import { joinWords } from "./text/compounds.ts";
import { fold } from "./text/fold.ts";

/** The matcher that a search hands to highlighting: the same words, forms and joins that made the results match. */
export function createTextMatcher(
  index: OpenedIndex,
  candidates: Candidates,
  phrases: readonly (readonly string[])[] = [],
): TextMatcher {
  const { forms, beginnings } = matchedForms(index, candidates);
  const runs = wordRuns(phrases, candidates.typed);
  const texts = [...forms.keys(), ...beginnings.map(({ text }) => text), ...runs.map((run) => run.words[0]!)];
  const partial = partsBefore(texts);

  function matchText(text: string): Omit<TokenMatch, "tokens"> | null {
    // Checked first: `docker` is both a completion of "dock" and a form of it, and the reader typed four letters.
    const beginning = beginnings.find((one) => text.startsWith(one.text));
    if (beginning) return { length: beginning.text.length, queryWord: beginning.queryWord };
    const queryWord = forms.get(text);
    return queryWord === undefined ? null : { length: text.length, queryWord };
  }

  return {
    tokenize: index.tokenize,
    fold,
    ...(isPlain(index.settings) && {
      shortcut: {
        starts: createWordStarts(texts),
        isOpen,
      },
    }),
    matchAt(tokens: readonly TextToken[], at: number): TokenMatch | null {
      const run = runs.length > 0 ? matchRuns(tokens, at, runs) : null;
      if (run) return run;
      const single = matchText(tokens[at]!.word);
      if (single) return { tokens: 1, ...single };
      return matchJoined(tokens, at);
    },
  };

  function isOpen(tokens: readonly TextToken[], at: number): boolean {
    if (runs.some(({ words }) => lengthOfRun(tokens, at, words) === UNFINISHED)) return true;
    if (tokens.length - at >= MAX_COMPOUND_PARTS || !partial.has(tokens[at]!.word)) return false;
    if (tokens.length - at === 1) return true;
    return partial.has(joinWords(tokens.slice(at).map(({ word }) => word)));
  }

  /** `useState` in the text, "usestate" or its beginning in the query: a form that several tokens make up. */
  function matchJoined(tokens: readonly TextToken[], at: number): TokenMatch | null {
    let before = tokens[at]!.word;
    const end = Math.min(at + MAX_COMPOUND_PARTS, tokens.length);
    // Nearly every token fails this test; joining them all used to take most of the time of highlighting.
    for (let next = at + 1; next < end && partial.has(before); next++) {
      const { word } = tokens[next]!;
      const whole = joinWords([before, word]);
      const match = matchText(whole);
      if (match && match.length > before.length) {
        const length = match.length - (whole.length - word.length);
        return { tokens: next - at + 1, length, queryWord: match.queryWord };
      }
      before = whole;
    }
    return null;
  }
}

interface MatchedForms {
  /** Term → number of the query word it stands for. */
  forms: Map<string, number>;
  /** Completions are recognized by their beginning. */
  beginnings: { text: string; queryWord: number }[];
}

function matchedForms(index: OpenedIndex, { typed, words, spans, stopWords }: Candidates): MatchedForms {
  const forms = new Map<string, number>();
  const beginnings: MatchedForms["beginnings"] = [];
  const joined = spans.map(({ from, matches }) => ({ matches, queryWord: from }));
  // Quoted phrases are marked as a whole. Stop words are everywhere: marked, they would hide the hits.
  const single = words
    .map((matches, at) => ({ matches, queryWord: at }))
    .filter(({ queryWord }) => !typed[queryWord]?.isLiteral && !(stopWords & (1 << queryWord)));
  for (const { matches, queryWord } of [...single, ...joined]) {
    if (matches.completions.to > matches.completions.from) beginnings.push({ text: matches.word, queryWord });
    for (const { term, kind } of matches.expansions) {
      const text = index.dictionary.term(term);
      if (kind !== "prefix" && !forms.has(text)) forms.set(text, queryWord);
    }
  }
  return { forms, beginnings };
}

/** Configured words and separators may have spaces in them, and begin with anything. */
function isPlain({ separatorTokens, nonSeparatorTokens, dictionary }: OpenedIndex["settings"]): boolean {
  return separatorTokens.length + nonSeparatorTokens.length + dictionary.length === 0;
}

/** Every text that becomes one of the texts by adding to it. */
function partsBefore(texts: Iterable<string>): Set<string> {
  const parts = new Set<string>();
  for (const text of texts) {
    for (let length = 1; length < text.length; length++) parts.add(text.slice(0, length));
  }
  return parts;
}
