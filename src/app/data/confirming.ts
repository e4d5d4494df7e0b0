/**
 * The question who it is, before an act that the server lets nobody do who has not just shown it. It is asked once for all
 * acts that wait for it; the frame and the pages in front of it show it.
 */
interface Question {
  answer: Promise<IdentityAnswer>;
  settle: (answer: IdentityAnswer) => void;
}

/** `unasked`: the page could not show the question. */
export type IdentityAnswer = "confirmed" | "canceled" | "unasked";

/** Why an act has not happened. */
export const NOT_CONFIRMED = {
  canceled: "you did not confirm that it is you",
  unasked: "this page could not ask you to confirm that it is you; reload the page",
};

let question: Question | null = null;
const listeners = new Set<() => void>();

/** @returns `canceled` at once where no page asks */
export function confirmIdentity(): Promise<IdentityAnswer> {
  if (listeners.size === 0) return Promise.resolve("canceled");
  if (question === null) {
    let settle: Question["settle"] = () => {};
    const answer = new Promise<IdentityAnswer>((resolve) => (settle = resolve));
    question = { answer, settle };
    tell();
  }
  return question.answer;
}

/** The question was answered or closed, or cannot be shown. */
export function settleIdentity(answer: IdentityAnswer): void {
  const asked = question;
  question = null;
  tell();
  asked?.settle(answer);
}

export const isIdentityAsked = () => question !== null;

export function watchIdentity(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function tell(): void {
  for (const listener of listeners) listener();
}
