/**
 * A search for a reader with a setup: records for that setup count a little more. It uses plain Meilisearch queries, so that
 * every server of that protocol can answer them: each query is sent a second time, with a filter, and the two lists of hits
 * are merged.
 *
 *   {q: "cache in ci"}                                →  hits for everyone, with their scores
 *   {q: "cache in ci", filter: 'for IN ["gitlab-ci"]'} →  hits for this reader, with their scores of the first × WEIGHT
 *   merged by score; each section is listed once, at its first place; nothing is left out
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

/** @param send asks the search server. @throws its errors */
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
      // The server answers every query, in order.
      const answer = results[at]!;
      return ranked[at] ? merge(query, answer, results[next++]!) : answer;
    }),
  };
}

/** Whether a list has hits ordered by relevance; other lists do not change. */
function isRanked({ q = "", limit = 0, sort }: SearchQueryBody): boolean {
  return q.trim() !== "" && limit > 0 && !sort;
}

/** Starts at the first hit: the hits of a page depend on hits that moved to earlier pages. */
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
  // One hit stands for a section; if a server lists its paragraphs separately, all of them stay.
  const isRepeat = ({ objectID, url }: DocsHit) =>
    ids.has(objectID) || (places.has(url) && all.hits.filter((hit) => hit.url === url).length === 1);
  // A page's score also says what its other sections have; in the second list these are only some.
  const whole = new Map(
    all.hits
      .toReversed()
      .flatMap((hit) => [hit.url, hit.objectID].map((key) => [key, scoreOf(hit)] as const)),
  );
  const wholeScore = (hit: ScoredHit) => whole.get(hit.objectID) ?? whole.get(hit.url) ?? scoreOf(hit);
  const scored = [
    ...own.hits.map((hit) => ({ hit, score: wholeScore(hit) * WEIGHT })),
    ...all.hits.filter((hit) => !isRepeat(hit)).map((hit) => ({ hit, score: scoreOf(hit) })),
  ];
  // Sorting keeps the order of equal scores.
  const hits = scored.sort((a, b) => b.score - a.score).map(({ hit }) => hit);
  return { ...all, offset, limit, hits: hits.slice(offset, offset + limit) };
}

const scoreOf = (hit: ScoredHit) => hit._rankingScore ?? 0;
