/**
 * What a query means, read by someone else: the engine takes a function that knows words, and asks it which sections are near. Without
 * one, and in files, nothing of it is there.
 */

/** A word as it was typed, and the form of it that the index has, if that differs. */
export interface MeantWord {
  typed: string;
  found: string | null;
  /** The index has it, or a form of it. */
  isFound: boolean;
  /** The index has neither the word, nor an inflection, a completion, a synonym or a concept of it; words with similar letters at most. */
  isGuess: boolean;
  isStopWord: boolean;
}

export interface Near {
  /** The nearest sections, which are read even if they have no word of the query. */
  units: readonly number[];
  /** 0 to 1: how near a section is. */
  scoreOf: (unit: number) => number;
  /** 0 to 1: if no section's score is as high, with its nearness, the query is about something else and finds nothing. */
  leastScore: number;
}

/** null: the words say nothing. */
export type ReadMeaning = (words: readonly MeantWord[]) => Near | null;
