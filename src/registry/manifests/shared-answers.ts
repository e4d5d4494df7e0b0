/**
 * One question for all callers that ask the same at the same time. The answer was true after each of them asked: a caller that
 * arrives during a question shares the next one, because a change that it knows of may have come too late for this one.
 *
 *   ask ──► question 1 ─────────► answer
 *     ask ──┬────────────────────┐
 *     ask ──┘ wait for the next  └► question 2 ─► answer for both
 */
export type AskShared<Answer> = (key: string, ask: () => Promise<Answer>) => Promise<Answer>;

export function shareAnswers<Answer>(): AskShared<Answer> {
  const asked = new Map<string, { running: Promise<Answer>; next: Promise<Answer> | null }>();

  function begin(key: string, ask: () => Promise<Answer>): Promise<Answer> {
    const running = ask();
    const entry = { running, next: null };
    asked.set(key, entry);
    const end = () => {
      if (asked.get(key) === entry) asked.delete(key);
    };
    running.then(end, end);
    return running;
  }

  return (key, ask) => {
    const entry = asked.get(key);
    if (!entry) return begin(key, ask);
    const after = () => begin(key, ask);
    entry.next ??= entry.running.then(after, after);
    return entry.next;
  };
}
