/**
 * 1. Each event changes the answer as its name says; an unknown event does not. "Unknown" stays after the end. 2. A model that is
 * silent before its first sentence is slow; sentences that have come stay.
 */
import { expect, test } from "vitest";
import { isRunning, nextAnswer, WAITING, whenSilent } from "./read-answer.ts";

test("1. events", () => {
  const sentence = {
    text: "Kept.",
    sources: [{ number: 1, title: "Images", section: "", url: "/docs/images" }],
  };
  const writing = nextAnswer(WAITING, "sentence", JSON.stringify(sentence));
  expect(writing).toEqual({ ...WAITING, state: "writing", sentences: [sentence] });
  expect(nextAnswer(writing, "done", '{"unsaid":2}')).toEqual({ ...writing, state: "done", unsaid: 2 });
  expect(nextAnswer(writing, "error", '{"message":"Busy."}')).toMatchObject({
    state: "failed",
    message: "Busy.",
  });
  const unknown = nextAnswer(WAITING, "unknown", '{"pages":[]}');
  expect(nextAnswer(unknown, "done", '{"unsaid":1}')).toMatchObject({ state: "unknown", unsaid: 1 });
  expect(nextAnswer(writing, "later", "{}")).toBe(writing);
});

test("2. silence", () => {
  const slow = whenSilent(WAITING);
  expect([slow.state, isRunning(slow)]).toEqual(["slow", true]);
  const writing = nextAnswer(slow, "sentence", '{"text":"Kept.","sources":[]}');
  expect(writing.state).toBe("writing");
  expect(whenSilent(writing)).toBe(writing);
  expect(isRunning(nextAnswer(writing, "done", '{"unsaid":0}'))).toBe(false);
});
