/**
 * The questions of `tests/relevance/`: queries of readers, and the pages that must be found. Two kinds of files:
 *
 *   cache.yaml             page → `first`, `top3` or `top5` → questions about this page or section
 *   questions/cache.yaml   whole question → every page that answers it; one of them must be among the first three
 *
 * `questions/held-out/` and `questions/fresh-<date>/` have questions of the second kind that only measure: authors never see them.
 * Those of `questions/operators/` have a share of their own, because the search was not tuned to them when they were written.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { readYaml } from "../content/read-yaml.ts";
import type { ContentProblem } from "../content/types.ts";

const RANKED_FOLDER = "tests/relevance";
const WHOLE_FOLDER = "tests/relevance/questions";
const HELD_OUT_FOLDER = "tests/relevance/questions/held-out";
const FRESH_FOLDER = "tests/relevance/questions/fresh-2026-11-29";
const OPERATORS_FOLDER = "tests/relevance/questions/operators";

const RANKS = { first: 1, top3: 3, top5: 5 } as const;
/** The number of found pages that a reader in doubt looks at. */
const WHOLE_RANK = 3;

const address = z.string().startsWith("/docs");
const question = z.union([z.string(), z.strictObject({ query: z.string(), note: z.string() })]);
const questions = z.array(question).optional();
const rankedSchema = z.record(
  address,
  z.strictObject({ first: questions, top3: questions, top5: questions }),
);
const wholeSchema = z.record(z.string(), z.array(address).min(1));

export interface RelevanceQuestion {
  query: string;
  /** `/docs/…`, with `#anchor` if the section matters. Each of them answers the question. */
  answers: string[];
  /** The last place, from 1, that an answer may have among the found pages. */
  within: number;
  /** Relative to the repository root. */
  file: string;
}

export interface RelevanceQuestions {
  questions: RelevanceQuestion[];
  /** Problems of unreadable files, whose questions are missing. */
  problems: ContentProblem[];
}

/** The questions about one page or section each. */
export function readRankedQuestions(root: string): RelevanceQuestions {
  return readFiles(root, RANKED_FOLDER, rankedSchema, (byPage) =>
    Object.entries(byPage).flatMap(([wanted, byRank]) =>
      (["first", "top3", "top5"] as const).flatMap((rank) =>
        (byRank[rank] ?? []).map((one) => ({
          query: typeof one === "string" ? one : one.query,
          answers: [wanted],
          within: RANKS[rank],
        })),
      ),
    ),
  );
}

/** The questions of readers in doubt, which several pages may answer. */
export function readWholeQuestions(root: string): RelevanceQuestions {
  return readFiles(root, WHOLE_FOLDER, wholeSchema, wholeQuestionsOf);
}

/** Whole questions that nothing is ever tuned to. */
export function readHeldOutQuestions(root: string): RelevanceQuestions {
  return readFiles(root, HELD_OUT_FOLDER, wholeSchema, wholeQuestionsOf);
}

/** The same, written after the held-out ones had been measured several times. */
export function readFreshQuestions(root: string): RelevanceQuestions {
  return readFiles(root, FRESH_FOLDER, wholeSchema, wholeQuestionsOf);
}

/** Whole questions of operators, written before the search was asked any of them. Their misses may be read. */
export function readOperatorQuestions(root: string): RelevanceQuestions {
  return readFiles(root, OPERATORS_FOLDER, wholeSchema, wholeQuestionsOf);
}

function wholeQuestionsOf(byQuery: z.infer<typeof wholeSchema>): Omit<RelevanceQuestion, "file">[] {
  return Object.entries(byQuery).map(([query, answers]) => ({ query, answers, within: WHOLE_RANK }));
}

function readFiles<Shape extends z.ZodType>(
  root: string,
  folder: string,
  schema: Shape,
  questionsOf: (data: z.infer<Shape>) => Omit<RelevanceQuestion, "file">[],
): RelevanceQuestions {
  const read = readdirSync(join(root, folder))
    .filter((name) => name.endsWith(".yaml"))
    .sort()
    .map((name) => {
      const file = `${folder}/${name}`;
      const source = readFileSync(join(root, file), "utf8");
      const { data, problems } = readYaml(file, source, schema, { rule: "relevance" });
      const found = data === undefined ? [] : questionsOf(data);
      return { questions: found.map((one) => ({ ...one, file })), problems };
    });
  return {
    questions: read.flatMap((one) => one.questions),
    problems: read.flatMap(({ problems }) => problems),
  };
}
