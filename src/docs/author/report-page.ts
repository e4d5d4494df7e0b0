import { MAX_QUERY_CHARACTERS, type OpenedIndex } from "#search/index.ts";
import { pathOfFile } from "../content/page/page-file.ts";
import type { ContentProblem, Page } from "../content/types.ts";
import type { SearchRecord } from "../records/types.ts";
import { INDEXED_ADDRESS } from "../address/site-address.ts";
import { findPages, pathOf, placeOf } from "./find-pages.ts";
import type { RelevanceQuestion, RelevanceQuestions } from "./relevance-questions.ts";
import type { PageQuestion, PageRecord, PageReport, QueryReport } from "./types.ts";

const MAX_PROBLEMS = 100;
const MAX_RECORDS = 500;
/** Each question costs a search. */
const MAX_QUESTIONS = 100;
const CONTENT_CHARACTERS = 140;

/** The content that is currently served. */
export interface AuthorState {
  pages: readonly Page[];
  /** Problems of all files, of any severity. */
  problems: readonly ContentProblem[];
  /** Records with the stand-in address. */
  records: readonly SearchRecord[];
  /** The index of these records. */
  index: OpenedIndex;
}

/** @returns undefined for a path that has neither a page nor a file that could become one */
export function reportPage(
  { pages, problems, records, index }: AuthorState,
  path: string,
  { questions, problems: questionProblems }: RelevanceQuestions,
): PageReport | undefined {
  const page = pages.find((one) => one.path === path);
  const own = problems.filter(({ file }) => pathOfFile(file) === path);
  // If a page's first version has a mistake, only its file exists.
  const file = page?.file ?? own[0]?.file;
  if (file === undefined) return undefined;
  const ownRecords = records.filter(({ url }) => pathOf(url) === INDEXED_ADDRESS.origin + path);
  return {
    path,
    title: page?.title ?? path,
    file,
    isDraft: page?.draft ?? false,
    problems: own.toSorted(bySeverity).slice(0, MAX_PROBLEMS),
    elsewhere: problems.length - own.length,
    questions: questions
      .filter(({ answers }) => answers.some((answer) => pathOf(answer) === path))
      .slice(0, MAX_QUESTIONS)
      .map((question) => ask(index, question, path)),
    questionProblems: questionProblems.slice(0, MAX_PROBLEMS),
    records: ownRecords.slice(0, MAX_RECORDS).map(recordRow),
    recordCount: ownRecords.length,
  };
}

/** The place of a page for words that an author tries. */
export function tryQuery({ pages, index }: AuthorState, path: string, words: string): QueryReport {
  const query = words.slice(0, MAX_QUERY_CHARACTERS);
  const came = findPages(index, query);
  const titles = new Map(pages.map((page) => [page.path, page.title]));
  return {
    query,
    place: placeOf(came, path),
    pages: came.map((address) => ({ address, title: titles.get(pathOf(address)) ?? address })),
  };
}

const bySeverity = (a: ContentProblem, b: ContentProblem) =>
  Number(b.severity === "error") - Number(a.severity === "error") || a.line - b.line;

function ask(
  index: OpenedIndex,
  { query, answers, within, file }: RelevanceQuestion,
  path: string,
): PageQuestion {
  const came = findPages(index, query);
  const bestOf = (wanted: readonly string[]) =>
    wanted
      .map((answer) => ({ answer, place: placeOf(came, answer) }))
      .filter(({ place }) => place > 0)
      .reduce<Placed | undefined>((best, one) => (best && best.place <= one.place ? best : one), undefined);
  const best = bestOf(answers);
  const place = bestOf(answers.filter((answer) => pathOf(answer) === path))?.place ?? 0;
  return {
    query,
    file,
    within,
    place,
    other: best && best.place !== place ? best.answer : null,
    isAnswered: best !== undefined && best.place <= within,
  };
}

interface Placed {
  answer: string;
  place: number;
}

function recordRow(record: SearchRecord): PageRecord {
  const { type, anchor, position, content } = record;
  const { hierarchy_lvl1, hierarchy_lvl2, hierarchy_lvl3, hierarchy_lvl4 } = record;
  const levels = [hierarchy_lvl1, hierarchy_lvl2, hierarchy_lvl3, hierarchy_lvl4];
  return {
    type,
    anchor,
    position,
    hierarchy: levels.filter((level) => level !== "null"),
    content: content === "null" ? null : shorten(content.replace(/\s+/g, " ")),
  };
}

const shorten = (text: string) =>
  text.length > CONTENT_CHARACTERS ? `${text.slice(0, CONTENT_CHARACTERS - 1).trimEnd()}…` : text;
