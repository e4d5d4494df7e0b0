import type { Answer } from "./answer.ts";
import type { SearchStore } from "./store.ts";

/** Longest body and answer worth keeping: what readers type is short, pasted text does not come twice. */
const MAX_BODY = 2048;
const MAX_ANSWER = 512 * 1024;

export interface AnswerCache {
  get: (body: string) => Answer | undefined;
  set: (body: string, answer: Answer) => void;
}

/**
 * Answers by request body, least recently used out first. Readers of one site type the same first letters all day.
 * Any change of any index empties it.
 */
export function createAnswerCache(store: SearchStore, maxBytes: number): AnswerCache {
  const answers = new Map<string, Answer>();
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
      const size = sizeOf(body, answer);
      if (body.length > MAX_BODY || answer.plain.byteLength > MAX_ANSWER || answers.has(body)) return;
      if (size > maxBytes) return;
      answers.set(body, answer);
      bytes += size;
      for (const [oldBody, oldAnswer] of answers) {
        if (bytes <= maxBytes) return;
        answers.delete(oldBody);
        bytes -= sizeOf(oldBody, oldAnswer);
      }
    },
  };
}

/** Without the compressed form, which may come later and is a fraction. */
function sizeOf(body: string, answer: Answer): number {
  return 2 * body.length + answer.plain.byteLength;
}
