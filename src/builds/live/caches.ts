/** Layer caches of a project, on any server: behind a load balancer, a request may reach any of them. */
import { askDatabase, authorize, getProject, quoteReference, Refused } from "#accounts/index.ts";
import type { Builds } from "../contract/builds.ts";
import type { CacheUsage } from "../machine/ask-buildkitd.ts";
import { KNOWN_PLATFORMS } from "../machine/platforms.ts";
import type { BuildParts } from "../contract/parts.ts";
import { noteReset } from "../records/resets.ts";
import { findCachedProjects, inPortions } from "./cached-projects.ts";
import { type Answer, createCacheAsks } from "./cache-asks.ts";
import { createLayerBytes } from "./layer-bytes.ts";
import { unavailable } from "./open-place.ts";
import type { Servers } from "./servers.ts";

type Parts = BuildParts & { servers: Servers };
type Usage = { platform: string } & CacheUsage;

export interface Caches extends Pick<Builds, "cacheUsage" | "layerBytes" | "layerCaches" | "resetCache"> {
  /** Handles the requests of other servers. */
  look: () => Promise<void>;
  /** No more sizes are read for reports. */
  stop: () => void;
}

export function createCaches(parts: Parts): Caches {
  const { accounts, builders, log } = parts;
  const asks = createCacheAsks(parts, async ({ kind, project_id: projectId, platform }) => {
    try {
      if (kind === "usage") return { caches: [...(await builders.usage(projectId))] };
      return await builders.reset(projectId, platform || undefined);
    } catch (error) {
      return { error: unavailable(error).message };
    }
  });
  // Each request waits for seconds and polls the database.
  const shareUsages = createShared<readonly Usage[]>();
  const resetInTurn = createTurns<number>();
  const readUsages = async (projectId: string) => {
    const own = builders.usage(projectId).catch(throwUnavailable);
    if (builders.isShared) return own;
    const ask = { kind: "usage", project_id: projectId, platform: "" } as const;
    const [mine, answers] = await Promise.all([own, askDatabase(() => asks.ask(ask))]);
    // A server that does not answer is treated as gone.
    if (answers.includes(null)) log.warn("A server did not report the size of its layer caches.");
    return addUsages([...mine, ...answers.flatMap((each) => (each && "caches" in each ? each.caches : []))]);
  };
  const readShared = (projectId: string) => shareUsages(projectId, () => readUsages(projectId));
  const layerBytes = createLayerBytes(parts, readShared);
  const listOwn = createOwnList(parts);
  return {
    look: () => asks.look(),
    stop: () => layerBytes.stop(),
    async cacheUsage(caller, projectId) {
      const project = await getProject(accounts, caller, { projectId });
      const found = await readShared(project.id);
      return found.map((each) => ({ ...each, quotaBytes: project.cacheSizeBytes }));
    },
    async layerBytes(caller, projectId) {
      const known = { ...parts, builders: { projects: listOwn } };
      const projects = await findCachedProjects(known, caller, projectId);
      return layerBytes.sum(projects.map(({ id }) => id));
    },
    async layerCaches(caller) {
      const projects = await findCachedProjects(parts, caller);
      return inPortions(projects, async ({ id, quotaBytes }) => {
        const found = await readShared(id);
        return { projectId: id, caches: found.map((each) => ({ ...each, quotaBytes })) };
      });
    },
    async resetCache(caller, { projectId, platform }) {
      const project = await getProject(accounts, caller, { projectId });
      const resource = { name: `project ${project.id}`, organizationId: project.organizationId, projectId };
      const refused = authorize(caller.actor, "layer-cache.reset", resource);
      if (refused) throw refused;
      requirePlatform(builders.platforms(), platform);
      const ask = { kind: "reset", project_id: project.id, platform } as const;
      const others = () => askDatabase(() => asks.ask(ask));
      const own = () => builders.reset(project.id, platform || undefined);
      const reset = builders.isShared ? resetShared : resetAll;
      const freedBytes = await resetInTurn(`${project.id} ${platform}`, () => reset(own, others));
      layerBytes.forget(project.id);
      await askDatabase(() => noteReset(parts, project.id, platform));
      return freedBytes;
    },
  };
}

