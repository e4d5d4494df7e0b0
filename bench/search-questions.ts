/**
 * How many questions find their page, first and among the first three, in the documentation's search.
 *
 *   npm run node bench/search-questions.ts                        the table
 *   npm run node bench/search-questions.ts -- --missed            also the missed questions, but never held-out and fresh ones
 *   npm run node bench/search-questions.ts -- --more other.json   also questions from a file: [{ "q": "…", "pages": ["/docs/…"] }]
 *   npm run node bench/search-questions.ts -- --words             also the same search by words alone, and the ratio of the CPU times
 *   npm run node bench/search-questions.ts -- --against ../main   the same with another checkout
 */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import * as z from "zod";
import { pathOf, placeOf } from "#docs/author/find-pages.ts";
import {
  readFreshQuestions,
  readHeldOutQuestions,
  readOperatorQuestions,
  readRankedQuestions,
  readWholeQuestions,
  type RelevanceQuestion,
} from "#docs/author/relevance-questions.ts";
import { root } from "#server/pages/build-folders.ts";
import { openDocsSearch } from "../tests/relevance/docs-search.ts";

type FindPages = (query: string) => string[];
type Question = Pick<RelevanceQuestion, "query" | "answers" | "within">;

interface QuestionSet {
  name: string;
  questions: readonly Question[];
  /** Held-out and fresh questions are never shown, so that no one tunes to them. */
  canShow: boolean;
}

/** Rounds over all questions for the CPU time; the median counts. */
const ROUNDS = 15;

const { values: options } = parseArgs({
  options: {
    missed: { type: "boolean", default: false },
    more: { type: "string" },
    words: { type: "boolean", default: false },
    against: { type: "string" },
  },
});

const sets: QuestionSet[] = [
  { name: "fresh", questions: readFreshQuestions(root).questions, canShow: false },
  { name: "held out", questions: readHeldOutQuestions(root).questions, canShow: false },
  { name: "operators", questions: readOperatorQuestions(root).questions, canShow: true },
  { name: "house", questions: readWholeQuestions(root).questions, canShow: true },
  ...(options.more === undefined ? [] : [{ name: "more", questions: readMore(options.more), canShow: true }]),
  { name: "suite", questions: readRankedQuestions(root).questions, canShow: true },
];

const { findPages, findByWords } = await openDocsSearch();
printTable("this checkout", findPages);
if (options.words) compareWith("by words", findByWords);
if (options.against !== undefined) compareWith(options.against, await openOther(options.against));
if (options.missed) printMissed();

function compareWith(name: string, other: FindPages): void {
  printTable(name, other);
  printTimes(name, other);
}

/** The same records and settings as the other checkout makes of its own content. */
async function openOther(checkout: string): Promise<FindPages> {
  const file = pathToFileURL(resolve(checkout, "tests/relevance/docs-search.ts")).href;
  // The same module as the one imported above, of another checkout.
  const module = (await import(file)) as { openDocsSearch: typeof openDocsSearch };
  return (await module.openDocsSearch()).findPages;
}

function readMore(file: string): Question[] {
  const schema = z.array(z.object({ q: z.string(), pages: z.array(z.string()) }));
  return schema
    .parse(JSON.parse(readFileSync(file, "utf8")))
    .map(({ q, pages }) => ({ query: q, answers: pages, within: 3 }));
}

/** The best place, from 1, of any page that answers; Infinity if none is found. */
function bestPlace(find: FindPages, { query, answers }: Question): number {
  const found = find(query);
  return Math.min(...answers.map((answer) => placeOf(found, answer) || Infinity));
}

function printTable(name: string, find: FindPages): void {
  console.log(`\n| ${name} | questions | first | first three | within its place | MRR |`);
  console.log("| --- | ---: | ---: | ---: | ---: | ---: |");
  for (const { name: set, questions } of sets) {
    const asked = questions.map((question) => ({
      place: bestPlace(find, question),
      within: question.within,
    }));
    const share = (isFound: (one: (typeof asked)[number]) => boolean) =>
      `${((100 * asked.filter(isFound).length) / asked.length).toFixed(1)} %`;
    const mrr = asked.reduce((sum, { place }) => sum + 1 / place, 0) / asked.length;
    const cells = [
      share(({ place }) => place === 1),
      share(({ place }) => place <= 3),
      share(({ place, within }) => place <= within),
      mrr.toFixed(3),
    ];
    console.log(`| ${set} | ${asked.length} | ${cells.join(" | ")} |`);
  }
}

/** Rounds alternate, so that both searches meet the same machine, and each is compared with its neighbour. */
function printTimes(name: string, other: FindPages): void {
  const queries = sets.flatMap(({ questions }) => questions.map(({ query }) => query));
  const timeOf = (find: FindPages) => {
    const before = process.cpuUsage();
    for (const query of queries) find(query);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000 / queries.length;
  };
  const pairs = Array.from({ length: ROUNDS + 1 }, () => ({
    mine: timeOf(findPages),
    theirs: timeOf(other),
  }));
  // The first round warms up.
  const measured = pairs.slice(1);
  const median = (of: (pair: (typeof pairs)[number]) => number, digits = 3) => {
    const values = measured.map(of).sort((a, b) => a - b);
    return values[Math.floor(ROUNDS / 2)]!.toFixed(digits);
  };
  const times = `${median(({ mine }) => mine)} ms, ${name}: ${median(({ theirs }) => theirs)} ms`;
  const differences = `difference ${median(({ mine, theirs }) => mine - theirs)} ms, ratio ${median(({ mine, theirs }) => mine / theirs, 2)}`;
  console.log(`\nCPU time of a search, with twenty hits: ${times}; of the pairs: ${differences}`);
}

function printMissed(): void {
  for (const { name, questions, canShow } of sets) {
    if (!canShow) continue;
    console.log(`\nMissed of "${name}":`);
    for (const question of questions) {
      if (bestPlace(findPages, question) <= question.within) continue;
      const found = findPages(question.query).slice(0, 4).map(pathOf);
      console.log(
        `- ${question.query} → ${found.join(", ") || "nothing"}; wanted ${question.answers.join(", ")}`,
      );
    }
  }
}
