/**
 * The builders of this machine: one for each project and platform, started when a build wants it, warm for a while after
 * its last build, its layer cache kept.
 *
 *   open ──► none          ──► start ──► users 1 ──release──► users 0 ──idleMs──► stop
 *        ──► runs          ──► users + 1
 *        ──► starts, stops ──► waits for it, and looks again
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

/** Removes what a killed server has left first. */
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
  // Millions of files, which no builder waits for.
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
      // A builder that starts at the moment has its slot already.
      await Promise.all([...machine.slots.values()].map((slot) => slot.close()));
      await groups.close();
      await rm(places.runFolder, { recursive: true, force: true });
    },
  };
}

/** Whoever asks while it runs gets the same answer. */
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

/** What is asked before anything is started. */
async function prepare(machine: Machine, want: BuilderWant): Promise<string> {
  await makeRoom(machine);
  // A full disk is looked at when its builder runs, which may free some of it.
  const lacks = (await lacksOf(machine)).filter(({ kind }) => kind !== "disk");
  if (lacks.length > 0) throw new Error(describeLacks(lacks));
  const buildkitd = await machine.options.findBuildkitd();
  const folder = folderOf(machine, want);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return buildkitd;
}

/** Where there are too many, the one that waits the longest is stopped, of the organization that has the most of them. */
async function makeRoom({ options, slots }: Machine): Promise<void> {
  if (slots.size < (options.turns?.most ?? MAX_WARM_BUILDERS)) return;
  const countOf = ({ want }: Slot) =>
    [...slots.values()].filter((other) => other.want?.organizationId === want?.organizationId).length;
  const [first] = [...slots.values()]
    .filter(({ idleSince }) => idleSince() !== null)
    .map((slot) => ({ slot, count: countOf(slot), since: slot.idleSince() ?? 0 }))
    .toSorted((one, other) => other.count - one.count || one.since - other.since);
  // Without one, others end or are reset at the moment.
  await first?.slot.close();
}

async function readUsages(machine: Machine, projectId: string) {
  const found = await findCaches(machine, projectId);
  return Promise.all(
    found.map(async ({ platform, folder, slot }) => {
      const socket = slot?.socket() ?? null;
      // It may stop meanwhile.
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

/** Not while a builder uses it: one that is warm is stopped, and one that is asked for meanwhile waits. */
async function removeCache(machine: Machine, { projectId, platform, folder }: FoundCache): Promise<number> {
  const { key } = namesOf(projectId, platform);
  // Whoever was quicker has another builder or another reset of it.
  for (let slot = machine.slots.get(key); slot; slot = machine.slots.get(key)) await slot.close();
  return holdSlot(machine, key, async () => {
    const { bytes } = await readUsage(folder);
    const moved = await moveCache(machine.places.folder, { projectId, platform, folder });
    if (moved === null) return 0;
    await removeFolder(moved);
    return bytes;
  });
}

/** What a crash, or the reset of what was spoiled, has left. */
async function removeMoved(folder: string, log: Log): Promise<void> {
  for (const each of await findMoved(folder))
    await removeFolder(each).catch((error: unknown) => {
      log.warn("A layer cache that was reset could not be removed. The next start tries again.", {
        folder: each,
        error,
      });
    });
}

/** A project's folder stays after a reset, without caches. */
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
