/**
 * Cuts a model's text into sentences while it arrives. Each character is looked at once, so the sentences do not depend on how
 * the text was cut into chunks:
 *
 *     "Run `a. b` first [1]. Then"  + " stop [2]."   →   "Run `a. b` first [1]."   "Then stop [2]."
 *
 * A sentence ends at a line break, and at `.`, `!` or `?` with white space behind it, unless a small letter continues it.
 * Citations behind the mark belong to the sentence before them. The thoughts of a reasoning model (`<think>…</think>`) are
 * left out.
 */
import { MAX_SENTENCE_LENGTH } from "../contract/limits.ts";

export interface SentenceSplitter {
  /** @returns the sentences that this text completes */
  push: (text: string) => string[];
  /** @returns the last sentence, of a text that is complete */
  end: () => string[];
}

/** UTF-16 units at the end of a text that decide whether a sentence ends. */
const END_LENGTH = 100;
const THINK = "<think>";
const END_OF_THINK = "</think>";
const ABBREVIATION = /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|approx|no|incl|min|max|resp)\.$/i;
/** A citation whose end has not arrived. */
const OPEN_CITATION = /\[[\d,\s]*$/;
const CITATIONS = /(?:\s*\[[\d,\s]*\][.!?]*)*\s*$/;
/** The end of a sentence, with its citations and the space behind them. */
const ENDED = /[.!?]["”’')*]*(?:\s*\[[\d,\s]*\][.!?]*)*\s+$|[.!?]["”’')*]*\s*(?:\s*\[[\d,\s]*\][.!?]*)+$/;

export function createSentenceSplitter(): SentenceSplitter {
  let sentence = "";
  let isInCode = false;
  let isTooLong = false;
  let isThinking = false;
  let tail = "";

  function take(done: string[]): void {
    // A sentence that is too long counts as a sentence, so that it is known to be left out.
    const text = sentence.trim();
    if (text !== "") done.push(isTooLong ? "" : text);
    sentence = "";
    isInCode = false;
    isTooLong = false;
  }

  function add(letter: string): void {
    isTooLong ||= sentence.length >= MAX_SENTENCE_LENGTH;
    // Only the end matters in a sentence that is too long.
    if (sentence.length >= MAX_SENTENCE_LENGTH + END_LENGTH) sentence = sentence.slice(-END_LENGTH);
    sentence += letter;
  }

  function see(letter: string, done: string[]): void {
    if (isThinking) {
      tail = (tail + letter).slice(-END_OF_THINK.length);
      if (tail === END_OF_THINK) isThinking = false;
      return;
    }
    if (letter === "\n" || letter === "\r") return take(done);
    if (!isInCode && startsSentence(sentence, letter)) take(done);
    if (letter === "`") isInCode = !isInCode;
    add(letter);
    if (letter !== ">" || sentence.trimStart() !== THINK) return;
    sentence = "";
    isThinking = true;
    tail = "";
  }

  return {
    push(text) {
      const done: string[] = [];
      for (const letter of text.replaceAll("\0", "")) see(letter, done);
      return done;
    },
    end() {
      const done: string[] = [];
      take(done);
      return done;
    },
  };
}

/** Whether a new sentence begins with this letter, after the text so far. */
function startsSentence(text: string, letter: string): boolean {
  if (/[\s[\]\d,]/.test(letter) && (letter === "[" || /\s/.test(letter) || OPEN_CITATION.test(text)))
    return false;
  const last = text.at(-1);
  // Most letters follow a letter: nothing to look for.
  if (last === undefined || !/[\s\]]|[.!?]/.test(last)) return false;
  if (/[.!?"”’')*]/.test(letter) || !ENDED.test(text)) return false;
  const isCited = text.replace(/[.!?\s]+$/, "").endsWith("]");
  if (isCited) return true;
  return !/\p{Ll}/u.test(letter) && !ABBREVIATION.test(text.replace(CITATIONS, ""));
}
