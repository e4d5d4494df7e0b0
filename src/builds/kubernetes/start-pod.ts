/**
 * From nothing to a buildkitd that answers, in a cluster:
 *
 *   pod is there ──► note its use ─────────────────────────────┐
 *   pod is over  ──► remove it, wait, begin again              ├─► wait until it runs ──► dial it ──► it answers
 *   none         ──► volume ──► pod ──► its Secret ────────────┘
 *
 * Another server may do this at the same time: the name is the same, so one server creates the pod and the others find it.
 */
import { answers } from "../machine/ask-buildkitd.ts";
import type { BuilderWant } from "../machine/machine.ts";
import { ClusterError } from "./api.ts";
import { type Bridge, openBridge } from "./bridge.ts";
import {
  type Cluster,
  ensureClaim,
  noteUse,
  pause,
  readPod,
  removeUnused,
  socketOf,
  untilGone,
  usedByMe,
} from "./cluster.ts";
import { POD_PORT, RENEW_MS, START_MS } from "./limits.ts";
import { makePod, nameBuilder } from "./pod.ts";
import { makeSecret, nameSecret, readDial } from "./pod-secret.ts";
import { judgePod, type Pod } from "./pod-state.ts";

/** From the start of the pod to buildkitd's first answer. */
const ANSWER_MS = 45_000;

export interface StartedPod {
  name: string;
  socket: string;
  bridge: Bridge;
  /** Whether this start created the pod. */
  isNew: boolean;
}

/** @param onLost called when a connection to it ends on its own. @throws ClusterError */
export async function startPod(cluster: Cluster, want: BuilderWant, onLost: () => void): Promise<StartedPod> {
  const name = nameBuilder(cluster.options.registryHost, want);
  const { pod, isNew } = await findOrCreate(cluster, want, name);
  try {
    const ready = await untilItRuns(cluster, pod);
    const socket = socketOf(cluster, want);
    const bridge = await dial(cluster, { ...ready, socket }, onLost);
    return { name, socket, bridge, isNew };
  } catch (error) {
    // No one else waits for it, or it is just as broken for them.
    await noteUse(cluster, name, { warmMs: 0 }).catch(() => null);
    await removeUnused(cluster, name, true).catch(() => false);
    throw error;
  }
}

async function findOrCreate(
  cluster: Cluster,
  want: BuilderWant,
  name: string,
): Promise<{ pod: Pod; isNew: boolean }> {
  const { api } = cluster.options;
  const begun = performance.now();
  while (performance.now() - begun < START_MS) {
    const found = await noteUse(cluster, name, { used: true });
    if (found && judgePod(found).is !== "over") return { pod: found, isNew: false };
    if (found) await api.remove("pods", name, found.metadata.resourceVersion);
    await untilGone(cluster, "pods", name);
    const created = await create(cluster, want, name);
    if (created) return { pod: created, isNew: true };
    await pause(begun);
  }
  throw new ClusterError(`The pod ${name} could not be created within ${START_MS / 60_000} minutes`);
}

/** @returns null: another server created it first */
async function create(cluster: Cluster, want: BuilderWant, name: string): Promise<Pod | null> {
  const { options } = cluster;
  await ensureClaim(cluster, want);
  const secretName = nameSecret(name);
  const annotations = usedByMe(cluster);
  const pod = readPod(await options.api.create("pods", makePod(options, want, { secretName, annotations })));
  if (!pod) return null;
  if (options.isolation === "user-namespace" && pod.spec.hostUsers !== false) {
    // Without user namespaces, the pod would be root on its node.
    await options.api.remove("pods", name);
    throw new ClusterError(
      "This cluster does not support user namespaces for pods (hostUsers), which Kubernetes has since 1.33. Set MILLRACE_BUILDER_ISOLATION=rootless, or privileged if builds may be root on their nodes.",
    );
  }
  await options.api.create("secrets", await makeSecret(options, want, { name: secretName, pod }));
  return pod;
}

interface ReadyPod {
  pod: Pod;
  address: string;
}

async function untilItRuns(cluster: Cluster, first: Pod): Promise<ReadyPod> {
  const { api } = cluster.options;
  const { name } = first.metadata;
  const begun = performance.now();
  let noted = begun;
  let pod: Pod | null = first;
  for (;;) {
    if (!pod) throw new ClusterError("The builder could not start: its pod was removed from the cluster.");
    const state = judgePod(pod);
    if (state.is === "ready") return { pod, address: state.address };
    if (state.is === "over") throw new ClusterError(`The builder could not start: ${state.why}.`);
    if (performance.now() - begun > START_MS)
      throw new ClusterError(`The builder did not start within ${START_MS / 60_000} minutes: ${state.why}.`);
    await pause(begun);
    if (performance.now() - noted > RENEW_MS) {
      noted = performance.now();
      pod = await noteUse(cluster, name, { used: true });
    } else {
      pod = readPod(await api.get("pods", name));
    }
  }
}

async function dial(
  cluster: Cluster,
  { pod, address, socket }: ReadyPod & { socket: string },
  onLost: () => void,
): Promise<Bridge> {
  const { api, portOf } = cluster.options;
  const secretName = pod.spec.volumes?.find(({ secret }) => secret)?.secret?.secretName ?? "";
  const secret = await api.get("secrets", secretName);
  if (secret === null)
    throw new ClusterError(
      `The Secret ${secretName} of the builder's pod is gone. The next build creates both.`,
    );
  const port = portOf?.(address) ?? POD_PORT;
  let isReady = false;
  const bridge = await openBridge(socket, readDial(secret, address, port), () => isReady && onLost());
  try {
    await untilItAnswers(cluster, { pod, address, socket });
    isReady = true;
    return bridge;
  } catch (error) {
    await bridge.close();
    throw error;
  }
}

async function untilItAnswers(
  { options }: Cluster,
  { pod, address, socket }: ReadyPod & { socket: string },
): Promise<void> {
  const begun = performance.now();
  while (performance.now() - begun < ANSWER_MS) {
    if (await answers(socket)) return;
    const now = readPod(await options.api.get("pods", pod.metadata.name));
    const state = now && judgePod(now);
    if (!state || state.is === "over")
      throw new ClusterError(`The builder ended before it responded: ${state?.why ?? "its pod is gone"}.`);
    await pause(begun);
  }
  throw new ClusterError(
    `The builder's pod runs at ${address} but does not respond to this server on port ${POD_PORT}. Check whether a network policy keeps this server out of the namespace ${options.namespace}.`,
  );
}
