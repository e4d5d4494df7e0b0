import type { Build, Step } from "./build-model.ts";

export interface PlatformSteps {
  platform: string;
  /** By stage, in the order in which the stages first appear, and by their position in it. */
  steps: readonly Step[];
}

export interface GroupedSteps {
  /** The builder's own work, and steps that no single platform needs alone. */
  common: readonly Step[];
  platforms: readonly PlatformSteps[];
  /** The end of the build: exports and pushes. */
  last: readonly Step[];
}

/** Each step is in exactly one group. */
export function groupSteps(build: Build): GroupedSteps {
  const common: Step[] = [];
  const last: Step[] = [];
  const platforms = new Map<string, Step[]>();
  for (const step of build.steps) {
    if (step.stage === "export") last.push(step);
    else if (isCommon(step)) common.push(step);
    else {
      const platform = step.platform ?? build.platform;
      const steps = platforms.get(platform);
      if (steps) steps.push(step);
      else platforms.set(platform, [step]);
    }
  }
  return {
    common,
    platforms: [...platforms].map(([platform, steps]) => ({ platform, steps: sortByStage(steps) })),
    last,
  };
}

const isCommon = ({ stage, place, platform }: Step) =>
  stage === "internal" ||
  stage.startsWith("context ") ||
  stage === "auth" ||
  (place === null && platform === null);

/** Builders often name steps from the end of a file to its beginning: the stage whose work began first comes first. */
function sortByStage(steps: readonly Step[]): Step[] {
  const stages = new Map<string, Step[]>();
  for (const step of steps) {
    const stage = stages.get(step.stage);
    if (stage) stage.push(step);
    else stages.set(step.stage, [step]);
  }
  const inOrder = [...stages.values()].map((stage) => stage.sort(byPlace));
  return orderStages(inOrder).flat();
}

const byPlace = (one: Step, other: Step) =>
  (one.place?.at ?? 0) - (other.place?.at ?? 0) || one.number - other.number;

/** A stage comes after those that it needs; otherwise in the order of their first numbers. */
function orderStages(stages: readonly Step[][]): Step[][] {
  const stageOf = new Map(stages.flatMap((stage) => stage.map((step) => [step.id, stage] as const)));
  const ordered = new Set<Step[]>();
  const place = (stage: Step[], above: ReadonlySet<Step[]>) => {
    if (ordered.has(stage) || above.has(stage)) return;
    const path = new Set(above).add(stage);
    const needed = stage.flatMap(({ inputs }) => inputs).flatMap((id) => [stageOf.get(id) ?? []]);
    for (const other of new Set(needed)) if (other.length > 0) place(other, path);
    ordered.add(stage);
  };
  for (const stage of stages) place(stage, new Set());
  return [...ordered];
}

/** The platform of the critical path's last step that has one. */
export function decidingPlatform(build: Build, criticalPath: readonly string[]): string | null {
  const byId = new Map(build.steps.map((step) => [step.id, step]));
  for (const id of criticalPath.toReversed()) {
    const step = byId.get(id);
    if (step && step.stage !== "export" && !isCommon(step)) return step.platform ?? build.platform;
  }
  return null;
}
