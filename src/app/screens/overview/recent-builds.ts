/** The overview's figures of the last builds. Pure. */
import type { Build } from "#api/gen/json-types.ts";
import { RECENT } from "../builds/build-queries.ts";
import { isOver, timeOf, tookOf } from "../builds/build-words.ts";

export interface BuildSum {
  builds: number;
  /** There may be more: even the oldest build that was read is in the range. */
  isPart: boolean;
  succeeded: number;
  failed: number;
  canceled: number;
  savedMs: number;
  /** Median of succeeded builds; null when there are none. */
  medianMs: number | null;
}

/** @param since milliseconds since 1970 */
export function sumBuilds(builds: readonly Build[], since: number): BuildSum {
  const inside = builds.filter((build) => (timeOf(build.created_at) ?? 0) >= since);
  const count = (wanted: string) => inside.filter(({ state }) => state === wanted).length;
  const times = inside
    .filter(({ state }) => state === "succeeded")
    .flatMap((build) => tookOf(build) ?? [])
    .toSorted((one, other) => one - other);
  return {
    builds: inside.length,
    isPart: inside.length === RECENT,
    succeeded: count("succeeded"),
    failed: count("failed"),
    canceled: count("canceled"),
    savedMs: inside.reduce((sum, { saved_ms }) => sum + Number(saved_ms), 0),
    medianMs: times[Math.floor((times.length - 1) / 2)] ?? null,
  };
}

/** The newest ended build of each project and branch, if it failed. */
export function findFailing(builds: readonly Build[]): Build[] {
  const newest = new Map<string, Build>();
  for (const build of builds) {
    const place = `${build.project_id}\n${build.branch}`;
    if (isOver(build) && build.state !== "canceled" && !newest.has(place)) newest.set(place, build);
  }
  return [...newest.values()].filter(({ state }) => state === "failed");
}
