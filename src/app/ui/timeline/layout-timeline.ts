/**
 * Rows of a timeline, positions of their bars, and turns of the critical path. Pure; all times are milliseconds since the build's start.
 */
import { findCriticalPath } from "#platform/text/critical-path.ts";
import { type Build, type Step, sinceStart } from "./build-model.ts";
import { compareSteps, firstToRunAgain } from "./compare-builds.ts";
import { type FoldedSteps, foldSteps } from "./fold-steps.ts";
import { decidingPlatform, groupSteps, type PlatformSteps } from "./group-steps.ts";
import { type LaneBar, packLanes } from "./pack-lanes.ts";
import type { Span } from "./span.ts";

export interface TimelineInput {
  build: Build;
  /** Milliseconds since 1970: the end of running steps. */
  now: number;
  /** Shown below each bar. */
  other?: Build | undefined;
  /** Platforms that the reader opened or closed. */
  choices?: ReadonlyMap<string, boolean>;
  /** All groups are open, and nothing is folded. */
  isAllOpen?: boolean;
  /** Only steps of the critical path. */
  isCriticalOnly?: boolean;
}

export interface StepRow {
  kind: "step";
  key: string;
  /** The folded step whose instruction is shown. */
  step: Step;
  /** All folded steps, in order. */
  steps: readonly Step[];
  /** Null while it waits. */
  span: Span | null;
  isCritical: boolean;
  /** To the next row of the critical path, if any. */
  turn: { rows: number; groups: number } | null;
  /** The same step in the other build. */
  ghost: Span | null;
  isFirstToRunAgain: boolean;
  /** Above the platforms: belongs to none of them. */
  isCommon: boolean;
}

export interface PlatformRow {
  kind: "platform";
  key: string;
  platform: string;
  isOpen: boolean;
  decidesTime: boolean;
  steps: number;
  cached: number;
  done: number;
  /** All its steps are done, while others are not. */
  isReady: boolean;
  /** From its first step's start to its last step's end, or to now. */
  span: Span | null;
  isRunning: boolean;
  lanes: readonly (readonly LaneBar[])[];
  ghost: Span | null;
}

export type TimelineRow = StepRow | PlatformRow;

export interface TimelineLayout {
  rows: readonly TimelineRow[];
  criticalPath: readonly string[];
  /** The last time that must be visible. */
  extent: number;
}

export function layoutTimeline(input: TimelineInput): TimelineLayout {
  const { build, now, other } = input;
  const criticalPath = findCriticalPath(build.steps, now);
  const critical = new Set(criticalPath);
  const { common, platforms, last } = groupSteps(build);
  const deciding = decidingPlatform(build, criticalPath) ?? platforms[0]?.platform;
  const make = { input, critical, ghosts: other ? compareSteps(build, other) : null };
  const rows: TimelineRow[] = common.length > 0 ? stepRows(make, foldIf(input, common), true) : [];
  const again = other ? firstToRunAgain(build) : null;
  for (const group of platforms) {
    const row = platformRow(make, group, group.platform === deciding && platforms.length > 1);
    row.isOpen ||= group.platform === deciding && !input.choices?.has(group.platform);
    const isLast = group.platform === deciding;
    if (input.isCriticalOnly && !hasAny(group.steps, critical) && !isLast) continue;
    rows.push(row);
    if (row.isOpen) rows.push(...stepRows(make, foldIf(input, group.steps), false));
    // The end of the build belongs to the platform that it waited for.
    if (isLast) rows.push(...stepRows(make, foldIf(input, last), platforms.length === 0));
  }
  if (platforms.length === 0) rows.push(...stepRows(make, foldIf(input, last), true));
  for (const row of rows)
    if (row.kind === "step") row.isFirstToRunAgain = row.steps.some(({ id }) => id === again);
  addTurns(rows, criticalPath);
  return { rows, criticalPath, extent: extentOf(input) };
}

interface Make {
  input: TimelineInput;
  critical: ReadonlySet<string>;
  ghosts: ReadonlyMap<string, Span> | null;
}

