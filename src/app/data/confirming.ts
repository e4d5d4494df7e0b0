/**
 * The identity question before an act that requires a recent confirmation. It is asked once for all waiting acts; the
 * frame and the pages in front of it show it.
 */
interface Question {
  answer: Promise<IdentityAnswer>;
  settle: (answer: IdentityAnswer) => void;
}

/** `unasked`: the page could not show the question. */
export type IdentityAnswer = "confirmed" | "canceled" | "unasked";

/** Why an act did not happen. */
export const NOT_CONFIRMED = {
  canceled: "you did not confirm that it is you",
  unasked: "this page could not ask you to confirm that it is you; reload the page",
};

let question: Question | null = null;
const listeners = new Set<() => void>();

/** @returns `canceled` immediately when no page can ask */
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
