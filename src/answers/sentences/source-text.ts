/** A passage, prepared for comparing sentences with it. */
import { contentStems, isNegated, numbersOf, wordsOf } from "./words.ts";

/** A sentence or a line of a passage. */
export interface Unit {
  stems: ReadonlySet<string>;
  numbers: readonly string[];
  clauses: readonly Clause[];
}

/** A part of a sentence, with a negation of its own: "it reads the files; no one is cut off". */
export interface Clause {
  stems: ReadonlySet<string>;
  isNegated: boolean;
}

export interface SourceText {
  /** In one line, without marks of Markdown: for identifiers and code, which must occur exactly. */
  exact: string;
  /** In lower case: for names. */
  words: ReadonlySet<string>;
  /** From the headings above it, which every unit is about. */
  headingStems: ReadonlySet<string>;
  units: readonly Unit[];
}

/** @param headings titles of the page and the section */
export function prepareSource(headings: string, text: string): SourceText {
  const lines = `${headings}\n${text}`.replaceAll(/\\\n\s*/g, "");
  const plain = lines.replaceAll(/`|\*\*/g, "");
  return {
    exact: plain.replaceAll(/\s+/g, " "),
    words: new Set(wordsOf(plain).map((word) => word.toLowerCase())),
    headingStems: contentStems(headings),
    units: plain
      .split(/\n+|(?<=[.!?])\s+/)
      .filter((unit) => /[\p{L}\p{N}]/u.test(unit))
      .map((unit) => ({
        stems: contentStems(unit),
        numbers: numbersOf(unit),
        clauses: unit
          .split(/[,;:()|]|\s–\s/)
          .map((clause) => ({ stems: contentStems(clause), isNegated: isNegated(clause) })),
      })),
  };
}

/** Whether it has exactly this text, not as a part of a longer word, flag, path or number. */
export function hasExactly({ exact }: Pick<SourceText, "exact">, wanted: string): boolean {
  const isPart = (letter: string) => /[\p{L}\p{N}_-]/u.test(letter);
  for (let at = exact.indexOf(wanted); at >= 0; at = exact.indexOf(wanted, at + 1)) {
    const [before = "", after = "", next = ""] = [
      exact.slice(Math.max(0, at - 1), at),
      exact.charAt(at + wanted.length),
      exact.charAt(at + wanted.length + 1),
    ];
    const continues = isPart(after) || (/[./]/.test(after) && /[\p{L}\p{N}]/u.test(next));
    if (!isPart(before) && !continues) return true;
  }
  return false;
}
