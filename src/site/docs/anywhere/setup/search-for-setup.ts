/**
 * A search for a reader with a setup: what is for them counts a little more. In Meilisearch's own terms, so that every
 * server of that protocol can answer it: each query is sent a second time, with a filter, and the two lists of hits
 * become one.
 *
 *   {q: "cache in ci"}                                →  hits for everybody, with their scores
 *   {q: "cache in ci", filter: 'for IN ["gitlab-ci"]'} →  those for this reader, with scores × WEIGHT
 *   merged by score; a section comes once, at its first place; nothing is left out
 */
import type {
  DocsHit,
  SearchAnswer,
  SearchAnswers,
  SearchBody,
  SearchQueryBody,
} from "../../search/protocol.ts";
import type { Setup } from "./setup.ts";

/** Decision 039 has the figures for other weights. */
const WEIGHT = 1.1;

interface ScoredQuery extends SearchQueryBody {
  showRankingScore?: true;
}

type ScoredHit = DocsHit & { _rankingScore?: number };

/** @param send asks the search server. @throws what it throws */
export async function searchForSetup(
  send: (body: SearchBody) => Promise<SearchAnswers>,
  body: SearchBody,
  setup: Setup,
): Promise<SearchAnswers> {
  const ranked = body.queries.map((query) => (setup.size > 0 ? isRanked(query) : false));
  const firsts = body.queries.map((query, at) => (ranked[at] ? wholeList(query) : query));
  const twins = firsts.filter((_, at) => ranked[at]).map((query) => twinOf(query, setup));
  const { results } = await send({ queries: [...firsts, ...twins] });
  let next = firsts.length;
  return {
    results: body.queries.map((query, at) => {
      // The server answers every query, in their order.
      const answer = results[at]!;
      return ranked[at] ? merge(query, answer, results[next++]!) : answer;
    }),
  };
}

/** A list that is not ordered by relevance, or has no hits, stays as it is. */
function isRanked({ q = "", limit = 0, sort }: SearchQueryBody): boolean {
  return q.trim() !== "" && limit > 0 && !sort;
}

/** From the first hit on: what is on a page depends on what has moved to the pages before it. */
function wholeList({ offset = 0, limit = 0, ...query }: SearchQueryBody): ScoredQuery {
  return { ...query, offset: 0, limit: offset + limit, showRankingScore: true };
}

function twinOf(query: ScoredQuery, setup: Setup): ScoredQuery {
  const own = `for IN [${[...setup.values()].map((id) => JSON.stringify(id)).join(", ")}]`;
  const others = query.filter === undefined ? [] : [query.filter].flat();
  return { ...query, facets: undefined, filter: [...others, own] };
}

function merge(query: SearchQueryBody, all: SearchAnswer, own: SearchAnswer): SearchAnswer {
  const { offset = 0, limit = 0 } = query;
  const ids = new Set(own.hits.map(({ objectID }) => objectID));
  const places = new Set(own.hits.map(({ url }) => url));
  // One hit stands for a section; where another server lists its paragraphs one by one, all of them stay.
  const isRepeat = ({ objectID, url }: DocsHit) =>
    ids.has(objectID) || (places.has(url) && all.hits.filter((hit) => hit.url === url).length === 1);
  const scored = [
    ...own.hits.map((hit) => ({ hit, score: scoreOf(hit) * WEIGHT })),
    ...all.hits.filter((hit) => !isRepeat(hit)).map((hit) => ({ hit, score: scoreOf(hit) })),
  ];
  // Sorting keeps the order of equal scores.
  const hits = scored.sort((a, b) => b.score - a.score).map(({ hit }) => hit);
  return { ...all, offset, limit, hits: hits.slice(offset, offset + limit) };
}

const scoreOf = (hit: ScoredHit) => hit._rankingScore ?? 0;
