/**
 * 1. Every caller gets an answer that was true at some time after it asked, in any order of questions, answers, failures and
 *    changes.
 * 2. However many callers ask, one question is in progress for each key, and one waits.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { shareAnswers } from "./shared-answers.ts";

interface Question {
  key: string;
  /** The value that it reads, as soon as it is asked. */
  seen: number;
  end: (isFailing: boolean) => void;
}

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("ask" as const), key: fc.constantFrom("a", "b") }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("change" as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant("answer" as const), at: fc.nat(), isFailing: fc.boolean() }),
  },
);

test("1. and 2. any order", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const share = shareAnswers<number>();
      let version = 0;
      const questions: Question[] = [];
      const outcomes: Promise<void>[] = [];
      const settled = async () => {
        for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
      };
      const put = (key: string) => () => {
        const { promise, resolve, reject } = Promise.withResolvers<number>();
        const seen = version;
        const end = (isFailing: boolean) => (isFailing ? reject(new Error(String(seen))) : resolve(seen));
        questions.push({ key, seen, end });
        expect(questions.filter((other) => other.key === key)).toHaveLength(1);
        return promise;
      };
      for (const each of steps) {
        if (each.kind === "change") version += 1;
        else if (each.kind === "ask") {
          const asked = version;
          const seen = share(each.key, put(each.key)).catch((error: Error) => Number(error.message));
          outcomes.push(seen.then((at) => expect(at).toBeGreaterThanOrEqual(asked)));
        } else if (questions.length > 0)
          questions.splice(each.at % questions.length, 1)[0]?.end(each.isFailing);
        await settled();
      }
      while (questions.length > 0) {
        questions.shift()?.end(false);
        await settled();
      }
      await Promise.all(outcomes);
    }),
  );
});
