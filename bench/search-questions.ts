/**
 * How many questions find their page, first and among the first three, in the documentation's search.
 *
 *   npm run node bench/search-questions.ts                        the table
 *   npm run node bench/search-questions.ts -- --missed            also the missed questions, but never held-out ones
 *   npm run node bench/search-questions.ts -- --more other.json   also questions from a file: [{ "q": "…", "pages": ["/docs/…"] }]
 *   npm run node bench/search-questions.ts -- --against ../main   also another checkout, and the ratio of the CPU times
 */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import * as z from "zod";
import { pathOf, placeOf } from "#docs/author/find-pages.ts";
import {
  readHeldOutQuestions,
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
  /** Held-out questions are never shown, so that no one tunes to them. */
  canShow: boolean;
}

/** Rounds over all questions for the CPU time; the median counts. */
const ROUNDS = 15;

const { values: options } = parseArgs({
  options: {
    missed: { type: "boolean", default: false },
    more: { type: "string" },
    against: { type: "string" },
  },
});

const sets: QuestionSet[] = [
  { name: "held out", questions: readHeldOutQuestions(root).questions, canShow: false },
  { name: "house", questions: readWholeQuestions(root).questions, canShow: true },
  ...(options.more === undefined ? [] : [{ name: "more", questions: readMore(options.more), canShow: true }]),
  { name: "suite", questions: readRankedQuestions(root).questions, canShow: true },
];

const { findPages } = await openDocsSearch();
printTable("this checkout", findPages);
if (options.against !== undefined) {
  const other = await openOther(options.against);
  printTable(options.against, other);
  printTimes(findPages, other);
}
if (options.missed) printMissed();

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

/** Rounds alternate, so that both searches meet the same machine. */
function printTimes(find: FindPages, other: FindPages): void {
  const queries = sets.flatMap(({ questions }) => questions.map(({ query }) => query));
  const times: [number[], number[]] = [[], []];
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [at, one] of [find, other].entries()) {
      const before = process.cpuUsage();
      for (const query of queries) one(query);
      const { user, system } = process.cpuUsage(before);
      // The first round warms up.
      if (round > 0) times[at]!.push((user + system) / 1000 / queries.length);
    }
  }
  const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
  const [mine, theirs] = times.map(median) as [number, number];
  console.log(
    `\nCPU time of a search, with twenty hits: ${mine.toFixed(3)} ms, ${options.against}: ${theirs.toFixed(3)} ms, ratio ${(mine / theirs).toFixed(2)}`,
  );
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
