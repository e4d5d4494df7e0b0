/**
 * 1. Asking, an answer, Send, success from the server: asking → answered → sending → sent.
 * 2. An answer can be changed until it is sent, and after a failure.
 * 3. A failure gives a reason, keeps the answer and lets the reader send it again.
 * 4. While sending, a second Send or another answer changes nothing; `sent` is final.
 */
import { describe, expect, it } from "vitest";
import { nextFeedback, type FeedbackEvent, type FeedbackState } from "./feedback-state.ts";

const after = (...events: FeedbackEvent[]): FeedbackState =>
  events.reduce(nextFeedback, { status: "asking" });
const reason = "Not saved: the server has no space left.";
const answer = (given: "yes" | "no"): FeedbackEvent => ({ type: "answer", answer: given });

describe("nextFeedback", () => {
  it("(1) goes from asking to sent", () => {
    expect(after(answer("yes"))).toEqual({ status: "answered", answer: "yes" });
    expect(after(answer("yes"), { type: "send" })).toEqual({ status: "sending", answer: "yes" });
    expect(after(answer("yes"), { type: "send" }, { type: "sent" })).toEqual({ status: "sent" });
  });

  it("(1) sends nothing without an answer", () => {
    expect(after({ type: "send" })).toEqual({ status: "asking" });
  });

  it("(2) lets the reader change the answer", () => {
    expect(after(answer("yes"), answer("no"))).toEqual({ status: "answered", answer: "no" });
    expect(after(answer("yes"), { type: "send" }, { type: "failed", reason }, answer("no"))).toEqual({
      status: "answered",
      answer: "no",
    });
  });

  it("(3) keeps the answer of a failed sending for the next", () => {
    const failed = after(answer("no"), { type: "send" }, { type: "failed", reason });
    expect(failed).toEqual({ status: "failed", answer: "no", reason });
    expect(nextFeedback(failed, { type: "send" })).toEqual({ status: "sending", answer: "no" });
  });

  it("(4) ignores what comes while sending and after", () => {
    const sending = after(answer("no"), { type: "send" });
    expect(nextFeedback(sending, { type: "send" })).toBe(sending);
    expect(nextFeedback(sending, answer("yes"))).toBe(sending);
    const sent = nextFeedback(sending, { type: "sent" });
    expect(nextFeedback(sent, answer("yes"))).toBe(sent);
  });
});
