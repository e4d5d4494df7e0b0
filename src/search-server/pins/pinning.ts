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
  /** The site's own index, whose order is the documentation's: no rule acts on it. */
  builtInIndex: string | null;
}

/** null: there is no rule that could act. */
export function createPinning(
  rules: readonly Rule[],
  { clock, builtInIndex }: PinningOptions,
): Pinning | null {
  const acting = rules.filter(({ active, actions }) => active && actions.length > 0).toSorted(compareRules);
  if (acting.length === 0) return null;
  return {
    place: placePins,
    changesWithTime: acting.some(({ conditions }) => conditions.time !== undefined),
    of({ uid, index }, q) {
      if (uid === builtInIndex) return null;
      const query = createQuery(index, q);
      const pins = new Map<number, number>();
      const now = clock().getTime();
      for (const rule of acting) {
        const actions = rule.actions.filter(({ selector }) => (selector.indexUid ?? uid) === uid);
        if (actions.length === 0 || !matches(rule, query, now)) continue;
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

interface Query {
  isEmpty: boolean;
  /** Whether it has all words of a text. */
  hasWords: (text: string) => boolean;
}

function createQuery(index: OpenedIndex, q: string): Query {
  const wordsOf = (text: string) => index.tokenize(text).map(({ word }) => word);
  let own: Set<string> | null = null;
  return {
    isEmpty: q.trim() === "",
    hasWords(text) {
      own ??= new Set(wordsOf(q));
      const wanted = wordsOf(text);
      return wanted.length > 0 && wanted.every((word) => own!.has(word));
    },
  };
}

function matches({ conditions: { query, time } }: Rule, asked: Query, now: number): boolean {
  if (query?.isEmpty !== undefined && query.isEmpty !== asked.isEmpty) return false;
  if (time?.start !== undefined && now < Date.parse(time.start)) return false;
  if (time?.end !== undefined && now > Date.parse(time.end)) return false;
  return query?.words === undefined || asked.hasWords(query.words);
}
