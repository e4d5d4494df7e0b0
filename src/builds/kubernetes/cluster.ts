/** State that all builders in a cluster share, and the notes in the cluster about who uses them. */
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { createClockSteps } from "#platform/database/clock-steps.ts";
import type { CacheUsage } from "../machine/ask-buildkitd.ts";
import type { BuilderWant, Slot } from "../machine/machine.ts";
import { findPlaces, namesOf } from "../machine/places.ts";
import { ClusterError } from "./api.ts";
import { ASK_AGAIN_LATER_MS, ASK_AGAIN_MS, GONE_MS, USED_MS } from "./limits.ts";
import type { KubernetesBuildersOptions } from "./options.ts";
import { makeClaim, nameBuilder, USAGE, USED_BY, WARM_UNTIL } from "./pod.ts";
import { type Pod, podShape } from "./pod-state.ts";

/** To remove a pod that changes all the time. */
const MOST_TRIES = 10;

export interface Cluster {
  options: KubernetesBuildersOptions;
  /** For sockets of this process. */
  runFolder: string;
  /** Identifies this process. */
  holder: string;
  slots: Map<string, Slot>;
  /** Milliseconds since the clock was set. */
  sinceStep: () => number;
}

export function makeCluster(options: KubernetesBuildersOptions): Cluster {
  const { runFolder } = findPlaces(options.dataFolder);
  const { clock, elapsed = () => performance.now(), lookAtClock } = options;
  // A starting server may be the first to notice that the database's clock was set.
  const sinceStep = createClockSteps({ clock, elapsed, ...(lookAtClock && { setAt: elapsed() }) });
  return { options, runFolder, holder: randomBytes(6).toString("hex"), slots: new Map(), sinceStep };
}

export const socketOf = ({ runFolder }: Cluster, { projectId, platform }: BuilderWant): string =>
  join(runFolder, `${namesOf(projectId, platform).run}.sock`);

export const usedByMe = ({ holder, options }: Cluster): Record<string, string> => ({
  [`${USED_BY}${holder}`]: String(options.clock() + USED_MS),
});

/** @returns the current pod; null: it is gone */
export async function noteUse(
  { options, holder }: Cluster,
  name: string,
  change: { used: true } | { warmMs: number },
): Promise<Pod | null> {
  const key = `${USED_BY}${holder}`;
  const annotations =
    "used" in change
      ? { [key]: String(options.clock() + USED_MS) }
      : { [key]: null, [WARM_UNTIL]: String(options.clock() + change.warmMs) };
  return readPod(await options.api.patch("pods", name, { metadata: { annotations } }));
}

export const readPod = (answer: unknown): Pod | null => (answer === null ? null : podShape.parse(answer));

/**
 * Whether any server uses the pod. After the clock was set, earlier marks count until each server has renewed its own. A mark that
 * lasts longer than servers set it was written when the clock was ahead.
 */
function isUsed({ options, sinceStep }: Cluster, { metadata }: Pod, alsoWarm: boolean): boolean {
  const { clock, idleMs, lookAtClock } = options;
  const isSettled = sinceStep() >= USED_MS;
  const now = clock();
  return Object.entries(metadata.annotations ?? {}).some(([name, until]) => {
    const isMark = name.startsWith(USED_BY);
    if (isMark && !isSettled) return true;
    if (!isMark && !(alsoWarm && name === WARM_UNTIL)) return false;
    const isLikely = (lookAtClock && !isSettled) || Number(until) <= now + 2 * (isMark ? USED_MS : idleMs);
    return Number(until) > now && isLikely;
  });
}

/** @param pods as just listed by the cluster: using one afterwards changes its version */
export async function findUnused(cluster: Cluster, pods: readonly Pod[], alsoWarm = false): Promise<Pod[]> {
  await cluster.options.lookAtClock?.();
  return pods.filter((pod) => !isUsed(cluster, pod, !alsoWarm));
}

/** @returns whether the pod is gone or terminating; false while it is in use */
export async function removeUnused(cluster: Cluster, name: string, alsoWarm = false): Promise<boolean> {
  const { api } = cluster.options;
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const pod = readPod(await api.get("pods", name));
    if (!pod || pod.metadata.deletionTimestamp !== undefined) return true;
    if ((await findUnused(cluster, [pod], alsoWarm)).length === 0) return false;
    // A server that takes it at this moment changes its version; so does its node, which reports its state.
    if (await api.remove("pods", name, pod.metadata.resourceVersion)) return true;
  }
  return false;
}

/** @throws ClusterError when it is still there */
export async function untilGone({ options }: Cluster, kind: "pods" | "persistentvolumeclaims", name: string) {
  const begun = performance.now();
  while (performance.now() - begun < GONE_MS) {
    const found = readState(await options.api.get(kind, name));
    if (!found?.isGoing) return;
    await pause(begun);
  }
  throw new ClusterError(
    `The previous ${kind === "pods" ? "pod" : "volume"} ${name} of this builder still exists after ${GONE_MS / 1000} seconds. Inspect it with kubectl --namespace ${options.namespace} describe ${kind} ${name}.`,
  );
}

function readState(answer: unknown): { isGoing: boolean } | null {
  if (typeof answer !== "object" || answer === null || !("metadata" in answer)) return null;
  const { metadata } = answer;
  const isGoing = typeof metadata === "object" && metadata !== null && "deletionTimestamp" in metadata;
  return { isGoing };
}

/** Longer once it has already taken a while. */
export const pause = (begun: number): Promise<void> =>
  wait(performance.now() - begun < 20 * ASK_AGAIN_MS ? ASK_AGAIN_MS : ASK_AGAIN_LATER_MS);

/** Creates the volume of a builder's layer cache, after a reset one is gone. */
export async function ensureClaim(cluster: Cluster, want: BuilderWant): Promise<void> {
  const { api, registryHost } = cluster.options;
  await untilGone(cluster, "persistentvolumeclaims", nameBuilder(registryHost, want));
  await api.create("persistentvolumeclaims", makeClaim(cluster.options, want));
}

/** For reads when no builder runs. */
export async function saveUsage({ options }: Cluster, want: BuilderWant, usage: CacheUsage): Promise<void> {
  const annotations = { [USAGE]: JSON.stringify({ bytes: usage.bytes, layers: usage.layers }) };
  const name = nameBuilder(options.registryHost, want);
  await options.api.patch("persistentvolumeclaims", name, { metadata: { annotations } });
}