const hasAny = (steps: readonly Step[], ids: ReadonlySet<string>) => steps.some(({ id }) => ids.has(id));

const foldIf = ({ isAllOpen, isCriticalOnly }: TimelineInput, steps: readonly Step[]): FoldedSteps[] =>
  isAllOpen || isCriticalOnly ? steps.map((step) => ({ shown: step, steps: [step] })) : foldSteps(steps);

function stepRows(
  { input, critical, ghosts }: Make,
  folds: readonly FoldedSteps[],
  isCommon: boolean,
): StepRow[] {
  const rows = folds.map(({ shown, steps }): StepRow => ({
    kind: "step",
    key: shown.id,
    step: shown,
    steps,
    span: spanOf(input, steps),
    isCritical: hasAny(steps, critical),
    turn: null,
    ghost: ghosts && joinSpans(steps.flatMap(({ id }) => ghosts.get(id) ?? [])),
    isFirstToRunAgain: false,
    isCommon,
  }));
  return input.isCriticalOnly ? rows.filter((row) => row.isCritical) : rows;
}

function platformRow(
  { input, ghosts }: Make,
  { platform, steps }: PlatformSteps,
  decidesTime: boolean,
): PlatformRow {
  const span = spanOf(input, steps);
  const isOpen = input.isAllOpen || input.isCriticalOnly || (input.choices?.get(platform) ?? decidesTime);
  const done = steps.filter(({ state }) => state === "cached" || state === "worked").length;
  return {
    kind: "platform",
    key: platform,
    platform,
    isOpen,
    decidesTime,
    steps: steps.length,
    cached: steps.filter(({ state }) => state === "cached").length,
    done,
    isReady: done === steps.length,
    span,
    isRunning: steps.some(({ state }) => state === "running"),
    lanes: isOpen ? [] : packLanes(steps, (step) => spanOf(input, [step])),
    ghost: isOpen || !ghosts ? null : joinSpans(steps.flatMap(({ id }) => ghosts.get(id) ?? [])),
  };
}

function spanOf({ build, now }: TimelineInput, steps: readonly Step[]): Span | null {
  return joinSpans(
    steps.flatMap(({ start, end }) =>
      start === null ? [] : { start: sinceStart(build, start), end: sinceStart(build, end ?? now) },
    ),
  );
}

function joinSpans(spans: readonly Span[]): Span | null {
  if (spans.length === 0) return null;
  const start = Math.min(...spans.map((span) => span.start));
  return { start, end: Math.max(start, ...spans.map((span) => span.end)) };
}

/** Turns from each row of the path to the next visible one. */
function addTurns(rows: readonly TimelineRow[], path: readonly string[]): void {
  const places = new Map(
    rows.flatMap((row, index) =>
      row.kind === "step" ? row.steps.map(({ id }) => [id, index] as const) : [],
    ),
  );
  const shown = path.flatMap((id) => places.get(id) ?? []);
  for (const [index, from] of shown.entries()) {
    const to = shown[index + 1];
    const row = rows[from];
    // The path goes down; a builder's odd order is not drawn.
    if (to === undefined || to <= from || row?.kind !== "step") continue;
    const between = rows.slice(from + 1, to + 1);
    const groups = between.filter(({ kind }) => kind === "platform").length;
    row.turn = { rows: between.length - groups, groups };
  }
}

function extentOf({ build, now, other }: TimelineInput): number {
  const end = sinceStart(build, build.endedAt ?? now);
  if (!other) return end;
  // A running build is drawn up to its last known moment.
  return Math.max(end, sinceStart(other, lastMomentOf(other)));
}

/** The latest time in the builder's messages. Milliseconds since 1970. */
export const lastMomentOf = ({ startedAt, endedAt, steps }: Build): number =>
  steps.reduce(
    (last, { start, end }) => Math.max(last, start ?? last, end ?? last),
    Math.max(startedAt, endedAt ?? startedAt),
  );
