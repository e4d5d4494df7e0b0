/**
 * Why a step did not come from the layer cache.
 *
 * Input: a build, one of its steps, the builds before it. Output: the named differences from the nearest of them.
 *
 * 1. Find the nearest earlier build in which the same step succeeded: preferably of the same target, then of the same branch, then
 *    the newest.
 * 2. Compare the step and what it builds on, inputs first, with the steps of that build. The first finding must be fixed first.
 *    Inputs that came from the cache are compared only if nothing else differs.
 * 3. If nothing differs, the layer was lost, or a file differs that was not seen.
 */
import { compareValues, findDifferences, findUnseen } from "./find-differences.ts";
import { MAX_CAUSES, MAX_COMPARED_BUILDS } from "./limits.ts";
import { matchSteps, type NamedStep, nameStep } from "./match-steps.ts";
import { cutCause, describeCauses, type Found } from "./describe-causes.ts";
import type {
  BuildHead,
  BuildMaterial,
  CacheHistory,
  Cause,
  ExplainedBuild,
  Explanation,
  Past,
  StepHead,
  StepRecord,
} from "./types.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

type RanStep = NamedStep<StepRecord>;

interface Nearest {
  earlier: BuildHead;
  matches: ReadonlyMap<string, NamedStep>;
}

interface Comparison {
  later: BuildHead & BuildMaterial;
  earlier: BuildHead & BuildMaterial;
  matches: ReadonlyMap<string, NamedStep>;
  steps: ReadonlyMap<string, StepRecord>;
  /** When the newest build before this one was created. */
  usedAt: number;
  history: CacheHistory;
}

/** @returns null if the build does not have the step */
export async function explainStep(
  build: ExplainedBuild,
  stepId: string,
  past: Past,
): Promise<Explanation | null> {
  const record = build.steps.find(({ id }) => id === stepId);
  if (!record) return null;
  const step = nameStep(record);
  const known = explainAlone(build, step);
  if (known) return known;
  const builds = past.builds
    .filter(({ id, createdAt }) => id !== build.id && createdAt <= build.createdAt)
    .slice(0, MAX_COMPARED_BUILDS);
  const nearest = await findNearest(build, step, { ...past, builds });
  if (!("earlier" in nearest)) return explain(step, [{ cause: nearest, step }], "");
  const { earlier, matches } = nearest;
  const comparison: Comparison = {
    later: { ...build, ...(await past.readMaterial(build.id)) },
    earlier: { ...earlier, ...(await past.readMaterial(earlier.id)) },
    matches,
    steps: new Map(build.steps.map((each) => [each.id, each])),
    usedAt: Math.max(...builds.map(({ createdAt }) => createdAt)),
    history: await past.readHistory(earlier.createdAt, build.createdAt),
  };
  return explain(step, findCauses(comparison, step), earlier.id);
}

/** Explanations that need no other build. */
function explainAlone(build: ExplainedBuild, step: RanStep): Explanation | null {
  const { isCached, state, startedAt } = step.record;
  const said = (summary: string): Explanation => ({ summary, causes: [], comparedBuildId: "" });
  if (isCached) return said("It came from the layer cache.");
  if (state === "waiting" || startedAt === null) return said("It has not run.");
  if (step.keyword === "")
    return said("BuildKit does this in every build; it is never taken from the cache.");
  if (!isWithoutCache(build, step)) return null;
  const cause: Cause = {
    kind: "argument",
    name: "no-cache",
    before: "",
    after: build.withoutCache || "true",
  };
  return explain(step, [{ cause, step }], "");
}

function explain(step: NamedStep, found: readonly Found[], comparedBuildId: string): Explanation {
  const causes = found.slice(0, MAX_CAUSES).map(({ cause }) => cutCause(cause));
  return { summary: describeCauses(step, found), causes, comparedBuildId };
}

const isWithoutCache = ({ withoutCache }: ExplainedBuild, { stage }: NamedStep) =>
  withoutCache !== null && (withoutCache === "" || withoutCache.split(",").includes(stage));

/** Reads builds one by one and keeps none. @returns the cause when no build matches */
async function findNearest(later: ExplainedBuild, step: RanStep, past: Past): Promise<Nearest | Cause> {
  const scoreOf = ({ target, branch }: BuildHead) =>
    (target === later.target ? 2 : 0) + (later.branch !== "" && branch === later.branch ? 1 : 0);
  // The sort is stable: among equally near builds, the newest stays first.
  const ranked = past.builds.toSorted((one, other) => scoreOf(other) - scoreOf(one));
  const known: StepHead[] = [];
  let hasSteps = false;
  for (const earlier of ranked) {
    const steps = await past.readSteps(earlier.id);
    const matches = matchSteps(later.steps, steps);
    if (matches.get(step.record.id)?.record.state === "succeeded") return { earlier, matches };
    known.push(...steps.filter((each) => nameStep(each).text === step.text));
    hasSteps ||= steps.length > 0;
  }
  return causeWithoutMatch(step, known, hasSteps);
}

