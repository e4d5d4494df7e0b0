/** The states of "Was this page helpful?". A failed answer keeps its text, so that it can be sent again. */
export type Answer = "yes" | "no";

export type FeedbackState =
  | { status: "asking" }
  | { status: "answered" | "sending"; answer: Answer }
  | { status: "failed"; answer: Answer; reason: string }
  | { status: "sent" };

export type FeedbackEvent =
  | { type: "answer"; answer: Answer }
  | { type: "send" }
  | { type: "sent" }
  | { type: "failed"; reason: string };

/** Events that do not apply to a state leave it unchanged: pressing Send twice sends once. */
export function nextFeedback(state: FeedbackState, event: FeedbackEvent): FeedbackState {
  switch (state.status) {
    case "asking":
      return event.type === "answer" ? { status: "answered", answer: event.answer } : state;
    case "answered":
    case "failed":
      if (event.type === "answer") return { status: "answered", answer: event.answer };
      return event.type === "send" ? { status: "sending", answer: state.answer } : state;
    case "sending":
      if (event.type === "sent") return { status: "sent" };
      return event.type === "failed"
        ? { status: "failed", answer: state.answer, reason: event.reason }
        : state;
    case "sent":
      return state;
  }
}
