import { DEFAULT_CUTOFF_MS, RERANKED } from "../contract/limits.ts";
import type { ShortAnswer } from "../file/short-answers.ts";
import { listDocuments } from "./list-documents.ts";
import type { OpenedIndex } from "../reader/open-index.ts";
import { type AttributeLimits, attributeLimits } from "../query/attribute-limits.ts";
import { countWords } from "../query/count-words.ts";
import { type ParsedQuery, parseOptions, parseQuery } from "../query/parse-query.ts";
import { type Candidates, lettersOnly, retrieve } from "../query/retrieve.ts";
import type { BlockMatch } from "../query/block-match.ts";
import { scanUnit } from "../query/scan-unit.ts";
import { type TermMarks, withTermMarks } from "../query/term-marks.ts";
import { askMeaning } from "../rank/add-meaning.ts";
import { type Admitted, admitCandidates } from "../rank/admit.ts";
import { chooseDocument } from "../rank/choose-document.ts";
import { explainHit } from "../rank/explain.ts";
import { rankingSteps, type RankingStep } from "../rank/order-rules.ts";
import { createDocumentRanker, type StepRanks } from "../rank/rank-document.ts";
import { rankCandidates } from "../rank/rank-candidates.ts";
import type { AskMeaning, Ranked } from "../rank/ranked.ts";
import { compileDistinct, countDistinct, type DistinctKey, dropRepeats } from "../sort/distinct.ts";
import { timed } from "../contract/trace.ts";
import type { DocumentSet, ScoreDetail, SearchQuery } from "../contract/types.ts";
import { createWork, type Work, WorkOf } from "../contract/work.ts";

export interface FoundHit {
  /** The section that the hit represents; -1 if the query has no words. */
  unit: number;
  document: number;
  /** 0 to 1. */
  score: number;
  explain: () => { [rule: string]: ScoreDetail };
}

export interface Found {
  /** The first ones, in order; at least as many as requested, if there are. */
  hits: FoundHit[];
  total: number;
  candidates: Candidates;
  /** The quoted phrases, if any. */
  phrases?: readonly string[][];
  isDegraded: boolean;
  /** One document of every match, in no order. Valid, as `candidates` are, until the next search. */
  matching: () => Iterable<number>;
  /** Metres from the point of the sort. */
  distance?: (document: number) => number | null;
}

/** The matches of a query, ordered, without their contents; `count` = how many are wanted. */
export function findHits(
  index: OpenedIndex,
  query: SearchQuery,
  filter: DocumentSet | null,
  count: number,
): Found {
  const { settings } = index;
  const parsed = timed(query, "tokenize query", () => parseQuery(query.q, parseOptions(index)));
  const steps = rankingSteps(index, query);
  const keyOf = distinctKey(index, query);
  const limits = attributeLimits(index, query.searchOn);
  const work = query.work ?? createWork();
  const isLate = deadline(query, settings.cutoffMs ?? DEFAULT_CUTOFF_MS, work);
  const isCounted = query.facets !== undefined;
  const isExplained = query.showScoreDetails === true;
  const minScore = query.minScore ?? 0;
  const wanted = { count, minScore, isCounted, isExplained };
  const context = { parsed, filter, steps, keyOf, limits, work, isLate, ...wanted };
  const distance =
    steps.map((step) => step.kind === "order" && step.order.distance).find(Boolean) || undefined;
  const found = findMatches(index, query, context);
  return { ...found, phrases: parsed.phrases, ...(distance && { distance }) };
}

interface Context {
  parsed: ParsedQuery;
  /** How many hits are wanted. */
  count: number;
  /** The least score of a hit. */
  minScore: number;
  filter: DocumentSet | null;
  steps: readonly RankingStep[];
  /** Groups documents that count as one; null = no groups. */
  keyOf: DistinctKey | null;
  /** Facets count every match. */
  isCounted: boolean;
  /** Each hit explains its rank. */
  isExplained: boolean;
  limits: AttributeLimits | null;
  work: Work;
  /** Too late, or too much work: the rest is ranked by what is known so far. */
  isLate: () => boolean;
}

function findMatches(index: OpenedIndex, query: SearchQuery, context: Context): Found {
  const { parsed, count } = context;
  if (parsed.words.length === 0) {
    context.work.add(index.documentCount * WorkOf.unit);
    const orders = context.steps.flatMap((step) => (step.kind === "order" ? [step.order] : []));
    const { ids, matching, total } = listDocuments(index, { ...context, orders, excluded: parsed.excluded });
    const explain = (document: number) => () =>
      explainHit(context.steps, { document, match: null, ranks: null });
    const hits = ids.map((document) => ({ unit: -1, document, score: 1, explain: explain(document) }));
    return { candidates: retrieve(index, [], null), hits, total, matching, isDegraded: false };
  }
  const short = isPlain(query, context) ? index.shortAnswer(parsed.words[0]!.word) : null;
  // Only the first hits are kept; later pages need a search.
  if (short && (count <= short.places.length || short.places.length === short.total)) {
    return answerShort(index, parsed.words[0]!.word, short, count);
  }
  const needed = isOpen(query, context) ? Math.max(RERANKED, count) : null;
  const conditions = { parsed, filter: context.filter, matching: query.matching };
  const admitted = timed(query, "evaluate query", () => {
    const candidates = retrieve(index, parsed.words, context.limits, needed);
    context.work.add(unitsLookedAt(candidates, parsed) * WorkOf.unit);
    return admitCandidates(index, candidates, conditions);
  });
  const meaning = askMeaning(index, admitted, conditions, needed !== null);
  return timed(query, "keyword ranking", () => rankAdmitted(index, admitted, { ...context, meaning }));
}

