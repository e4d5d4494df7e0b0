/**
 * The offline copy in the browser's cache storage.
 *
 *     millrace-offline             one small entry that names the copy in use
 *     millrace-offline-<version>   its files, each under its address
 *
 * A new copy is written completely while the old copy stays. Replacing the small entry switches: until then the old copy
 * answers; copies that it does not name are removed. Pages and two workers may write it, one at a time.
 */
import { TIDY_MS } from "./limits.ts";
import { INFO_PATH, type PackInfo, readPackInfo } from "./pack-info.ts";

const STATE_CACHE = "millrace-offline";
const STATE_LOCK = "millrace-offline-state";
const WAIT_LOCK = "millrace-offline-wait";
const PACK_CACHE = "millrace-offline-";

export interface StoredPack {
  info: PackInfo;
  /** Milliseconds since 1970: the time of the server's last description of the newest copy. */
  checkedAt: number;
  /** Why the last update failed, for the reader. */
  problem?: string;
  /** Whether the reader has just asked for a newer copy. */
  isWanted?: true;
}

/** The used part of `CacheStorage`. */
export type PackCaches = Pick<CacheStorage, "open" | "delete" | "keys" | "match">;

export const packCacheOf = (version: string): string => PACK_CACHE + version;

/** @returns null without a complete copy */
export async function readStoredPack(caches: PackCaches): Promise<StoredPack | null> {
  const entry = await caches.match(INFO_PATH, { cacheName: STATE_CACHE });
  const value: unknown = await entry?.json().catch((error: unknown) => {
    // An entry that a broken disk cannot read now may still exist.
    if (error instanceof SyntaxError) return null;
    throw error;
  });
  if (typeof value !== "object" || value === null) return null;
  const { info, checkedAt, problem, isWanted } = value as { [Name in keyof StoredPack]?: unknown };
  const known = readPackInfo(info);
  if (!known || typeof checkedAt !== "number") return null;
  return {
    info: known,
    checkedAt,
    ...(typeof problem === "string" && { problem }),
    ...(isWanted === true && { isWanted }),
  };
}

/** A copy can be in use without its files, if another worker or page removed them at the wrong moment. */
export const isThere = async (caches: PackCaches, { version }: PackInfo): Promise<boolean> =>
  (await caches.keys()).includes(packCacheOf(version));

/** Runs work while no one else can change which copy is in use. */
export const alone = <Result>(work: () => Promise<Result>): Promise<Result> =>
  navigator.locks.request(STATE_LOCK, work);

/**
 * Runs work that a reader in a page waits for. Several pages may do so concurrently; it ends with the page.
 * @param signal ends the wait for its turn, with its reason; work that has begun continues
 */
export const awaited = <Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result> =>
  navigator.locks.request(WAIT_LOCK, { mode: "shared", signal }, work);

/**
 * Runs work only if no reader waits for a copy; a reader who asks for one in the meantime waits for the work, but at most
 * `TIDY_MS`. Then the signal tells the work to start nothing more.
 */
export const unlessAwaited = (work: (signal: AbortSignal) => Promise<unknown>): Promise<void> =>
  navigator.locks.request(WAIT_LOCK, { ifAvailable: true }, async (lock) => {
    if (!lock) return;
    const late = new AbortController();
    const isLate = new Promise<void>((resolve) =>
      late.signal.addEventListener("abort", () => resolve(), { once: true }),
    );
    const timer = setTimeout(() => late.abort(), TIDY_MS);
    await Promise.race([work(late.signal), isLate]).finally(() => clearTimeout(timer));
  });

/** Call it only inside `alone`: a copy that was read before may have been replaced and removed. */
export async function writeStoredPack(caches: PackCaches, stored: StoredPack): Promise<void> {
  const state = await caches.open(STATE_CACHE);
  await state.put(INFO_PATH, Response.json(stored));
}

/** Stores news about this copy. @returns false if it is no longer in use */
export const noteStoredPack = (
  caches: PackCaches,
  { version }: PackInfo,
  news: Omit<StoredPack, "info">,
): Promise<boolean> =>
  alone(async () => {
    const stored = await readStoredPack(caches);
    if (stored?.info.version !== version) return false;
    await writeStoredPack(caches, { info: stored.info, ...news });
    return true;
  });

/** Removes copies that are not in use: former copies, and leftovers of interrupted downloads. */
export async function removeUnused(caches: PackCaches): Promise<void> {
  const stored = await readStoredPack(caches);
  const used = stored && packCacheOf(stored.info.version);
  const names = (await caches.keys()).filter((name) => name.startsWith(PACK_CACHE) && name !== used);
  await Promise.all(names.map((name) => caches.delete(name)));
}

/** @returns whether there was anything to remove. */
export const removeStoredPack = (caches: PackCaches): Promise<boolean> =>
  alone(async () => {
    const names = (await caches.keys()).filter((name) => name === STATE_CACHE || name.startsWith(PACK_CACHE));
    // The entry first: removed files must not count as an existing copy.
    await caches.delete(STATE_CACHE);
    await Promise.all(names.map((name) => caches.delete(name)));
    return names.length > 0;
  });