/** For reports, which have other figures as well: builders that fail leave the last known projects. */
function createOwnList({ builders, log }: Pick<Parts, "builders" | "log">) {
  let last: readonly string[] = [];
  return async () => {
    try {
      last = await builders.projects();
    } catch (error) {
      log.warn("Could not list this server's layer caches for a report.", { error });
    }
    return last;
  };
}

type Share<Value> = (key: string, run: () => Promise<Value>) => Promise<Value>;

/** A caller that arrives while the same question runs gets its answer. */
function createShared<Value>(): Share<Value> {
  const running = new Map<string, Promise<Value>>();
  return (key, run) => {
    const shared = running.get(key) ?? run().finally(() => running.delete(key));
    running.set(key, shared);
    return shared;
  };
}

/** A caller that arrives during a run shares the next one: the current run may have passed what was written since. */
function createTurns<Value>(): Share<Value> {
  const running = new Map<string, Promise<Value>>();
  const waiting = new Map<string, Promise<Value>>();
  const begin: Share<Value> = (key, run) => {
    waiting.delete(key);
    const begun = run().finally(() => running.delete(key));
    running.set(key, begun);
    return begun;
  };
  return (key, run) => {
    const [now, known] = [running.get(key), waiting.get(key)];
    if (known) return known;
    if (!now) return begin(key, run);
    const go = () => begin(key, run);
    const next = now.then(go, go);
    waiting.set(key, next);
    return next;
  };
}

async function resetAll(
  own: () => Promise<{ freedBytes: number }>,
  askOthers: () => Promise<(Answer | null)[]>,
): Promise<number> {
  const [mine, answers] = await Promise.all([own().catch(throwUnavailable), askOthers()]);
  requireAnswers(answers);
  return mine.freedBytes + sumFreed(answers);
}

/** A server whose builds use a builder removes what they do not need; for the other servers, that builder is in use. */
async function resetShared(
  own: () => Promise<{ freedBytes: number }>,
  askOthers: () => Promise<(Answer | null)[]>,
): Promise<number> {
  try {
    return (await own()).freedBytes;
  } catch (error) {
    const answers = await askOthers();
    if (answers.some((each) => each && "freedBytes" in each)) return sumFreed(answers);
    return throwUnavailable(error);
  }
}

function requireAnswers(answers: readonly (Answer | null)[]): void {
  for (const answer of answers)
    if (answer && "error" in answer) throw new Refused("unavailable", answer.error);
  if (answers.includes(null))
    throw new Refused(
      "unavailable",
      "a server of this installation has not emptied its part of the layer cache yet: it will do so by itself, at the latest when it is back online",
    );
}

const sumFreed = (answers: readonly (Answer | null)[]): number =>
  answers.reduce((sum, each) => sum + (each && "freedBytes" in each ? each.freedBytes : 0), 0);

/** A builder that moved to another server has left its earlier cache on the first one. */
function addUsages(all: readonly Usage[]): Usage[] {
  const byPlatform = new Map<string, Usage>();
  for (const { platform, bytes, layers } of all) {
    const known = byPlatform.get(platform);
    byPlatform.set(platform, {
      platform,
      bytes: bytes + (known?.bytes ?? 0),
      layers: layers + (known?.layers ?? 0),
    });
  }
  return [...byPlatform.values()].toSorted((one, other) => (one.platform < other.platform ? -1 : 1));
}

/** Also accepts the platforms of other servers. */
function requirePlatform(own: readonly string[], platform: string): void {
  const known = [...new Set([...KNOWN_PLATFORMS, ...own])];
  if (platform === "" || known.includes(platform)) return;
  throw new Refused(
    "invalid_argument",
    `platform ${quoteReference(platform)} must be one of: ${known.join(", ")}`,
    { field: "platform" },
  );
}

/** A builder's error says what to do. */
function throwUnavailable(error: unknown): never {
  throw unavailable(error);
}
