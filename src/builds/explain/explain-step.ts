/**
 * Why a step did not come from the layer cache.
 *
 * In: a build, one of its steps, the builds before it. Out: what differs from the nearest of them, by name.
 *
 * 1. The nearest earlier build in which the same step succeeded: rather of the same target, rather of the same branch, then the
 *    newest.
 * 2. The step and what it builds on, inputs first, are compared with the steps of that build. What is found first has to be
 *    mended first. Inputs that came from the cache are looked at only if nothing else differs.
 * 3. Nothing differs: the layer was lost, or a file differs that nobody saw.
 */
import { compareValues, findDifferences, findUnseen } from "./find-differences.ts";
import { MAX_CAUSES, MAX_COMPARED_BUILDS } from "./limits.ts";
import { matchSteps, type NamedStep, nameStep } from "./match-steps.ts";
import { cutCause, describeCauses, type Found } from "./describe-causes.ts";
import type { BuildRecord, CacheHistory, Cause, Explanation, StepRecord } from "./types.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const NO_HISTORY: CacheHistory = { resets: [], unusedDays: Infinity };

interface Comparison {
  later: BuildRecord;
  earlier: BuildRecord;
  matches: ReadonlyMap<string, NamedStep>;
  steps: ReadonlyMap<string, StepRecord>;
  /** Of the newest build before. */
  usedAt: number;
  history: CacheHistory;
}

/** @param earlier builds of the same project, newest first */
export function explainStep(
  build: BuildRecord,
  stepId: string,
  earlier: readonly BuildRecord[],
  history = NO_HISTORY,
): Explanation | null {
  const record = build.steps.find(({ id }) => id === stepId);
  if (!record) return null;
  const step = nameStep(record);
  const said = (summary: string): Explanation => ({ summary, causes: [], comparedBuildId: "" });
  if (record.isCached) return said("It came from the layer cache.");
  if (record.state === "waiting" || record.startedAt === null) return said("It has not run.");
  if (step.keyword === "")
    return said("BuildKit does this in every build; it is never taken from the cache.");
  const before = earlier
    .filter(({ id, createdAt }) => id !== build.id && createdAt <= build.createdAt)
    .slice(0, MAX_COMPARED_BUILDS);
  if (isWithoutCache(build, step)) {
    const cause: Cause = {
      kind: "argument",
      name: "no-cache",
      before: "",
      after: build.withoutCache || "true",
    };
    return explain(step, [{ cause, step }], "");
  }
  const chosen = chooseComparison(build, step, before);
  if (!chosen) return explain(step, [{ cause: causeWithoutMatch(step, before), step }], "");
  const usedAt = Math.max(...before.map(({ createdAt }) => createdAt));
  return explain(step, findCauses({ ...chosen, usedAt, history }, step), chosen.earlier.id);
}

function explain(step: NamedStep, found: readonly Found[], comparedBuildId: string): Explanation {
  const causes = found.slice(0, MAX_CAUSES).map(({ cause }) => cutCause(cause));
  return { summary: describeCauses(step, found), causes, comparedBuildId };
}

const isWithoutCache = ({ withoutCache }: BuildRecord, { stage }: NamedStep) =>
  withoutCache !== null && (withoutCache === "" || withoutCache.split(",").includes(stage));

function chooseComparison(
  later: BuildRecord,
  step: NamedStep,
  before: readonly BuildRecord[],
): Omit<Comparison, "usedAt" | "history"> | null {
  let best: ReturnType<typeof chooseComparison> = null;
  let bestScore = -1;
  const steps = new Map(later.steps.map((record) => [record.id, record]));
  for (const earlier of before) {
    const score =
      (earlier.target === later.target ? 2 : 0) +
      (later.branch !== "" && earlier.branch === later.branch ? 1 : 0);
    if (score <= bestScore) continue;
    const matches = matchSteps(later.steps, earlier.steps);
    if (matches.get(step.record.id)?.record.state !== "succeeded") continue;
    best = { later, earlier, matches, steps };
    bestScore = score;
  }
  return best;
}

function causeWithoutMatch(step: NamedStep, before: readonly BuildRecord[]): Cause {
  const known = before.flatMap(({ steps }) => steps.map(nameStep)).filter(({ text }) => text === step.text);
  const { platform } = step.record;
  const done = known.filter(({ record }) => record.state === "succeeded");
  const other = done.find(({ record }) => record.platform !== platform);
  if (other && !known.some(({ record }) => record.platform === platform))
    return { kind: "platform", name: platform, before: other.record.platform, after: platform };
  if (known.length === 0 && before.some(({ steps }) => steps.length > 0))
    return { kind: "instruction", name: step.text, before: "", after: step.text };
  return { kind: "first", name: step.text, before: "", after: "" };
}

function findCauses(comparison: Comparison, step: NamedStep): Found[] {
  const worked = walk(comparison, step, (input) => !input.isCached || input.name.includes("] FROM "));
  const found = worked.length > 0 ? worked : walk(comparison, step, () => true);
  return found.length > 0 ? found : [whenNothingDiffers(comparison, step)];
}

/** Differences of the step and what it builds on, inputs first. */
function walk(comparison: Comparison, step: NamedStep, goesOn: (input: StepRecord) => boolean): Found[] {
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

/** The first step of the chain that ran has lost its layer, if nothing can differ that is not seen here. */
function whenNothingDiffers(comparison: Comparison, step: NamedStep): Found {
  const { later, earlier, matches, steps } = comparison;
  const first = firstOfChain(step, steps);
  const unseen = findUnseen({ later, earlier, step: first, match: matches.get(first.record.id) ?? first });
  if (unseen !== null)
    return { step: first, cause: { kind: "unknown", name: unseen, before: "", after: "" } };
  // Which variables a step has is known from its recipe alone.
  const [changed] = later.recipe?.steps[first.record.id] ? [] : compareValues(earlier, later);
  if (changed && first.keyword === "RUN") return { step: first, cause: changed };
  const before = new Date(earlier.createdAt).toISOString();
  return {
    step: first,
    cause: { kind: "lost", name: first.text, before, after: whyLost(comparison, first) },
  };
}

/** "": it is not known; mostly others needed the room. */
function whyLost({ later, earlier, usedAt, history }: Comparison, { record }: NamedStep): string {
  const resets = history.resets
    .filter(
      ({ platform, at }) => (platform === "" || platform === record.platform) && at >= earlier.createdAt,
    )
    .filter(({ at }) => at <= later.createdAt);
  if (resets.length > 0) return `reset ${new Date(Math.max(...resets.map(({ at }) => at))).toISOString()}`;
  if (earlier.server !== "" && later.server !== "" && earlier.server !== later.server)
    return "on another server, which could not build";
  return later.createdAt - usedAt > history.unusedDays * DAY_MS
    ? `unused for ${history.unusedDays} days`
    : "";
}

function firstOfChain(step: NamedStep, steps: ReadonlyMap<string, StepRecord>): NamedStep {
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