/** @param known steps of earlier builds with the same text */
function causeWithoutMatch({ record, text }: RanStep, known: readonly StepHead[], hasSteps: boolean): Cause {
  const { platform } = record;
  const other = known.find((each) => each.state === "succeeded" && each.platform !== platform);
  if (other && !known.some((each) => each.platform === platform))
    return { kind: "platform", name: platform, before: other.platform, after: platform };
  if (known.length === 0 && hasSteps) return { kind: "instruction", name: text, before: "", after: text };
  return { kind: "first", name: text, before: "", after: "" };
}

function findCauses(comparison: Comparison, step: RanStep): Found[] {
  const worked = walk(comparison, step, (input) => !input.isCached || input.name.includes("] FROM "));
  const found = worked.length > 0 ? worked : walk(comparison, step, () => true);
  return found.length > 0 ? found : [whenNothingDiffers(comparison, step)];
}

/** Differences of the step and its inputs, inputs first. */
function walk(comparison: Comparison, step: RanStep, goesOn: (input: StepRecord) => boolean): Found[] {
  const { later, earlier, matches, steps } = comparison;
  const found: Found[] = [];
  const seen = new Set<string>();
  const waiting = [{ record: step.record, isReady: false }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { record, isReady } = next;
    if (isReady) {
      const match = matches.get(record.id);
      const named = nameStep(record);
      const causes = match
        ? findDifferences({ later, earlier, step: named, match })
        : [newStep(named)].flat();
      found.push(...causes.map((cause) => ({ cause, step: named })));
      if (found.length > MAX_CAUSES) break;
    } else if (!seen.has(record.id)) {
      seen.add(record.id);
      waiting.push({ record, isReady: true });
      for (const id of record.inputs.toReversed()) {
        const input = steps.get(id);
        if (input && goesOn(input)) waiting.push({ record: input, isReady: false });
      }
    }
  }
  return found;
}

const newStep = ({ keyword, text }: NamedStep): Cause[] =>
  keyword === "" ? [] : [{ kind: "instruction", name: text, before: "", after: text }];

/** The first step of the chain that ran has lost its layer, unless it depends on something that is not visible here. */
function whenNothingDiffers(comparison: Comparison, step: RanStep): Found {
  const { later, earlier, matches, steps } = comparison;
  const first = firstOfChain(step, steps);
  const unseen = findUnseen({ later, earlier, step: first, match: matches.get(first.record.id) ?? first });
  if (unseen !== null)
    return { step: first, cause: { kind: "unknown", name: unseen, before: "", after: "" } };
  // Only the recipe says which variables a step has.
  const [changed] = later.recipe?.steps[first.record.id] ? [] : compareValues(earlier, later);
  if (changed && first.keyword === "RUN") return { step: first, cause: changed };
  const before = new Date(earlier.createdAt).toISOString();
  return {
    step: first,
    cause: { kind: "lost", name: first.text, before, after: whyLost(comparison, first) },
  };
}

/** "": unknown. */
function whyLost({ later, earlier, usedAt, history }: Comparison, { record }: NamedStep): string {
  const lastOf = (told: CacheHistory["resets"]): string | null => {
    const times = told
      .filter(({ platform }) => platform === "" || platform === record.platform)
      .flatMap(({ at }) => (at >= earlier.createdAt && at <= later.createdAt ? at : []));
    return times.length === 0 ? null : new Date(Math.max(...times)).toISOString();
  };
  const reset = lastOf(history.resets);
  if (reset !== null) return `reset ${reset}`;
  if (earlier.server !== "" && later.server !== "" && earlier.server !== later.server)
    return "on another server, which could not build";
  if (later.createdAt - usedAt > history.unusedDays * DAY_MS) return `unused for ${history.unusedDays} days`;
  const full = lastOf(history.overflows);
  return full === null ? "" : `full ${full}`;
}

function firstOfChain(step: RanStep, steps: ReadonlyMap<string, StepRecord>): RanStep {
  const seen = new Set<string>();
  let first = step;
  for (;;) {
    seen.add(first.record.id);
    const ran = first.record.inputs.flatMap((id) => {
      const record = steps.get(id);
      return record && !record.isCached && !seen.has(id) ? [nameStep(record)] : [];
    });
    const next = ran.find(({ keyword }) => keyword !== "" && keyword !== "FROM");
    if (!next) return first;
    first = next;
  }
}
