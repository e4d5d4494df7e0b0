/**
 * The offline copy in the browser's cache storage.
 *
 *     millrace-offline             which copy is in use, one small entry
 *     millrace-offline-<version>   its files, each under its address
 *
 * A new copy is written whole beside the old one. The small entry is what switches: until it is replaced the old copy
 * answers, and whatever it does not name is removed. Pages and two workers may write it: each alone.
 */
import { TIDY_MS } from "./limits.ts";
import { INFO_PATH, type PackInfo, readPackInfo } from "./pack-info.ts";

const STATE_CACHE = "millrace-offline";
const STATE_LOCK = "millrace-offline-state";
const WAIT_LOCK = "millrace-offline-wait";
const PACK_CACHE = "millrace-offline-";

export interface StoredPack {
  info: PackInfo;
  /** Milliseconds since 1970: when the server last said which copy is the newest. */
  checkedAt: number;
  /** Why the last update did not come in, for the reader. */
  problem?: string;
  /** The reader has just asked for a newer copy. */
  isWanted?: true;
}

/** The part of `CacheStorage` that is used. */
export type PackCaches = Pick<CacheStorage, "open" | "delete" | "keys" | "match">;

export const packCacheOf = (version: string): string => PACK_CACHE + version;

/** Null without a complete copy. */
export async function readStoredPack(caches: PackCaches): Promise<StoredPack | null> {
  const entry = await caches.match(INFO_PATH, { cacheName: STATE_CACHE });
  const value: unknown = await entry?.json().catch((error: unknown) => {
    // What a broken disk cannot read now may be there.
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

/** A copy can be in use without its files: they were removed by somebody else in the middle. */
export const isThere = async (caches: PackCaches, { version }: PackInfo): Promise<boolean> =>
  (await caches.keys()).includes(packCacheOf(version));

/** Nobody else changes meanwhile which copy is in use. */
export const alone = <Result>(work: () => Promise<Result>): Promise<Result> =>
  navigator.locks.request(STATE_LOCK, work);

/**
 * Around what a reader waits for in a page. Several pages may do it at once; the browser ends it with the page.
 * @param signal ends the wait for its turn, with its reason; what has begun goes on
 */
export const awaited = <Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result> =>
  navigator.locks.request(WAIT_LOCK, { mode: "shared", signal }, work);

/**
 * Does it only where no reader waits for a copy; who asks for one meanwhile waits for this, but not for longer than
 * `TIDY_MS`. Then the signal tells the work to begin nothing more.
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

/** Only inside `alone`: what was read before may have been replaced and removed. */
export async function writeStoredPack(caches: PackCaches, stored: StoredPack): Promise<void> {
  const state = await caches.open(STATE_CACHE);
  await state.put(INFO_PATH, Response.json(stored));
}

/** Writes down what is new about this copy. @returns false when it is not in use any more */
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

/** Removes copies that are not in use: former ones, and what a download that was cut left behind. */
export async function removeUnused(caches: PackCaches): Promise<void> {
  const stored = await readStoredPack(caches);
  const used = stored && packCacheOf(stored.info.version);
  const names = (await caches.keys()).filter((name) => name.startsWith(PACK_CACHE) && name !== used);
  await Promise.all(names.map((name) => caches.delete(name)));
}

/** @returns whether there was anything. */
export const removeStoredPack = (caches: PackCaches): Promise<boolean> =>
  alone(async () => {
    const names = (await caches.keys()).filter((name) => name === STATE_CACHE || name.startsWith(PACK_CACHE));
    // The entry first: what is removed must not be believed to be there.
    await caches.delete(STATE_CACHE);
    await Promise.all(names.map((name) => caches.delete(name)));
    return names.length > 0;
  });