/** No condition limits the hits, and the first stage's score decides which units are read, so only the best are needed. */
function isOpen(query: SearchQuery, { parsed, filter, keyOf, steps }: Context): boolean {
  return (
    parsed.phrases.length === 0 &&
    parsed.excluded.length === 0 &&
    query.matching !== "all" &&
    steps[0]?.kind === "blend" &&
    !filter &&
    !keyOf &&
    !query.facets &&
    !query.minScore
  );
}

/** Whether the query is nothing but the first letters of a word, for which the index keeps answers. */
function isPlain(query: SearchQuery, context: Context): boolean {
  const { words } = context.parsed;
  const [word] = words;
  return (
    isOpen(query, context) &&
    words.length === 1 &&
    word!.isPrefix &&
    !context.limits &&
    !query.showScoreDetails
  );
}

function answerShort(index: OpenedIndex, word: string, short: ShortAnswer, count: number): Found {
  const hits = Array.from(short.places.subarray(0, count), (place, at): FoundHit => {
    const document = index.unitDocuments[place]!;
    return { unit: -1, document, score: short.scoreOf(at), explain: () => ({}) };
  });
  const candidates = lettersOnly(index, word);
  return { candidates, hits, total: short.total, isDegraded: false, matching: () => [] };
}

/** Units of all words, and once more for each condition. */
function unitsLookedAt({ words, units }: Candidates, { phrases, excluded }: ParsedQuery): number {
  const conditions = phrases.length + excluded.length;
  return words.reduce((sum, matches) => sum + matches.units.length, units.length * (1 + conditions));
}

function rankAdmitted(
  index: OpenedIndex,
  found: Admitted,
  context: Context & { meaning: AskMeaning | null },
): Found {
  const { positions } = found;
  const { steps, keyOf, work, isLate, count, minScore, meaning } = context;
  // With the sections that ranking adds.
  let admitted = found;
  const documentOf = (at: number) => admitted.documentOf(admitted.positions[at]!);
  return withTermMarks(index, found.candidates, (marks) => {
    const rank = (wanted: number) => {
      const done = rankCandidates(index, found, { steps, count: wanted, marks, work, isLate, meaning });
      admitted = done.admitted;
      return keyOf ? dropRepeats(done.ranked, ({ at }) => documentOf(at), keyOf) : done.ranked;
    };
    // Every match is ranked to know how many are good enough, and which of the same ones facets count.
    const isWhole = minScore > 0 || (keyOf !== null && context.isCounted);
    const best = isWhole ? rank(positions.length) : rankEnough(rank, count, keyOf ? positions.length : count);
    const kept = best.filter(({ score }) => score >= minScore);
    const countAll = () =>
      keyOf ? countDistinct(Array.from(positions, admitted.documentOf), keyOf) : admitted.total;
    return {
      candidates: admitted.candidates,
      hits: kept.slice(0, count).map((one) => toHit(index, admitted, one, { ...context, marks })),
      total: isWhole ? kept.length : countAll(),
      isDegraded: isLate(),
      matching: () => (isWhole ? kept.map(({ at }) => at) : [...admitted.positions.keys()]).map(documentOf),
    };
  });
}

/** Ranks more and more candidates, up to all, until enough are left. */
function rankEnough(rank: (wanted: number) => Ranked[], count: number, all: number): Ranked[] {
  for (let wanted = count; ; wanted *= 8) {
    const kept = rank(Math.min(wanted, all));
    if (kept.length >= count || wanted >= all) return kept;
  }
}

function distinctKey(index: OpenedIndex, query: SearchQuery): Context["keyOf"] {
  const { distinctAttribute, hierarchy } = index.settings;
  // Sections are distinct by address already.
  if (query.distinct === undefined && distinctAttribute === hierarchy?.url) return null;
  const attribute = query.distinct ?? distinctAttribute;
  return attribute === null ? null : compileDistinct(index, attribute);
}

function toHit(
  index: OpenedIndex,
  admitted: Admitted,
  ranked: Ranked,
  context: Context & { marks: TermMarks },
): FoundHit {
  const { candidates, positions, documentOf } = admitted;
  const { steps, marks, work } = context;
  const unit = candidates.units[positions[ranked.at]!]!;
  const first = documentOf(positions[ranked.at]!);
  if (!index.settings.hierarchy) {
    let ranks: StepRanks | null = null;
    if (context.isExplained) {
      work.add(countWords(index, unit) * WorkOf.word);
      ranks = createDocumentRanker(index, candidates, steps, marks).read(
        unit,
        admitted.keptOf(positions[ranked.at]!),
      );
    }
    return { unit, document: first, score: ranked.score, explain: explain(first, ranks) };
  }
  const blocks = ranked.match?.blocks ?? readBlocks(index, unit, candidates, context);
  const document = chooseDocument(index, unit, {
    blocks,
    rarities: candidates.rarities,
    filter: context.filter,
  });
  return { unit, document, score: ranked.score, explain: explain(document, null) };

  function explain(id: number, ranks: StepRanks | null) {
    return () => explainHit(steps, { document: id, match: ranked.match, ranks });
  }
}

/** Empty if it is too late; then the first document represents the section. */
function readBlocks(
  index: OpenedIndex,
  unit: number,
  { limits }: Candidates,
  { marks, work, isLate }: Context & { marks: TermMarks },
): readonly BlockMatch[] {
  if (isLate()) return [];
  work.add(countWords(index, unit) * WorkOf.word);
  return scanUnit(index, unit, marks, limits);
}

function deadline({ now = Date.now }: SearchQuery, milliseconds: number, work: Work): () => boolean {
  const end = now() + milliseconds;
  return () => now() > end || work.isOver();
}
