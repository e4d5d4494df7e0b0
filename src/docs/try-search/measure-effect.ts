/** Past searches with and without a change. Pure: the time comes from outside. */
import { openIndex } from "#search/index.ts";
import { changeIndex, findRecords, type FoundRecord, type IndexChange } from "./change-index.ts";

export interface EffectRequest {
  kind: "effect";
  /** The bytes of the index file. */
  bytes: Uint8Array;
  change: IndexChange;
  /** Most frequent first. */
  searches: readonly PastSearch[];
}

export interface PastSearch {
  query: string;
  count: number;
}

export interface Effect {
  /** Searches that were made again; all, unless time ran out. */
  tried: number;
  emptyBefore: number;
  found: EffectPart;
  changed: EffectPart;
}

export interface EffectPart {
  searches: number;
  times: number;
  rows: { query: string; count: number; before: FoundRecord[]; after: FoundRecord[] }[];
}

/** Readers rarely look further. */
const FIRST_HITS = 3;
const MAX_ROWS = 50;

/** @param mayContinue asked before each search; after a no, the effect covers the searches so far */
export function measureEffect(
  { bytes, change, searches }: EffectRequest,
  mayContinue: () => boolean = () => true,
): Effect {
  const before = openIndex(bytes);
  const after = openIndex(changeIndex(before, change));
  const effect: Effect = { tried: 0, emptyBefore: 0, found: emptyPart(), changed: emptyPart() };
  for (const { query, count } of searches) {
    if (!mayContinue()) break;
    effect.tried += 1;
    const former = findRecords(before, query, FIRST_HITS);
    const now = findRecords(after, query, FIRST_HITS);
    if (former.length === 0) effect.emptyBefore += 1;
    if (areSame(former, now)) continue;
    const part = former.length === 0 ? effect.found : effect.changed;
    part.searches += 1;
    part.times += count;
    if (part.rows.length < MAX_ROWS) part.rows.push({ query, count, before: former, after: now });
  }
  return effect;
}

const emptyPart = (): EffectPart => ({ searches: 0, times: 0, rows: [] });

const areSame = (one: readonly FoundRecord[], other: readonly FoundRecord[]) =>
  one.length === other.length && one.every(({ path }, place) => path === other[place]?.path);
