import { MAX_CACHED_ANSWER_BYTES, MAX_CACHED_BODY_LENGTH } from "./limits.ts";
import type { Answer } from "./answer.ts";
import type { SearchStore } from "./store.ts";

export interface AnswerCache {
  get: (body: string) => Answer | undefined;
  /** The answer that `make` gives, or the one that it is giving to another who asked for the same. */
  share: (body: string, make: () => Promise<Answer>) => Promise<Answer>;
  /** The answer that `make` gives, to nobody else. */
  own: (make: () => Promise<Answer>) => Promise<Answer>;
  /** To be called when an answer of `share` or `own` has been sent: then it has the form in which it is kept. */
  set: (body: string, answer: Answer) => void;
}

interface Kept {
  answer: Answer;
  bytes: number;
}

/**
 * Answers by request body, least recently used out first. Readers of one site type the same first letters all day.
 * Any change of any index empties it.
 */
export function createAnswerCache(store: SearchStore, maxBytes: number): AnswerCache {
  const answers = new Map<string, Kept>();
  const beingMade = new Map<string, Promise<Answer>>();
  /** The indexes that an answer was made from: they may change before it is sent. */
  const versions = new WeakMap<Answer, number>();
  let total = 0;
  let version = store.version;

  function dropStale(): void {
    if (version === store.version) return;
    answers.clear();
    beingMade.clear();
    total = 0;
    version = store.version;
  }

  function own(make: () => Promise<Answer>): Promise<Answer> {
    dropStale();
    const madeFrom = version;
    return make().then((answer) => {
      versions.set(answer, madeFrom);
      return answer;
    });
  }

  return {
    own,
    get(body) {
      dropStale();
      const kept = answers.get(body);
      if (kept === undefined) return undefined;
      // Re-inserted: a Map keeps the order of insertion.
      answers.delete(body);
      answers.set(body, kept);
      return kept.answer;
    },
    share(body, make) {
      dropStale();
      const known = beingMade.get(body);
      if (known) return known;
      const made = own(make);
      if (body.length > MAX_CACHED_BODY_LENGTH) return made;
      beingMade.set(body, made);
      const forget = () => {
        if (beingMade.get(body) === made) beingMade.delete(body);
      };
      void made.then(forget, forget);
      return made;
    },
    set(body, answer) {
      dropStale();
      if (versions.get(answer) !== version) return;
      const bytes = 2 * body.length + answer.keptBytes;
      if (
        body.length > MAX_CACHED_BODY_LENGTH ||
        answer.byteLength > MAX_CACHED_ANSWER_BYTES ||
        answers.has(body)
      )
        return;
      if (bytes > maxBytes) return;
      answers.set(body, { answer, bytes });
      total += bytes;
      for (const [oldBody, old] of answers) {
        if (total <= maxBytes) return;
        answers.delete(oldBody);
        total -= old.bytes;
      }
    },
  };
}
