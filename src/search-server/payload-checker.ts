import { Worker } from "node:worker_threads";
import type { PayloadSource } from "./catalog/payload-store.ts";
import type { CheckAnswer, CheckRequest } from "./check-worker.ts";
import { ApiError } from "./errors.ts";
import type { PayloadForm } from "./payload-content.ts";

type Details = { [name: string]: unknown };

export interface PayloadChecker {
  /** The task's details about the payload. @throws ApiError if it is malformed or wrong */
  check: (form: PayloadForm, source: PayloadSource) => Promise<Details>;
  close: () => Promise<void>;
}

/** After this long without work the thread ends and frees its memory. */
const IDLE_MS = 10_000;

/**
 * Checks in a thread that starts with the first check, does one at a time and does not keep the process
 * alive.
 */
export function createPayloadChecker(detailsLength: number): PayloadChecker {
  let worker: Worker | null = null;
  let idle: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let nextId = 0;

  function ask(form: PayloadForm, source: PayloadSource): Promise<Details> {
    clearTimeout(idle);
    const current = (worker ??= start());
    const request: CheckRequest = { id: nextId++, form, source, detailsLength };
    return new Promise((resolve, reject) => {
      const settle = () => current.off("message", onMessage).off("error", onEnd).off("exit", onEnd);
      const onEnd = (reason: unknown) => {
        settle();
        worker = null;
        reject(new Error("The thread that checks bodies ended.", { cause: reason }));
      };
      const onMessage = (answer: CheckAnswer) => {
        if (answer.id !== request.id) return;
        settle();
        idle = setTimeout(() => void end(), IDLE_MS).unref();
        if ("details" in answer) resolve(answer.details);
        else if (answer.code === "internal") reject(new Error(answer.message));
        else reject(new ApiError(answer.code, answer.message));
      };
      current.on("message", onMessage).once("error", onEnd).once("exit", onEnd);
      current.postMessage(request, []);
    });
  }

  async function end(): Promise<void> {
    clearTimeout(idle);
    const ended = worker;
    worker = null;
    await ended?.terminate();
  }

  return {
    check(form, source) {
      const answer = last.then(() => ask(form, source));
      last = answer.catch(() => {});
      return answer;
    },
    close: end,
  };
}

function start(): Worker {
  const worker = new Worker(new URL("./check-worker.ts", import.meta.url), {
    // By default it is three times as much, and the thread keeps its peak.
    resourceLimits: { maxYoungGenerationSizeMb: 16 },
  });
  worker.unref();
  return worker;
}
