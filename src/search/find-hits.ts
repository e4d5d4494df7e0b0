import { DEFAULT_CUTOFF_MS } from "./limits.ts";
import type { OpenedIndex } from "./open-index.ts";
import { attributeLimits } from "./query/attribute-limits.ts";
import { admitCandidates, isExcluded, sequenceOf } from "./query/admit.ts";
import { type ParsedQuery, parseQuery } from "./query/parse-query.ts";
import { type Candidates, retrieve } from "./query/retrieve.ts";
import { scanUnit } from "./query/scan-unit.ts";
import { type TermMarks, withTermMarks } from "./query/term-marks.ts";
import { chooseDocument, firstDocument } from "./rank/choose-document.ts";
import { explainMatch } from "./rank/explain.ts";
import { rankingSteps, type RankingStep } from "./rank/order-rules.ts";
import { type Admitted, rankCandidates, type Ranked } from "./rank/rank-candidates.ts";
import { compileDistinct } from "./sort/distinct.ts";
import type { DocumentSet, ScoreDetail, SearchQuery } from "./types.ts";

export interface FoundHit {
  document: number;
  /** 0 to 1. */
  score: number;
  explain: () => { [rule: string]: ScoreDetail };
}

export interface Found {
  /** The first ones, in order; at least as many as were asked for, if there are. */
  hits: FoundHit[];
  total: number;
  candidates: Candidates;
  isDegraded: boolean;
  /** One document of every match, in no order. */
  matching: () => Iterable<number>;
  /** Metres from the point that was sorted by. */
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
  const parsed = parseQuery(query.q, {
    tokenize: index.tokenize,
    stopWords: index.stopWords,
    isPrefixSearch: settings.prefixSearch !== "disabled",
  });
  const steps = rankingSteps(index, query);
  const candidates = retrieve(index, parsed.words, attributeLimits(index, query.searchOn));
  // Sections are distinct by address already.
  const isPerSection = query.distinct === undefined && settings.distinctAttribute === settings.hierarchy?.url;
  const distinct = isPerSection ? null : (query.distinct ?? settings.distinctAttribute);
  const keyOf = distinct === null ? null : compileDistinct(index, distinct);
  const distance =
    steps.map((step) => step.kind === "order" && step.order.distance).find(Boolean) || undefined;
  const shared = { candidates, ...(distance && { distance }) };
  if (parsed.words.length === 0) return { ...shared, ...listAll(index, parsed, filter, steps, keyOf) };
  const admitted = admitCandidates(index, candidates, parsed, filter, query.matching);
  const isLate = deadline(query, settings.cutoffMs ?? DEFAULT_CUTOFF_MS);
  return withTermMarks(index, candidates, (marks) => {
    const least = query.minScore ?? 0;
    // Every match is needed to know which are distinct or good enough.
    const wanted = keyOf || least > 0 ? admitted.positions.length : count;
    const ranked = rankCandidates(index, admitted, { steps, count: wanted, marks, isLate });
    const kept = dropRepeats(ranked, (one) => admitted.documents[one.at]!, keyOf).filter(
      ({ score }) => score >= least,
    );
    return {
      ...shared,
      hits: kept.slice(0, count).map((one) => toHit(index, admitted, one, { filter, marks, steps })),
      total: keyOf || least > 0 ? kept.length : admitted.positions.length,
      isDegraded: isLate(),
      matching: () =>
        keyOf || least > 0 ? kept.map((one) => admitted.documents[one.at]!) : admitted.documents,
    };
  });
}

/** No words: every document that passes, by the orders among the rules, else as they came. */
function listAll(
  index: OpenedIndex,
  parsed: ParsedQuery,
  filter: DocumentSet | null,
  steps: readonly RankingStep[],
  keyOf: ((id: number) => string | null) | null,
): Pick<Found, "hits" | "total" | "isDegraded" | "matching"> {
  const ids: number[] = [];
  const excluded = parsed.excluded.map((words) => sequenceOf(index, words));
  for (let unit = 0; unit < index.unitCount; unit++) {
    if (firstDocument(index, unit, filter) < 0 || isExcluded(index, unit, excluded)) continue;
    for (let at = index.unitDocumentStarts[unit]!; at < index.unitDocumentStarts[unit + 1]!; at++) {
      const id = index.unitDocuments[at]!;
      if (!filter || filter[id] === 1) ids.push(id);
    }
  }
  const orders = steps.flatMap((step) => (step.kind === "order" ? [step.order] : []));
  ids.sort((a, b) => {
    for (const { compare } of orders) {
      const order = compare(a, b);
      if (order !== 0) return order;
    }
    return a - b;
  });
  const kept = dropRepeats(ids, (id) => id, keyOf);
  const hits = kept.map((document): FoundHit => ({ document, score: 1, explain: () => ({}) }));
  return { hits, total: kept.length, isDegraded: false, matching: () => kept };
}

function dropRepeats<T>(
  items: T[],
  idOf: (item: T) => number,
  keyOf: ((id: number) => string | null) | null,
): T[] {
  if (!keyOf) return items;
  const seen = new Set<string>();
  return items.filter((item) => {
    const key = keyOf(idOf(item));
    if (key === null) return true;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

interface HitContext {
  filter: DocumentSet | null;
  marks: TermMarks;
  steps: readonly RankingStep[];
}

function toHit(index: OpenedIndex, admitted: Admitted, ranked: Ranked, context: HitContext): FoundHit {
  const { candidates, positions, documents } = admitted;
  const unit = candidates.units[positions[ranked.at]!]!;
  const first = documents[ranked.at]!;
  if (!index.settings.hierarchy) return { document: first, score: ranked.score, explain: explain(first) };
  const blocks = ranked.match?.blocks ?? scanUnit(index, unit, context.marks, candidates.limits);
  const document = chooseDocument(index, unit, blocks, candidates.rarities, context.filter);
  return { document, score: ranked.score, explain: explain(document) };

  function explain(id: number) {
    return () => explainMatch(index, id, ranked.match, context.steps);
  }
}

function deadline(query: SearchQuery, milliseconds: number): () => boolean {
  const now = query.now ?? Date.now;
  const end = now() + milliseconds;
  return () => now() > end;
}
