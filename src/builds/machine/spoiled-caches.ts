/**
 * Layer caches whose files have lost the modes that buildkitd gave them. Releases of November 2026 changed the modes of everything
 * below DATA_DIR at each start; so does `chmod -R`, or a folder with setgid. Steps on such a cache fail, or worse, images silently
 * get the wrong modes.
 *
 * They are recognized by two things that buildkitd (0.33) makes before its first build, always with these modes, and never changes:
 *
 *   cache/runc-overlayfs/executor   0711
 *   cache/runc-overlayfs/workerid   0400   written once, so the time of its last change is the time of the first chmod
 *
 * So a start checks two files for each cache, and never its content.
 */
import { lstat, readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { namesOf, type Places, platformOf, isProjectId } from "./places.ts";

const MODES = { executor: 0o711, workerid: 0o400 };
const MODE_BITS = 0o7777;
/** A file written long before its inode was created is a copy: its change time says nothing about the modes. */
const COPY_MS = 1_000;

export interface SpoiledCache {
  projectId: string;
  platform: string;
  /** The earliest time since which images may have wrong modes. */
  since: number;
}

export interface FoundCache {
  projectId: string;
  platform: string;
  folder: string;
}

/**
 * Moves them to where `removeMoved` finds them. They are not in use: no builder was started yet.
 * @param note called first, so that no cache is moved without a note; it may get the same caches again after a crash
 */
export async function resetSpoiled(
  { folder }: Places,
  note: (caches: readonly SpoiledCache[]) => Promise<void>,
): Promise<void> {
  const spoiled: (FoundCache & SpoiledCache)[] = [];
  for (const cache of await findAllCaches(folder)) {
    const since = await spoiledSince(join(cache.folder, "cache"));
    if (since !== null) spoiled.push({ ...cache, since });
  }
  if (spoiled.length === 0) return;
  await note(spoiled.map(({ projectId, platform, since }) => ({ projectId, platform, since })));
  for (const cache of spoiled) await moveCache(folder, cache);
}

async function findAllCaches(folder: string): Promise<FoundCache[]> {
  const found: FoundCache[] = [];
  for (const projectId of await findProjectFolders(folder))
    found.push(...(await findCachesOf(folder, projectId)));
  return found;
}

/** Ids of projects that have, or had, a layer cache. @param folder of all of them */
export async function findProjectFolders(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory() && isProjectId(entry.name)).map(({ name }) => name);
}

export async function findCachesOf(folder: string, projectId: string): Promise<FoundCache[]> {
  const entries = await readdir(join(folder, projectId), { withFileTypes: true }).catch(() => []);
  return entries.flatMap((entry) => {
    const { name } = entry;
    // Programs next to caches have similar names: `programs/buildx-linux-amd64`.
    const platform = entry.isDirectory() ? platformOf(name) : null;
    return platform === null ? [] : [{ projectId, platform, folder: join(folder, projectId, name) }];
  });
}

/** @returns null for a cache that is as buildkitd made it, or that never had a build */
async function spoiledSince(root: string): Promise<number | null> {
  // One for each snapshotter that was used here.
  const workers = (await readdir(root).catch(() => [])).filter((name) => name.startsWith("runc-"));
  const times = await Promise.all(workers.map((name) => workerSpoiledSince(join(root, name))));
  const found = times.filter((time) => time !== null);
  return found.length === 0 ? null : Math.min(...found);
}

async function workerSpoiledSince(folder: string): Promise<number | null> {
  const [executor, workerId] = await Promise.all([
    lstat(join(folder, "executor")).catch(ifGone),
    lstat(join(folder, "workerid")).catch(ifGone),
  ]);
  if (!executor || !workerId) return null;
  const isKept = (workerId.mode & MODE_BITS) === MODES.workerid;
  if (isKept && (executor.mode & MODE_BITS) === MODES.executor) return null;
  const isCopy = workerId.birthtimeMs - workerId.mtimeMs > COPY_MS;
  return Math.floor(isKept || isCopy ? workerId.mtimeMs : workerId.ctimeMs);
}

const MOVED = "removed-";

/** One rename: a crash cannot leave half a cache. @returns where it is now; null if there was none */
export async function moveCache(
  folder: string,
  { projectId, platform, folder: from }: FoundCache,
): Promise<string | null> {
  const to = join(folder, `${MOVED}${namesOf(projectId, platform).key}-${Date.now()}`);
  return rename(from, to).then(
    () => to,
    // Another reset was faster.
    ifGone,
  );
}

/** Moved caches that were not removed because the server ended. */
export const findMoved = async (folder: string): Promise<string[]> =>
  (await readdir(folder).catch(() => []))
    .filter((name) => name.startsWith(MOVED))
    .map((name) => join(folder, name));

function ifGone(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}
