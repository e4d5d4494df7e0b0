/** What all builders in a cluster share, and what the cluster remembers of who uses them. */
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

/** To remove a pod of which something changes all the time. */
const MOST_TRIES = 10;

export interface Cluster {
  options: KubernetesBuildersOptions;
  /** Of sockets of this process. */
  runFolder: string;
  /** This process, unlike any other. */
  holder: string;
  slots: Map<string, Slot>;
  /** How many milliseconds ago the clock was set. */
  sinceStep: () => number;
}

export function makeCluster(options: KubernetesBuildersOptions): Cluster {
  const { runFolder } = findPlaces(options.dataFolder);
  const { clock, elapsed = () => performance.now(), lookAtClock } = options;
  // One that starts may be the first to see that the database's was set.
  const sinceStep = createClockSteps({ clock, elapsed, ...(lookAtClock && { setAt: elapsed() }) });
  return { options, runFolder, holder: randomBytes(6).toString("hex"), slots: new Map(), sinceStep };
}

export const socketOf = ({ runFolder }: Cluster, { projectId, platform }: BuilderWant): string =>
  join(runFolder, `${namesOf(projectId, platform).run}.sock`);

export const usedByMe = ({ holder, options }: Cluster): Record<string, string> => ({
  [`${USED_BY}${holder}`]: String(options.clock() + USED_MS),
});

/** @returns the pod as it is now; null: it is gone */
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
 * By any server. When the clock was set, until each of them has said anew that it uses the pod, whatever it said before counts. What
 * lasts longer than any server says was written when the clock was ahead.
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

/** @param pods as the cluster has just told them: whoever takes one afterwards changes its version */
export async function findUnused(cluster: Cluster, pods: readonly Pod[], alsoWarm = false): Promise<Pod[]> {
  await cluster.options.lookAtClock?.();
  return pods.filter((pod) => !isUsed(cluster, pod, !alsoWarm));
}

/** @returns whether it is gone, or going; not while somebody uses it */
export async function removeUnused(cluster: Cluster, name: string, alsoWarm = false): Promise<boolean> {
  const { api } = cluster.options;
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const pod = readPod(await api.get("pods", name));
    if (!pod || pod.metadata.deletionTimestamp !== undefined) return true;
    if ((await findUnused(cluster, [pod], alsoWarm)).length === 0) return false;
    // Whoever takes it at this moment changes its version; so does its node, which tells how it is.
    if (await api.remove("pods", name, pod.metadata.resourceVersion)) return true;
  }
  return false;
}

/** @throws ClusterError when it stays */
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

/** Seldom, when it has taken long already. */
export const pause = (begun: number): Promise<void> =>
  wait(performance.now() - begun < 20 * ASK_AGAIN_MS ? ASK_AGAIN_MS : ASK_AGAIN_LATER_MS);

/** The volume of a builder's layer cache; one that was reset goes first. */
export async function ensureClaim(cluster: Cluster, want: BuilderWant): Promise<void> {
  const { api, registryHost } = cluster.options;
  await untilGone(cluster, "persistentvolumeclaims", nameBuilder(registryHost, want));
  await api.create("persistentvolumeclaims", makeClaim(cluster.options, want));
}

/** For whoever asks when no builder runs. */
export async function saveUsage({ options }: Cluster, want: BuilderWant, usage: CacheUsage): Promise<void> {
  const annotations = { [USAGE]: JSON.stringify({ bytes: usage.bytes, layers: usage.layers }) };
  const name = nameBuilder(options.registryHost, want);
  await options.api.patch("persistentvolumeclaims", name, { metadata: { annotations } });
}
