import { MAX_CACHED_ANSWER_BYTES, MAX_CACHED_BODY_LENGTH } from "../protocol/limits.ts";
import type { Answer } from "../answers/answer.ts";
import type { SearchStore } from "../catalog/store.ts";

export interface AnswerCache {
  get: (body: string) => Answer | undefined;
  /** The answer that `make` gives, or one that is already being made for the same request. */
  share: (body: string, make: () => Promise<Answer>) => Promise<Answer>;
  /** The answer that `make` gives, shared with no other request. */
  own: (make: () => Promise<Answer>) => Promise<Answer>;
  /** Call it when an answer of `share` or `own` has been sent: then it has the form in which it is kept. */
  set: (body: string, answer: Answer) => void;
}

/**
 * Answers by request body, least recently used out first. Readers of one site type the same first letters all
 * day. Any change of any index empties it.
 */
export function createAnswerCache(store: SearchStore, maxBytes: number): AnswerCache {
  const answers = createKeptAnswers(maxBytes);
  const beingMade = new Map<string, Promise<Answer>>();
  /** The version of the indexes that an answer was made from: they may change before it is sent. */
  const versions = new WeakMap<Answer, number>();
  let version = store.version;

  function dropStale(): void {
    if (version === store.version) return;
    answers.clear();
    beingMade.clear();
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
      return answers.get(body);
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
      if (versions.get(answer) === version) answers.add(body, answer);
    },
  };
}

interface Kept {
  answer: Answer;
  bytes: number;
}

/** Keeps answers and their request bodies, up to this many bytes. */
function createKeptAnswers(maxBytes: number) {
  const answers = new Map<string, Kept>();
  let total = 0;
  return {
    get(body: string): Answer | undefined {
      const kept = answers.get(body);
      if (kept === undefined) return undefined;
      // Re-inserted: a Map keeps the order of insertion.
      answers.delete(body);
      answers.set(body, kept);
      return kept.answer;
    },
    add(body: string, answer: Answer): void {
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
    clear(): void {
      answers.clear();
      total = 0;
    },
  };
}
