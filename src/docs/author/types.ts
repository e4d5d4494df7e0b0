import type { SearchRecord } from "../records/types.ts";
import type { ContentProblem } from "../content/types.ts";

/** The report for an author who is writing a page. */
export interface PageReport {
  path: string;
  title: string;
  /** Relative to the repository root. */
  file: string;
  isDraft: boolean;
  /** Problems of this page, errors first. With an error, the rest of the report is about the last version without errors. */
  problems: ContentProblem[];
  /** The number of problems in other files. */
  elsewhere: number;
  questions: PageQuestion[];
  /** Problems of the questions' files. */
  questionProblems: ContentProblem[];
  records: PageRecord[];
  /** The number of all records; `records` has the first ones. */
  recordCount: number;
}

export interface PageQuestion {
  query: string;
  /** The question's file. */
  file: string;
  within: number;
  /** The place of this page, or of its wanted section, from 1; 0 if it is not found. */
  place: number;
  /** Another page that answers the question and ranks higher; null if there is none. */
  other: string | null;
  /** Whether this or another page answers early enough, which the tests check. */
  isAnswered: boolean;
}

export interface PageRecord extends Pick<SearchRecord, "type" | "anchor" | "position"> {
  /** The parts of "Page › Section", from the page down. */
  hierarchy: string[];
  /** Shortened; null for headings. */
  content: string | null;
}

/** The pages found for words that an author tries. */
export interface QueryReport {
  query: string;
  /** The page's place, from 1; 0 if it is not found. */
  place: number;
  pages: { address: string; title: string }[];
}
