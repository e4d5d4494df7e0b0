/**
 * The question who it is, before an act that the server lets nobody do who has not just shown it. It is asked once for all
 * acts that wait for it; the frame and the pages in front of it show it.
 */
interface Question {
  answer: Promise<boolean>;
  settle: (isConfirmed: boolean) => void;
}

let question: Question | null = null;
const listeners = new Set<() => void>();

/** @returns whether the person has confirmed it; false at once where no page can ask */
export function confirmIdentity(): Promise<boolean> {
  if (listeners.size === 0) return Promise.resolve(false);
  if (question === null) {
    let settle: Question["settle"] = () => {};
    const answer = new Promise<boolean>((resolve) => (settle = resolve));
    question = { answer, settle };
    tell();
  }
  return question.answer;
}

/** The question was answered, or closed. */
export function settleIdentity(isConfirmed: boolean): void {
  const asked = question;
  question = null;
  tell();
  asked?.settle(isConfirmed);
}

export const isIdentityAsked = () => question !== null;

export function watchIdentity(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function tell(): void {
  for (const listener of listeners) listener();
}
