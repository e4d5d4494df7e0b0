/** Renders templates in a thread that is stopped when one takes too long or too much memory: clients write the templates. */
import { createRestingThread } from "../payloads/resting-thread.ts";
import { ApiError, tooManySearches } from "../protocol/errors.ts";
import { MAX_WAITING_TEMPLATES, TEMPLATE_HEAP_MB, TEMPLATE_THREAD_MS } from "../protocol/limits.ts";
import type { RenderAnswer, RenderRequest, TemplateScope } from "./render-worker.ts";

export interface Renderer {
  /** @throws ApiError for a template that is malformed, fails, or exceeds a limit */
  render: (template: string, scope: TemplateScope) => Promise<string>;
  close: () => Promise<void>;
}

/** One at a time. */
export function createRenderer(threadMs = TEMPLATE_THREAD_MS): Renderer {
  const thread = createRestingThread(new URL("./render-worker.ts", import.meta.url), TEMPLATE_HEAP_MB);
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  let nextId = 0;

  function ask(template: string, scope: TemplateScope): Promise<string> {
    const current = thread.take();
    const request: RenderRequest = { id: nextId++, template, scope };
    return new Promise((resolve, reject) => {
      const settle = () => {
        clearTimeout(timer);
        current.off("message", onMessage).off("error", onEnd).off("exit", onEnd);
      };
      const stop = (problem: string) => {
        settle();
        reject(templateError(problem));
      };
      const timer = setTimeout(() => {
        void thread.close();
        stop(`it took more than ${threadMs} ms`);
      }, threadMs).unref();
      const onEnd = () => {
        thread.forget();
        stop(`it needs more than ${TEMPLATE_HEAP_MB} MB of memory`);
      };
      const onMessage = (answer: RenderAnswer) => {
        if (answer.id !== request.id) return;
        settle();
        thread.rest(answer.heapBytes);
        if ("rendered" in answer) resolve(answer.rendered);
        else reject(templateError(answer.problem));
      };
      current.on("message", onMessage).once("error", onEnd).once("exit", onEnd);
      current.postMessage(request, []);
    });
  }

  return {
    async render(template, scope) {
      if (waiting >= MAX_WAITING_TEMPLATES)
        throw tooManySearches(`${waiting} templates are waiting to be rendered. Send it again later.`);
      waiting += 1;
      const answer = last.then(() => ask(template, scope)).finally(() => void (waiting -= 1));
      last = answer.catch(() => {});
      return answer;
    },
    close: thread.close,
  };
}

function templateError(problem: string): ApiError {
  return new ApiError("invalid_render_template", `The template could not be rendered: ${problem}.`);
}
