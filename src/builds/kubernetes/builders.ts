/**
 * Builders as pods of a Kubernetes cluster (decision 037), behind the same interface as those of a machine. The cluster's state is
 * authoritative: this process may be one of several, and may have been killed before.
 */
import { rm } from "node:fs/promises";
import { z } from "zod";
import { askUsage, pruneAll } from "../machine/ask-buildkitd.ts";
import { CANNOT, type Capability, IMAGES } from "../machine/capability.ts";
import type { Builders, BuilderPlace, BuilderWant } from "../machine/machine.ts";
import { checkProjectId, namesOf } from "../machine/places.ts";
import { holdSlot } from "../machine/slot.ts";
import { ClusterError } from "./api.ts";
import { type Cluster, findUnused, makeCluster, removeUnused, untilGone } from "./cluster.ts";
import { SWEEP_MS } from "./limits.ts";
import type { KubernetesBuildersOptions } from "./options.ts";
import { type BuilderIs, nameBuilder, PLATFORM, PROJECT, projectLabels, serverLabel, USAGE } from "./pod.ts";
import { podShape } from "./pod-state.ts";
import { startPodSlot } from "./pod-slot.ts";

export interface KubernetesBuilders extends Builders {
  /** Removes unused pods, as it does every minute. */
  sweep: () => Promise<void>;
}

/** Does not contact the cluster: a server starts even when its API is unreachable. */
export async function createKubernetesBuilders(
  options: KubernetesBuildersOptions,
): Promise<KubernetesBuilders> {
  const cluster = makeCluster(options);
  await rm(cluster.runFolder, { recursive: true, force: true });
  let isClosed = false;
  let failed = "";
  const sweep = async () => {
    try {
      await removeAllUnused(cluster);
      failed = "";
    } catch (error) {
      // Logged once, not every minute.
      const message = error instanceof Error ? error.message : String(error);
      if (message !== failed) options.log.warn(`Could not look for unused builders: ${message}`);
      failed = message;
    }
  };
  const sweeping = setInterval(() => void sweep(), SWEEP_MS).unref();
  return {
    open: (want) => openPlace(cluster, want, () => isClosed),
    usage: (projectId) => readUsages(cluster, projectId),
    reset: (projectId, platform) => resetProject(cluster, projectId, platform),
    isShared: true,
    projects: () => findProjects(cluster),
    platforms: () => options.platforms,
    check: () => checkCluster(options),
    machine: async () => null,
    sweep,
    async close() {
      isClosed = true;
      clearInterval(sweeping);
      await Promise.all([...cluster.slots.values()].map((slot) => slot.close()));
      await rm(cluster.runFolder, { recursive: true, force: true });
    },
  };
}

async function openPlace(
  cluster: Cluster,
  want: BuilderWant,
  isClosed: () => boolean,
): Promise<BuilderPlace> {
  const { key } = namesOf(want.projectId, want.platform);
  const { slots } = cluster;
  for (;;) {
    if (isClosed()) throw new ClusterError("The server is stopping and starts no more builders.");
    const slot = slots.get(key) ?? startPodSlot(cluster, key, want);
    slots.set(key, slot);
    const place = await slot.take(want);
    if (place) return place;
  }
}

async function removeAllUnused(cluster: Cluster): Promise<void> {
  const { options } = cluster;
  const { items } = z
    .object({ items: z.array(podShape) })
    .parse(await options.api.list("pods", serverLabel(options.registryHost)));
  const staying = items.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  for (const { metadata } of await findUnused(cluster, staying))
    await options.api.remove("pods", metadata.name, metadata.resourceVersion);
}

/** What the cluster lets this server run, for each platform. */
async function checkCluster({
  api,
  registryHost,
  platforms,
}: KubernetesBuildersOptions): Promise<Capability[]> {
  const lost = await api.list("pods", serverLabel(registryHost)).then(
    () => "",
    (error: unknown) => `${CANNOT}: ${error instanceof Error ? error.message : String(error)}`,
  );
  const state = lost === "" ? "ready" : "missing";
  return platforms.map((platform) => ({ name: IMAGES + platform, state, lost, command: "" }));
}

const claimList = z.object({
  items: z.array(
    z.object({
      metadata: z.object({
        labels: z.record(z.string(), z.string()),
        annotations: z.record(z.string(), z.string()).optional(),
        deletionTimestamp: z.string().optional(),
      }),
    }),
  ),
});
const savedUsage = z.object({ bytes: z.number().nonnegative(), layers: z.number().nonnegative() });

async function findClaims({ options, slots }: Cluster, projectId: string) {
  checkProjectId(projectId);
  const { registryHost, api } = options;
  const found = await api.list("persistentvolumeclaims", projectLabels(registryHost, projectId));
  return claimList.parse(found).items.flatMap(({ metadata }) => {
    const platform = metadata.labels[PLATFORM]?.replaceAll("-", "/");
    if (platform === undefined || metadata.deletionTimestamp !== undefined) return [];
    const slot = slots.get(namesOf(projectId, platform).key);
    return [{ platform, slot, saved: readSaved(metadata.annotations?.[USAGE]) }];
  });
}

async function findProjects({ options }: Cluster): Promise<readonly string[]> {
  const found = await options.api.list("persistentvolumeclaims", serverLabel(options.registryHost));
  return [...new Set(claimList.parse(found).items.flatMap(({ metadata }) => metadata.labels[PROJECT] ?? []))];
}

function readSaved(text = "") {
  try {
    return savedUsage.parse(JSON.parse(text));
  } catch {
    return { bytes: 0, layers: 0 };
  }
}

async function readUsages(cluster: Cluster, projectId: string) {
  const claims = await findClaims(cluster, projectId);
  return Promise.all(
    claims.map(async ({ platform, slot, saved }) => {
      const socket = slot?.socket() ?? null;
      // The builder may stop meanwhile.
      const asked = socket === null ? null : await askUsage(socket).catch(() => null);
      return { platform, ...(asked ?? saved) };
    }),
  );
}

async function resetProject(
  cluster: Cluster,
  projectId: string,
  only?: string,
): Promise<{ freedBytes: number }> {
  let freedBytes = 0;
  const claims = await findClaims(cluster, projectId);
  for (const { platform, slot, saved } of claims) {
    if (only !== undefined && platform !== only) continue;
    const socket = slot && slot.idleSince() === null ? slot.socket() : null;
    freedBytes +=
      socket === null
        ? await removeCache(cluster, { projectId, platform }, saved.bytes)
        : await pruneAll(socket);
  }
  return { freedBytes };
}

/** Builds that request it meanwhile wait. */
async function removeCache(cluster: Cluster, builder: BuilderIs, bytes: number): Promise<number> {
  const { options, slots } = cluster;
  const { key } = namesOf(builder.projectId, builder.platform);
  for (let slot = slots.get(key); slot; slot = slots.get(key)) await slot.close();
  return holdSlot(cluster, key, async () => {
    const name = nameBuilder(options.registryHost, builder);
    if (!(await removeUnused(cluster, name, true)))
      throw new ClusterError(
        `Builds on another server are using the layer cache for ${builder.platform}. Reset it after they end.`,
      );
    await untilGone(cluster, "pods", name);
    const isThere = await options.api.remove("persistentvolumeclaims", name);
    return isThere ? bytes : 0;
  });
}
