import type { SearchRecord } from "../records/types.ts";
import type { ContentProblem } from "../content/types.ts";

/** What an author is shown about a page while it is written. */
export interface PageReport {
  path: string;
  title: string;
  /** Relative to the repository root. */
  file: string;
  isDraft: boolean;
  /** Of this page, errors first. With an error, what else is shown is of the last version without one. */
  problems: ContentProblem[];
  /** How many problems there are in other files. */
  elsewhere: number;
  questions: PageQuestion[];
  /** Of the files that the questions stand in. */
  questionProblems: ContentProblem[];
  records: PageRecord[];
  /** `records` are the first of so many. */
  recordCount: number;
}

export interface PageQuestion {
  query: string;
  /** Where the question stands. */
  file: string;
  within: number;
  /** The place of this page, or of its section that is wanted, from 1; 0 if it does not come. */
  place: number;
  /** Another page that answers the question and comes before; null if there is none. */
  other: string | null;
  /** Whether an answer, of this page or another, came in time: what the tests look at. */
  isAnswered: boolean;
}

export interface PageRecord extends Pick<SearchRecord, "type" | "anchor" | "position"> {
  /** "Page › Section", from the page down. */
  hierarchy: string[];
  /** Shortened; null on the records of headings. */
  content: string | null;
}

/** What comes for words that an author tries. */
export interface QueryReport {
  query: string;
  /** Of the page, from 1; 0 if it does not come. */
  place: number;
  pages: { address: string; title: string }[];
}
