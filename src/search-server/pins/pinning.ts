/**
 * Rules at work: which documents a search pins, and where they stand among what it finds.
 *
 *   found      a b c d        pinned   p at 0, c at 2
 *   shown      p a c b d      a document is shown once; filters hold for pinned ones too
 */
import type { OpenedIndex } from "#search/index.ts";
import { MAX_SEARCH_PINS } from "../protocol/limits.ts";
import { type Pinned, pinDocuments } from "./pinned-page.ts";
import { type Placed, placePins } from "./place-pins.ts";
import type { Rule } from "./rule.ts";

export interface Pinning {
  /** The documents that rules pin for a query; null: none, and the search is answered as without rules. */
  of: (stored: { uid: string; index: OpenedIndex }, q: string) => Pinned | null;
  place: <Item>(found: readonly Item[], pinned: readonly Placed<Item>[]) => Item[];
  /** Whether the same query may have other hits later, without a change of rules or documents. */
  changesWithTime: boolean;
}

interface PinningOptions {
  clock: () => Date;
  /** The site's own indexes, whose order is the documentation's: no rule acts on them. */
  builtIn: ReadonlySet<string>;
}

/** null: there is no rule that could act. */
export function createPinning(rules: readonly Rule[], { clock, builtIn }: PinningOptions): Pinning | null {
  const acting = rules.filter(({ active, actions }) => active && actions.length > 0).toSorted(compareRules);
  if (acting.length === 0) return null;
  const readWords = createWordsReader(acting);
  return {
    place: placePins,
    changesWithTime: acting.some(({ conditions }) => conditions.time !== undefined),
    of({ uid, index }, q) {
      if (builtIn.has(uid)) return null;
      const query = createQuery(index, q);
      const wordsOf = readWords(index);
      const pins = new Map<number, number>();
      const now = clock().getTime();
      for (const rule of acting) {
        const actions = rule.actions.filter(({ selector }) => (selector.indexUid ?? uid) === uid);
        if (actions.length === 0 || !matches(rule, wordsOf(rule), query, now)) continue;
        for (const { selector, action } of actions) {
          const document = index.findDocument(selector.id);
          // If several rules pin a document, the first one counts.
          if (document >= 0 && pins.size < MAX_SEARCH_PINS && !pins.has(document))
            pins.set(document, action.position);
        }
      }
      if (pins.size === 0) return null;
      return pinDocuments(
        index,
        Array.from(pins, ([document, position]) => ({ document, position })),
      );
    },
  };
}

/** By precedence, then by name, so that the order of the requests does not count. */
function compareRules(a: Rule, b: Rule): number {
  const byPrecedence = (a.precedence ?? Infinity) - (b.precedence ?? Infinity);
  // Infinity - Infinity is NaN.
  return byPrecedence || (a.uid < b.uid ? -1 : 1);
}

type WordsOf = (rule: Rule) => readonly string[];

/** The words of each rule as an index reads them: found once, because every search of the index asks for them. */
function createWordsReader(rules: readonly Rule[]): (index: OpenedIndex) => WordsOf {
  const known = new WeakMap<OpenedIndex, Map<Rule, string[]>>();
  return (index) => {
    let words = known.get(index);
    if (!words) {
      words = new Map(
        rules.map((rule) => [
          rule,
          index.tokenize(rule.conditions.query?.words ?? "").map(({ word }) => word),
        ]),
      );
      known.set(index, words);
    }
    return (rule) => words.get(rule) ?? [];
  };
}

interface Query {
  isEmpty: boolean;
  has: (word: string) => boolean;
}

function createQuery(index: OpenedIndex, q: string): Query {
  let own: Set<string> | null = null;
  return {
    isEmpty: q.trim() === "",
    has(word) {
      own ??= new Set(index.tokenize(q).map((token) => token.word));
      return own.has(word);
    },
  };
}

function matches(
  { conditions: { query, time } }: Rule,
  words: readonly string[],
  asked: Query,
  now: number,
): boolean {
  if (query?.isEmpty !== undefined && query.isEmpty !== asked.isEmpty) return false;
  if (time?.start !== undefined && now < Date.parse(time.start)) return false;
  if (time?.end !== undefined && now > Date.parse(time.end)) return false;
  // Words without a letter are none, and a condition on them is never met.
  return query?.words === undefined || (words.length > 0 && words.every(asked.has));
}
