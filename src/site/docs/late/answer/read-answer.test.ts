/** 1. Each event changes the answer as its name says; an unknown event does not. "Unknown" stays after the end. */
import { expect, test } from "vitest";
import { nextAnswer, WAITING } from "./read-answer.ts";

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
