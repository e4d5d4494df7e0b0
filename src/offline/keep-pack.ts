/** The copy over time: the reader installs and removes it, and it follows the server automatically. */
import { CHECK_INTERVAL_MS } from "./limits.ts";
import {
  BROKEN_OFF,
  type Download,
  fetchPackInfo,
  installPack,
  OfflineError,
  sentenceOf,
  type InstallEnvironment,
} from "./install-pack.ts";
import { type PackInfo, readPackInfo } from "./pack-info.ts";
import {
  alone,
  isThere,
  noteStoredPack,
  readStoredPack,
  removeStoredPack,
  removeUnused,
  type StoredPack,
  unlessAwaited,
} from "./stored-pack.ts";

export interface PackKeeper {
  /** The copy in use; null without one. */
  current: () => Promise<StoredPack | null>;
  /** Gets the copy that belongs to this worker, if it does not exist. @throws OfflineError */
  install: (onProgress?: Download["onProgress"]) => Promise<void>;
  /**
   * The same for a worker that replaces a former worker and its copy.
   * @throws OfflineError also if it should not be loaded now; then the former ones stay.
   */
  renew: () => Promise<void>;
  /**
   * If there is a copy, looks for a newer worker, unless the server was asked recently. Without a copy, and if no reader
   * waits for one, removes the rest of an ended download, and the worker. Never throws.
   */
  follow: () => Promise<void>;
  remove: () => Promise<void>;
}

export interface KeeperOptions extends InstallEnvironment {
  /** The only accepted copy, described in the worker itself. The server's description must be the same. */
  own: PackInfo;
  /** Looks for a newer worker. @returns whether one is starting. */
  updateWorker: () => Promise<boolean>;
  /** Removes the worker once its pages are closed. */
  unregister: () => Promise<unknown>;
  /** Whether the browser asks to save data: then newer copies are loaded only if the reader asks. */
  savesData?: () => boolean;
  /** Called when another copy is in use, or none. */
  onChange: () => void;
}

export function createPackKeeper(options: KeeperOptions): PackKeeper {
  const { caches, fetch, now, onChange, own, updateWorker, savesData = () => false } = options;
  /** One installation at a time: a second caller waits for the first. */
  let running: Promise<void> | null = null;
  let stop = new AbortController();

  /** @param former the copy that must still exist, or this one is not wanted */
  async function bring(onProgress?: Download["onProgress"], former?: StoredPack): Promise<void> {
    const { signal } = stop;
    const described = await fetchPackInfo(fetch, signal);
    // All fields, not only the hash: readers see the day and the size.
    if (JSON.stringify(described) !== JSON.stringify(readPackInfo(own))) throw notOwn();
    const stored = await readStoredPack(caches);
    if (former && !stored) throw removed();
    const isSame = stored?.info.sha256 === own.sha256 && (await isThere(caches, stored.info));
    if (!isSame || !(await noteStoredPack(caches, stored.info, { checkedAt: now() }))) {
      await alone(() => removeUnused(caches));
      await installPack(own, options, { signal, ...(onProgress && { onProgress }) }, stored);
    }
    signal.throwIfAborted();
    onChange();
  }

  const install = (...wanted: Parameters<typeof bring>) => {
    running ??= bring(...wanted).finally(() => (running = null));
    return running;
  };

  // The clock may have been set back.
  const isEarly = ({ checkedAt }: StoredPack) => Math.abs(now() - checkedAt) < CHECK_INTERVAL_MS;

  /** Retried after the interval, not with each page; but with each page if there is no space to write this. */
  async function note(problem: unknown, former: StoredPack): Promise<void> {
    const news = { checkedAt: now(), problem: sentenceOf(problem) };
    await noteStoredPack(caches, former.info, news).catch(() => {});
  }

  return {
    current: () => readStoredPack(caches),
    install: (onProgress) => install(onProgress),
    async renew() {
      const stored = await readStoredPack(caches);
      if (!stored) return;
      if (!stored.isWanted && (savesData() || (stored.problem !== undefined && isEarly(stored))))
        throw new OfflineError("A newer copy is not being loaded right now.");
      // Written in advance: a worker that the browser ends cannot write it.
      await note(new OfflineError(BROKEN_OFF), stored);
      await install(undefined, stored).catch(async (error: unknown) => {
        await note(error, stored);
        throw error;
      });
    },
    async follow() {
      // If the disk fails, the copy may still exist.
      const stored = await readStoredPack(caches).catch(() => undefined);
      if (stored === null) return running ? undefined : removeLeft(options).catch(() => {});
      if (!stored || savesData() || isEarly(stored)) return;
      try {
        // A newer worker gets its copy on its own.
        if (!(await updateWorker())) await install();
      } catch (error) {
        await note(error, stored);
      }
    },
    async remove() {
      stop.abort(removed());
      await running?.catch(() => {});
      stop = new AbortController();
      await removeStoredPack(caches);
      onChange();
    },
  };
}

const removeLeft = ({ caches, unregister }: KeeperOptions): Promise<void> =>
  unlessAwaited(async (signal) => {
    const isLeft = await alone(async () => {
      if (signal.aborted || (await readStoredPack(caches))) return false;
      await removeUnused(caches);
      return true;
    });
    // Outside the lock, because some browsers wait here for the worker's pages.
    if (isLeft && !signal.aborted) await unregister();
  });

const removed = () => new OfflineError("The copy was removed in the meantime.");

const notOwn = () =>
  new OfflineError(
    "The server offered a different copy from the one that its code expects, so nothing was changed. Try again in a moment.",
  );
