import { evaluateFilter } from "./filter/evaluate.ts";
import { countFacets } from "./facets.ts";
import { createDocumentFormatter, findMatchPositions, pickAttributes } from "./format/format-document.ts";
import { fold } from "./text/fold.ts";
import type { OpenedIndex } from "./open-index.ts";
import { parseQuery } from "./query/parse-query.ts";
import { withTermMarks } from "./query/term-marks.ts";
import { rankUnit } from "./rank.ts";
import { retrieve } from "./query/retrieve.ts";
import { createTextMatcher } from "./text-matcher.ts";
import type { Hit, SearchQuery, SearchResult } from "./types.ts";

export function search(index: OpenedIndex, query: SearchQuery): SearchResult {
  const { settings } = index;
  const parsed = parseQuery(query.q, {
    tokenize: index.tokenize,
    stopWords: new Set(settings.stopWords.map(fold)),
    isPrefixSearch: settings.prefixSearch !== "disabled",
  });
  const filter = evaluateFilter(index, query.filter);
  const passes = (id: number) => !filter || filter[id] === 1;
  const candidates = retrieve(index, parsed.words);
  const ids: number[] = [];
  const scores: number[] = [];
  if (parsed.words.length === 0) {
    for (let id = 0; id < index.documentCount; id++) if (passes(id)) ids.push(id);
  } else {
    const order = [...candidates.units.keys()].sort(
      (a, b) => candidates.scores[b]! - candidates.scores[a]! || candidates.units[a]! - candidates.units[b]!,
    );
    const head = order.slice(0, 100);
    withTermMarks(index, candidates, (marks) => {
      const ranked = head.map((at) => ({ at, score: rankUnit(index, candidates, at, marks).score }));
      ranked.sort((a, b) => b.score - a.score);
      ranked.forEach(({ at }, i) => (order[i] = at));
    });
    for (const at of order) {
      const unit = candidates.units[at]!;
      const from = index.unitDocumentStarts[unit]!;
      const documents = index.unitDocuments.subarray(from, index.unitDocumentStarts[unit + 1]!);
      const id = documents.find(passes);
      if (id === undefined) continue;
      ids.push(id);
      scores.push(
        candidates.scores[at]! / (candidates.rarities.reduce((sum, rarity) => sum + rarity, 0) || 1),
      );
    }
  }
  const isPaged = query.page !== undefined || query.hitsPerPage !== undefined;
  const limit = isPaged ? (query.hitsPerPage ?? 20) : (query.limit ?? 20);
  const offset = isPaged ? ((query.page ?? 1) - 1) * limit : (query.offset ?? 0);
  const matcher = createTextMatcher(index, parsed, candidates.words);
  const displayed = settings.displayedAttributes;
  const retrieveNames = query.retrieve ?? ["*"];
  const format = createDocumentFormatter(
    {
      displayed,
      retrieve: retrieveNames,
      ...(query.highlight && { highlight: query.highlight }),
      ...(query.crop && { crop: query.crop }),
    },
    matcher,
  );
  const hits = ids.slice(offset, offset + limit).map((id, at): Hit => {
    const document = index.document(id);
    const hit: Hit = { id, document: pickAttributes(pickAttributes(document, displayed), retrieveNames) };
    if (query.highlight || query.crop) hit.formatted = format(document);
    if (query.showMatchesPosition) hit.matches = findMatchPositions(document, displayed, matcher);
    if (query.showScore) hit.score = scores[offset + at] ?? 1;
    return hit;
  });
  return {
    hits,
    total: ids.length,
    isTotalExact: true,
    ...(query.facets && countFacets(index, ids, query.facets)),
    isDegraded: false,
  };
}

/** The documents that match, in order of rank, without their contents. */
export function findMatching(index: OpenedIndex, query: SearchQuery): number[] {
  const all = { ...query, offset: 0, limit: index.documentCount, retrieve: [] };
  return search(index, all).hits.map((hit) => hit.id);
}
