/**
 * The builders of this machine: one for each project and platform. It starts when a build needs it, stays warm for a while after
 * its last build, and keeps its layer cache.
 *
 *   open ──► none          ──► start ──► users 1 ──release──► users 0 ──idleMs──► stop
 *        ──► runs          ──► users + 1
 *        ──► starts, stops ──► waits for that, and looks again
 */
import { mkdir, rm } from "node:fs/promises";
import type { Log } from "#platform/log/log.ts";
import { askUsage, pruneAll, readUsage } from "./ask-buildkitd.ts";
import { checkMachine, describeLacks, describeMachine, lacksOf } from "./check/check-machine.ts";
import { findControlGroups } from "./control-groups.ts";
import { removeLeftovers } from "./leftovers.ts";
import { MAX_BUILDERS_OF_ONE, MAX_WARM_BUILDERS } from "./limits.ts";
import {
  type Builders,
  type BuilderPlace,
  type BuildersOptions,
  type BuilderWant,
  folderOf,
  type Machine,
  type Slot,
} from "./machine.ts";
import { checkProjectId, findPlaces, namesOf } from "./places.ts";
import { findPlatforms } from "./platforms.ts";
import { holdSlot, startSlot } from "./slot.ts";
import {
  findCachesOf,
  findMoved,
  findProjectFolders,
  type FoundCache,
  moveCache,
  resetSpoiled,
} from "./spoiled-caches.ts";
import { createTurns, once } from "./turns.ts";
import { removeFolder } from "./user-namespace.ts";

/** First removes what a killed server has left. */
export async function createBuilders(options: BuildersOptions): Promise<Builders> {
  const { dataFolder, log } = options;
  const places = findPlaces(dataFolder);
  const left = await removeLeftovers(places);
  const groups = await findControlGroups(places.name);
  const ended = left + groups.ended;
  if (ended > 0) log.warn(`Ended ${ended} builder processes that a killed server left behind`);
  if (groups.missing !== null)
    log.warn(
      `Builders run without some of their limits, because control groups are missing: ${groups.missing}`,
    );
  await resetSpoiled(places, options.noteSpoiled);
  // There may be millions of files, and no builder waits for them.
  void removeMoved(places.folder, log);
  const turns = createTurns({ most: MAX_WARM_BUILDERS, mostOfOne: MAX_BUILDERS_OF_ONE, ...options.turns });
  const machine: Machine = { options, places, groups, turns, slots: new Map() };
  let isClosed = false;
  return {
    async open(want, turn) {
      const leave = await turns.take(namesOf(want.projectId, want.platform).key, want.organizationId, turn);
      try {
        const place = await openPlace(machine, want, () => isClosed);
        return { ...place, release: once(() => (place.release(), leave())) };
      } catch (error) {
        leave();
        throw error;
      }
    },
    usage: (projectId) => readUsages(machine, projectId),
    reset: (projectId, platform) => resetProject(machine, projectId, platform),
    projects: () => findProjects(machine),
    platforms: () => findPlatforms(),
    check: shareRunning(() => checkMachine(machine)),
    machine: () => describeMachine(machine),
    async close() {
      isClosed = true;
      // A builder that is starting already has its slot.
      await Promise.all([...machine.slots.values()].map((slot) => slot.close()));
      await groups.close();
      await rm(places.runFolder, { recursive: true, force: true });
    },
  };
}

/** A caller that arrives during a run gets the same answer. */
function shareRunning<Result>(run: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | null = null;
  return () => (running ??= run().finally(() => (running = null)));
}

async function openPlace(
  machine: Machine,
  want: BuilderWant,
  isClosed: () => boolean,
): Promise<BuilderPlace> {
  const { key } = namesOf(want.projectId, want.platform);
  const { slots } = machine;
  for (;;) {
    if (isClosed()) throw new Error("The server is stopping and starts no more builders.");
    const found = slots.get(key);
    const slot = found ?? startSlot(machine, key, () => prepare(machine, want), want);
    if (!found) slots.set(key, slot);
    const place = await slot.take(want);
    if (place) return { ...place, isNew: !found };
  }
}

