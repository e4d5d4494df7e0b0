import { parseStepName } from "#platform/text/parse-step-name.ts";
import type { Step } from "../ui/timeline/build-model.ts";

/** @public A step for tests: missing fields are those of a step that worked for ten milliseconds. */
export function makeStep(parts: Partial<Step> & { title?: string }): Step {
  const title = parts.title ?? "[build 1/1] RUN make";
  return {
    ...parseStepName(title),
    id: title,
    number: 1,
    title,
    inputs: [],
    state: "worked",
    start: 0,
    end: 10,
    worked: 10,
    exitCode: null,
    error: "",
    transferred: 0,
    ...parts,
  };
}
