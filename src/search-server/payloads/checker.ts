import type { PayloadSource } from "../catalog/payload-store.ts";
import type { CheckAnswer, CheckRequest } from "./check-worker.ts";
import { ApiError } from "../protocol/errors.ts";
import type { PayloadForm } from "./content.ts";
import { createRestingThread } from "./resting-thread.ts";

type Details = { [name: string]: unknown };

export interface PayloadChecker {
  /** The task's details about the payload. @throws ApiError if it is malformed or wrong */
  check: (form: PayloadForm, source: PayloadSource) => Promise<Details>;
  close: () => Promise<void>;
}

/** Checks in a thread of its own, one at a time. */
export function createPayloadChecker(detailsLength: number): PayloadChecker {
  const thread = createRestingThread(new URL("./check-worker.ts", import.meta.url));
  let last: Promise<unknown> = Promise.resolve();
  let nextId = 0;

  function ask(form: PayloadForm, source: PayloadSource): Promise<Details> {
    const current = thread.take();
    const request: CheckRequest = { id: nextId++, form, source, detailsLength };
    return new Promise((resolve, reject) => {
      const settle = () => current.off("message", onMessage).off("error", onEnd).off("exit", onEnd);
      const onEnd = (reason: unknown) => {
        settle();
        thread.forget();
        reject(new Error("The thread that checks bodies ended.", { cause: reason }));
      };
      const onMessage = (answer: CheckAnswer) => {
        if (answer.id !== request.id) return;
        settle();
        thread.rest(answer.heapBytes);
        if ("details" in answer) resolve(answer.details);
        else if (answer.code === "internal") reject(new Error(answer.message));
        else reject(new ApiError(answer.code, answer.message));
      };
      current.on("message", onMessage).once("error", onEnd).once("exit", onEnd);
      current.postMessage(request, []);
    });
  }

  return {
    check(form, source) {
      const answer = last.then(() => ask(form, source));
      last = answer.catch(() => {});
      return answer;
    },
    close: thread.close,
  };
}
