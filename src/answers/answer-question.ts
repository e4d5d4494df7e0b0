/**
 * One answer: passages, the model's text, and of it the sentences that the passages support.
 *
 *     question ─► findPassages ─► writePrompt ─► model ─► sentences ─► checkSentence ─► said, with sources
 *                      └─ none ──────────────────────────────────────────────────────► unknown
 */
import { MAX_ANSWER_LENGTH, MAX_NEAREST, MAX_SENTENCES } from "./contract/limits.ts";
import type { Model } from "./model/model.ts";
import type { Passage } from "./passages/find-passages.ts";
import { writePrompt } from "./prompt.ts";
import { checkSentence, type Unsaid } from "./sentences/check-sentence.ts";
import { prepareSource } from "./sentences/source-text.ts";
import { createSentenceSplitter } from "./sentences/split-sentences.ts";

export interface Source {
  /** In the order in which the answer cites them, from 1. */
  number: number;
  title: string;
  section: string;
  url: string;
}

/** An event of the stream, by its name. */
export type AnswerEvent =
  | { event: "sentence"; data: { text: string; sources: Source[] } }
  /** Nothing was said: the nearest pages instead. */
  | { event: "unknown"; data: { pages: Omit<Source, "number">[] } }
  /** The end of an answer. `unsaid`: sentences without support, which were left out. */
  | { event: "done"; data: { unsaid: number } }
  | { event: "error"; data: { message: string } };

/** For the room's figures. */
export interface AnswerCount {
  unsaid: (why: Unsaid) => void;
  tokens: (used: { input: number; output: number }) => void;
}

export interface AnswerOptions {
  siteName: string;
  model: Model;
  passages: readonly Passage[];
  isOrdinary: (word: string) => boolean;
  count: AnswerCount;
  signal: AbortSignal;
}

/** @throws ModelError after the sentences that were said; or the signal's reason */
export async function* answerQuestion(question: string, options: AnswerOptions): AsyncGenerator<AnswerEvent> {
  const { passages, isOrdinary, count } = options;
  const sources = passages.map(({ title, section, text }) => prepareSource(`${title}\n${section}`, text));
  const numbers = new Map<number, number>();
  const said = new Set<string>();
  let unsaid = 0;
  if (passages.length > 0)
    for await (const sentence of readSentences(question, options)) {
      const checked = checkSentence(sentence, sources, isOrdinary);
      if (checked.unsaid !== null) {
        unsaid++;
        count.unsaid(checked.unsaid);
        continue;
      }
      const { text, citations } = checked;
      if (said.has(text)) continue;
      said.add(text);
      for (const each of citations) if (!numbers.has(each)) numbers.set(each, numbers.size + 1);
      yield {
        event: "sentence",
        data: { text, sources: citations.map((each) => toSource(passages[each - 1]!, numbers.get(each)!)) },
      };
      if (said.size >= MAX_SENTENCES) break;
    }
  if (said.size === 0) yield { event: "unknown", data: { pages: nearest(passages) } };
  yield { event: "done", data: { unsaid } };
}

/** Ends when the text is longer than an answer. A sentence that the model did not finish is left out. */
async function* readSentences(
  question: string,
  { siteName, model, passages, count, signal }: AnswerOptions,
): AsyncGenerator<string> {
  const splitter = createSentenceSplitter();
  const used = { input: 0, output: 0 };
  let length = 0;
  try {
    for await (const part of model.write(writePrompt(siteName, question, passages), signal)) {
      if (part.kind === "tokens") {
        used.input = part.input ?? used.input;
        used.output = part.output ?? used.output;
      } else if (part.kind === "end") {
        if (!part.isCut) yield* splitter.end();
      } else {
        length += part.text.length;
        if (length > MAX_ANSWER_LENGTH) return;
        yield* splitter.push(part.text);
      }
    }
  } finally {
    count.tokens(used);
  }
}

const toSource = ({ title, section, url }: Passage, number: number): Source => ({
  number,
  title,
  section,
  url,
});

function nearest(passages: readonly Passage[]): Omit<Source, "number">[] {
  return passages.slice(0, MAX_NEAREST).map(({ title, section, url }) => ({ title, section, url }));
}
