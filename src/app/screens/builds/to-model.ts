/** The API's build in the form of timeline and log. Steps that are the same objects stay the same objects. */
import type { Build as ApiBuild, Step as ApiStep } from "#api/gen/json-types.ts";
import { cutText } from "../../format.ts";
import { MAX_STEPS, type Build, type BuildResult, type Step } from "../../ui/timeline/build-model.ts";
import { parseStepName } from "#platform/text/parse-step-name.ts";
import { timeOf } from "./build-words.ts";

const MAX_NAME = 2_000;
const MAX_ERROR = 4_000;

const RESULTS: { [state: string]: BuildResult | undefined } = {
  succeeded: "succeeded",
  failed: "failed",
  canceled: "canceled",
};

/** @param steps in BuildKit's order */
export function toModel(build: ApiBuild, steps: readonly ApiStep[]): Build {
  const seen = new Set<string>();
  return {
    startedAt: timeOf(build.started_at) ?? timeOf(build.created_at) ?? 0,
    endedAt: timeOf(build.finished_at),
    result: RESULTS[build.state] ?? "running",
    platform: build.platforms[0] ?? "linux/amd64",
    steps: steps.slice(0, MAX_STEPS).map((step, index) => {
      const made = stepOf(step, index + 1);
      // The builders of two platforms may use the same id for the same work.
      const isAgain = seen.has(step.id);
      seen.add(step.id);
      return isAgain ? { ...made, id: `${step.id} ${step.platform}` } : made;
    }),
  };
}

const known = new WeakMap<ApiStep, Step>();

function stepOf(step: ApiStep, place: number): Step {
  const former = known.get(step);
  if (former?.number === numberOf(step, place)) return former;
  const made = makeStep(step, place);
  known.set(step, made);
  return made;
}

/** Number of waiting steps, which have none yet: far after all others. */
const UNNUMBERED = 100_000;

/** `#8` */
const numberOf = ({ number }: ApiStep, place: number) =>
  Number(/^#?([1-9]\d{0,4})$/.exec(number)?.[1] ?? UNNUMBERED + place);

function makeStep(step: ApiStep, place: number): Step {
  const title = cutText(step.name, MAX_NAME);
  const name = parseStepName(title);
  const [start, end] = [timeOf(step.started_at), timeOf(step.finished_at)];
  return {
    ...name,
    platform: name.platform ?? (step.platform && name.stage !== "internal" ? step.platform : null),
    id: step.id,
    number: numberOf(step, place),
    title,
    inputs: step.inputs,
    state: stateOf(step),
    start: start ?? end,
    end: end === null ? null : Math.max(end, start ?? end),
    worked: Math.max(Number(step.duration_ms), 0),
    exitCode: step.exit_code === 0 ? null : step.exit_code,
    error: step.error.slice(0, MAX_ERROR),
    transferred: 0,
  };
}

function stateOf({ state, cached }: ApiStep): Step["state"] {
  if (cached && state !== "failed" && state !== "running") return "cached";
  if (state === "succeeded") return "worked";
  return state === "running" || state === "failed" || state === "canceled" ? state : "waiting";
}
