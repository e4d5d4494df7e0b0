/**
 * Whether a build is slower than those before it, and which step made it so.
 *
 * Time varies: a machine is busy, a network is slow. So medians are compared, and a slower time counts only if it is far outside
 * the usual range (by the median absolute deviation), and in two builds in a row: with heavy-tailed times, one run in twenty is far
 * outside. A build that found less in the cache has its own explanation: so a step is compared with its own past runs, except those
 * from the cache, and it must account for half of the lost time.
 *
 *   builds  60 61 59 62 60 60 61 59 88   90      50 % slower than its last 9
 *   step 7  20 21 19 20 20 21 20 20 47   48      since the commit of the 88
 */
export interface TimedBuild {
  commitSha: string;
  durationMs: number;
  /** Milliseconds of work of steps that ran, without cached ones, by a key that is the same in all builds. */
  steps: ReadonlyMap<string, number>;
}

export interface Regression {
  percent: number;
  comparedBuilds: number;
  /** A key of `steps`. */
  step: string;
  /** "" when the builds have no commit. */
  sinceCommit: string;
}

export const COMPARED_BUILDS = 20;
const MIN_COMPARED = 8;
const MIN_RUNS = 5;
const MIN_PERCENT = 20;
const MIN_MS = 3000;
/** In standard deviations; the median absolute deviation of normal noise is 1/1.4826 of one. */
const FAR = 4;
const MAD_TO_DEVIATION = 1.4826;
/** Even the steadiest step varies by this share of its time. */
const LEAST_DEVIATION = 0.03;

/** The median of the latest successful builds, newest first, in whole milliseconds. Null when there are too few. */
export function usualMs(durations: readonly number[]): number | null {
  return durations.length < 3 ? null : Math.round(median(durations.slice(0, COMPARED_BUILDS)));
}

/** @param earlier builds of the same project, target and platforms that succeeded, newest first */
export function findRegression(build: TimedBuild, earlier: readonly TimedBuild[]): Regression | null {
  const compared = earlier.slice(0, COMPARED_BUILDS);
  if (compared.length < MIN_COMPARED) return null;
  const durations = compared.map(({ durationMs }) => durationMs);
  const usual = median(durations);
  const lostMs = build.durationMs - usual;
  const percent = Math.round((lostMs / Math.max(usual, 1)) * 100);
  if (percent < MIN_PERCENT || lostMs < MIN_MS || !isFar(build.durationMs, durations, FAR)) return null;
  let worst: { step: string; excess: number; since: number } | null = null;
  for (const [step, ms] of build.steps) {
    const runs = compared.flatMap(({ steps, commitSha }) => {
      const run = steps.get(step);
      return run === undefined ? [] : [{ ms: run, commitSha }];
    });
    const times = runs.map((run) => run.ms);
    if (times.length < MIN_RUNS || !isFar(ms, times, FAR)) continue;
    const since = countSlow(times);
    if (since === 0) continue;
    const excess = ms - median(times);
    if (excess * 2 >= lostMs && (!worst || excess > worst.excess)) worst = { step, excess, since };
  }
  if (!worst) return null;
  const { step, since } = worst;
  const slow = [build, ...compared.filter(({ steps }) => steps.has(step))][since];
  return { percent, comparedBuilds: compared.length, step, sinceCommit: slow?.commitSha ?? "" };
}

/** How many of the newest runs, in a row, were as slow. */
function countSlow(times: readonly number[]): number {
  const end = times.findIndex((ms) => !isFar(ms, times, FAR));
  return Math.max(end, 0);
}

function isFar(ms: number, times: readonly number[], deviations: number): boolean {
  const middle = median(times);
  const spread = median(times.map((time) => Math.abs(time - middle))) * MAD_TO_DEVIATION;
  return ms - middle > deviations * Math.max(spread, middle * LEAST_DEVIATION);
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  const middle = sorted.length >> 1;
  const [low = 0, high = 0] = [sorted[(sorted.length - 1) >> 1], sorted[middle]];
  return (low + high) / 2;
}
