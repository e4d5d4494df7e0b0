/**
 * Matches the steps of a build with those of an earlier build. Within a platform and a stage, steps with the same text match;
 * between those, the remaining steps are matched by order and keyword, as edited instructions.
 *
 *   COPY go.mod ./      ──  COPY go.mod ./
 *   RUN go build -v     ┈┈  RUN go build
 *   COPY . .            ──  COPY . .
 */
import { parseStepName, type StepName } from "#platform/text/parse-step-name.ts";
import { MAX_STEPS } from "./limits.ts";
import type { StepHead } from "./types.ts";

export interface NamedStep<Step extends StepHead = StepHead> extends StepName {
  record: Step;
  /** "RUN pnpm install"; for a base image, without its digest. */
  text: string;
}

const DIGEST = /@sha256:[0-9a-f]{64}/;

export function nameStep<Step extends StepHead>(record: Step): NamedStep<Step> {
  const name = parseStepName(record.name);
  const text = `${name.keyword} ${name.rest}`.trim();
  return { ...name, record, text: name.keyword === "FROM" ? text.replace(DIGEST, "") : text };
}

/** The earlier steps, by the ids of the later steps. */
export function matchSteps(later: readonly StepHead[], earlier: readonly StepHead[]): Map<string, NamedStep> {
  const [stages, earlierStages] = [byStage(later), byStage(earlier)];
  const matches = new Map<string, NamedStep>();
  for (const [key, steps] of stages) alignSteps(steps, earlierStages.get(key) ?? [], matches);
  return matches;
}

function byStage(records: readonly StepHead[]): Map<string, NamedStep[]> {
  const stages = new Map<string, NamedStep[]>();
  for (const record of records.slice(0, MAX_STEPS)) {
    const step = nameStep(record);
    const key = `${record.platform}\n${step.stage}`;
    const stage = stages.get(key);
    if (stage) stage.push(step);
    else stages.set(key, [step]);
  }
  for (const stage of stages.values()) {
    stage.sort((one, other) => placeOf(one) - placeOf(other) || one.record.number - other.record.number);
  }
  return stages;
}

const placeOf = ({ place }: NamedStep) => place?.at ?? 0;

function alignSteps(
  later: readonly NamedStep[],
  earlier: readonly NamedStep[],
  matches: Map<string, NamedStep>,
): void {
  let [front, laterEnd, earlierEnd] = [0, later.length, earlier.length];
  const isSame = (at: number, earlierAt: number) => {
    const [one, other] = [later[at], earlier[earlierAt]];
    if (!one || !other || one.text !== other.text) return false;
    matches.set(one.record.id, other);
    return true;
  };
  while (front < laterEnd && front < earlierEnd && isSame(front, front)) front += 1;
  while (laterEnd > front && earlierEnd > front && isSame(laterEnd - 1, earlierEnd - 1)) {
    laterEnd -= 1;
    earlierEnd -= 1;
  }
  alignMiddle(later.slice(front, laterEnd), earlier.slice(front, earlierEnd), matches);
}

/** Matches equal texts in their order; each gap between two matches is matched by keywords. */
function alignMiddle(
  later: readonly NamedStep[],
  earlier: readonly NamedStep[],
  matches: Map<string, NamedStep>,
): void {
  const places = new Map<string, number[]>();
  for (const [at, { text }] of earlier.entries()) {
    const known = places.get(text);
    if (known) known.push(at);
    else places.set(text, [at]);
  }
  let [gap, next]: [NamedStep[], number] = [[], 0];
  for (const step of later) {
    const at = places.get(step.text)?.find((place) => place >= next);
    const match = at === undefined ? undefined : earlier[at];
    if (at === undefined || !match) {
      gap.push(step);
      continue;
    }
    matches.set(step.record.id, match);
    alignGap(gap, earlier.slice(next, at), matches);
    [gap, next] = [[], at + 1];
  }
  alignGap(gap, earlier.slice(next), matches);
}

function alignGap(
  later: readonly NamedStep[],
  earlier: readonly NamedStep[],
  matches: Map<string, NamedStep>,
): void {
  let at = 0;
  for (const step of later) {
    // BuildKit's own steps have only their position in common.
    if (step.keyword === "") continue;
    const found = earlier.findIndex(({ keyword }, index) => index >= at && keyword === step.keyword);
    const match = earlier[found];
    if (!match) continue;
    matches.set(step.record.id, match);
    at = found + 1;
  }
}