/** Checks before a builder starts. */
async function prepare(machine: Machine, want: BuilderWant): Promise<string> {
  await makeRoom(machine);
  // A full disk is checked when the builder runs, which may free some space.
  const lacks = (await lacksOf(machine)).filter(({ kind }) => kind !== "disk");
  if (lacks.length > 0) throw new Error(describeLacks(lacks));
  const buildkitd = await machine.options.findBuildkitd();
  const folder = folderOf(machine, want);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return buildkitd;
}

/** When there are too many builders, stops the one that has been idle the longest, of the organization with the most builders. */
async function makeRoom({ options, slots }: Machine): Promise<void> {
  if (slots.size < (options.turns?.most ?? MAX_WARM_BUILDERS)) return;
  const countOf = ({ want }: Slot) =>
    [...slots.values()].filter((other) => other.want?.organizationId === want?.organizationId).length;
  const [first] = [...slots.values()]
    .filter(({ idleSince }) => idleSince() !== null)
    .map((slot) => ({ slot, count: countOf(slot), since: slot.idleSince() ?? 0 }))
    .toSorted((one, other) => other.count - one.count || one.since - other.since);
  // If none is idle, others are ending or being reset.
  await first?.slot.close();
}

async function readUsages(machine: Machine, projectId: string) {
  const found = await findCaches(machine, projectId);
  return Promise.all(
    found.map(async ({ platform, folder, slot }) => {
      const socket = slot?.socket() ?? null;
      // The builder may stop meanwhile.
      const asked = socket === null ? null : await askUsage(socket).catch(() => null);
      const usage = asked ?? (await readUsage(folder));
      return { platform, ...usage };
    }),
  );
}

async function resetProject(
  machine: Machine,
  projectId: string,
  only?: string,
): Promise<{ freedBytes: number }> {
  let freedBytes = 0;
  const caches = await findCaches(machine, projectId);
  for (const { platform, folder, slot } of caches) {
    if (only !== undefined && platform !== only) continue;
    const socket = slot && slot.idleSince() === null ? slot.socket() : null;
    freedBytes +=
      socket === null ? await removeCache(machine, { projectId, platform, folder }) : await pruneAll(socket);
  }
  return { freedBytes };
}

/** Not while a builder uses it: a warm builder is stopped, and requests for it wait meanwhile. */
async function removeCache(machine: Machine, { projectId, platform, folder }: FoundCache): Promise<number> {
  const { key } = namesOf(projectId, platform);
  // A faster caller may have started a new builder, or another reset.
  for (let slot = machine.slots.get(key); slot; slot = machine.slots.get(key)) await slot.close();
  return holdSlot(machine, key, async () => {
    const { bytes } = await readUsage(folder);
    const moved = await moveCache(machine.places.folder, { projectId, platform, folder });
    if (moved === null) return 0;
    await removeFolder(moved);
    return bytes;
  });
}

/** Removes what a crash, or the reset of spoiled caches, has left. */
async function removeMoved(folder: string, log: Log): Promise<void> {
  for (const each of await findMoved(folder))
    await removeFolder(each).catch((error: unknown) => {
      log.warn("A layer cache that was reset could not be removed. The next start tries again.", {
        folder: each,
        error,
      });
    });
}

/** After a reset, a project's folder stays, without caches. */
async function findProjects(machine: Machine): Promise<string[]> {
  const found: string[] = [];
  for (const name of await findProjectFolders(machine.places.folder))
    if ((await findCaches(machine, name)).length > 0) found.push(name);
  return found;
}

async function findCaches({ places, slots }: Machine, projectId: string) {
  checkProjectId(projectId);
  const found = await findCachesOf(places.folder, projectId);
  return found.map((cache) => ({ ...cache, slot: slots.get(namesOf(projectId, cache.platform).key) }));
}
