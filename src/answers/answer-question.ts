/**
 * One answer: passages, the model's text, and of it the sentences that the passages support.
 *
 *     question ─► findPassages ─► writePrompt ─► model ─► sentences ─► checkSentence ─► said, with sources
 *                      └─ none ──────────────────────────────────────────────────────► unknown
 */
import { MAX_ANSWER_LENGTH, MAX_NEAREST, MAX_SENTENCES, TOKEN_LENGTH } from "./contract/limits.ts";
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
  const prompt = writePrompt(siteName, question, passages);
  const reported: { input?: number; output?: number } = {};
  let length = 0;
  let [hasBegun, hasEnded] = [false, false];
  try {
    for await (const part of model.write(prompt, signal)) {
      hasBegun = true;
      if (part.kind === "tokens") {
        reported.input = part.input ?? reported.input;
        reported.output = part.output ?? reported.output;
      } else if (part.kind === "end") {
        hasEnded = true;
        if (!part.isCut) yield* splitter.end();
      } else {
        length += part.text.length;
        if (length > MAX_ANSWER_LENGTH) return;
        yield* splitter.push(part.text);
      }
    }
  } finally {
    // A server may work on the prompt of a reader who has left; one that refused it has not.
    if (hasBegun || signal.aborted) {
      const written = Math.ceil(length / TOKEN_LENGTH);
      count.tokens({
        input: reported.input ?? Math.ceil((prompt.system.length + prompt.user.length) / TOKEN_LENGTH),
        // Before the end, a report is not final.
        output: hasEnded ? (reported.output ?? written) : Math.max(reported.output ?? 0, written),
      });
    }
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
