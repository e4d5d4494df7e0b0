import type { SearchStore } from "./store.ts";

/** Longest body and answer worth keeping: what readers type is short, pasted text does not come twice. */
const MAX_BODY = 2048;
const MAX_ANSWER = 512 * 1024;

export interface AnswerCache {
  get: (body: string) => string | undefined;
  set: (body: string, answer: string) => void;
}

/**
 * Answers by request body, least recently used out first. Readers of one site type the same first letters all day.
 * Any change of any index empties it.
 */
export function createAnswerCache(store: SearchStore, maxBytes: number): AnswerCache {
  const answers = new Map<string, string>();
  let bytes = 0;
  let version = store.version;

  function dropStale(): void {
    if (version === store.version) return;
    answers.clear();
    bytes = 0;
    version = store.version;
  }

  return {
    get(body) {
      dropStale();
      const answer = answers.get(body);
      if (answer === undefined) return undefined;
      // Re-inserted: a Map keeps the order of insertion.
      answers.delete(body);
      answers.set(body, answer);
      return answer;
    },
    set(body, answer) {
      dropStale();
      const size = 2 * (body.length + answer.length);
      if (body.length > MAX_BODY || answer.length > MAX_ANSWER || size > maxBytes || answers.has(body))
        return;
      answers.set(body, answer);
      bytes += size;
      for (const [oldBody, oldAnswer] of answers) {
        if (bytes <= maxBytes) return;
        answers.delete(oldBody);
        bytes -= 2 * (oldBody.length + oldAnswer.length);
      }
    },
  };
}
