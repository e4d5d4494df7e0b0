/**
 * Answers to the recorded questions, through the real protocols and checks; the model's server replays its recorded stream.
 *
 * 1. Exactly the sentences that the recording names as supported are said, each with the source that it cites.
 * 2. Where none is supported, the answer is unknown: wrong facts, made-up commands and instructions in a question are never said.
 * 3. Both protocols are recorded, and the set has at least 25 questions.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type AnswerEvent, answerQuestion } from "./answer-question.ts";
import { connectModel } from "./model/connect-model.ts";
import { createVocabulary } from "./passages/vocabulary.ts";
import { parseSentence } from "./sentences/parse-sentence.ts";
import { type FakeModel, openFakeModel, sendStream } from "./testing/fake-model.ts";
import type { Recording } from "./testing/recording.ts";

const folder = join(import.meta.dirname, "testing/recordings");
const recordings = readdirSync(folder).map(
  (file) => JSON.parse(readFileSync(join(folder, file), "utf8")) as Recording,
);
/** From all passages, in place of all pages. */
const isOrdinary = createVocabulary(
  recordings.flatMap(({ passages }) => passages.map(({ text }) => ({ markdown: text }))),
);

let model: FakeModel;
beforeAll(async () => void (model = await openFakeModel()));
afterAll(() => model.close());

test.each(recordings)("$question", async ({ question, api, passages, said, stream }) => {
  model.answer(sendStream([stream]));
  const events: AnswerEvent[] = [];
  const answer = answerQuestion(question, {
    siteName: "Millrace",
    model: connectModel({ url: model.url, name: "recorded", api }),
    passages,
    isOrdinary,
    count: { unsaid() {}, tokens() {} },
    signal: new AbortController().signal,
  });
  for await (const event of answer) events.push(event);
  const sentences = events.flatMap((event) => (event.event === "sentence" ? [event.data] : []));
  expect(sentences.map(({ text }) => text)).toEqual(said.map((text) => parseSentence(text).text));
  const urls = new Set(passages.map(({ url }) => url));
  for (const { sources } of sentences) {
    expect(sources.length).toBeGreaterThan(0);
    expect(sources.every(({ url }) => urls.has(url))).toBe(true);
  }
  expect(events.some(({ event }) => event === "unknown")).toBe(said.length === 0);
  expect(events.at(-1)?.event).toBe("done");
});

test("3. the set", () => {
  expect(recordings.length).toBeGreaterThanOrEqual(25);
  expect(new Set(recordings.map(({ api }) => api))).toEqual(new Set(["openai", "anthropic"]));
  expect(recordings.filter(({ said }) => said.length === 0).length).toBeGreaterThanOrEqual(5);
});
