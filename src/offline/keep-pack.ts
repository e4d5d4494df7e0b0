/** The copy over time: it is installed and removed at a reader's word, and follows the server by itself. */
import { CHECK_INTERVAL_MS } from "./limits.ts";
import {
  BROKEN_OFF,
  type Download,
  fetchPackInfo,
  installPack,
  OfflineError,
  sentenceOf,
  type Surroundings,
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
  /** Gets the copy that belongs to this worker, if it is not there already. @throws OfflineError */
  install: (onProgress?: Download["onProgress"]) => Promise<void>;
  /**
   * The same for a worker that is to take a former one's place, with its copy.
   * @throws OfflineError also when it is not to be got now; then the former ones stay.
   */
  renew: () => Promise<void>;
  /**
   * Asks for a newer worker where there is a copy, if the server has not been asked for a while. Where there is none, and
   * nobody waits for one, it removes what a download that was ended has left, and the worker. Never throws.
   */
  follow: () => Promise<void>;
  remove: () => Promise<void>;
}

export interface KeeperOptions extends Surroundings {
  /** The one copy that is believed: its description comes with the worker. The server's must be the same. */
  own: PackInfo;
  /** Looks for a newer worker. @returns whether one is starting. */
  updateWorker: () => Promise<boolean>;
  /** Takes the worker away once its pages are closed. */
  unregister: () => Promise<unknown>;
  /** The reader's browser asks to save data: newer copies are got only at their word. */
  savesData?: () => boolean;
  /** Another copy is in use, or none. */
  onChange: () => void;
}

export function createPackKeeper(options: KeeperOptions): PackKeeper {
  const { caches, fetch, now, onChange, own, updateWorker, savesData = () => false } = options;
  /** One at a time: whoever comes second waits for the first. */
  let running: Promise<void> | null = null;
  let stop = new AbortController();

  /** @param former the copy without which this one is not wanted */
  async function bring(onProgress?: Download["onProgress"], former?: StoredPack): Promise<void> {
    const { signal } = stop;
    const described = await fetchPackInfo(fetch, signal);
    // Not the hash alone: readers are told the day and the size.
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

  /** Asked again after the interval, not with each page; where there is room for nothing, with each page. */
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
      // A worker that the browser ends cannot say so afterwards.
      await note(new OfflineError(BROKEN_OFF), stored);
      await install(undefined, stored).catch(async (error: unknown) => {
        await note(error, stored);
        throw error;
      });
    },
    async follow() {
      // On a disk that fails nothing is known to be absent.
      const stored = await readStoredPack(caches).catch(() => undefined);
      if (stored === null) return running ? undefined : removeLeft(options).catch(() => {});
      if (!stored || savesData() || isEarly(stored)) return;
      try {
        // A newer worker gets its copy by itself.
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
    // Some browsers wait here for the worker's pages: others write meanwhile.
    if (isLeft && !signal.aborted) await unregister();
  });

const removed = () => new OfflineError("The copy was removed in the meantime.");

const notOwn = () =>
  new OfflineError(
    "The server offered a different copy from the one that its code expects, so nothing was changed. Try again in a moment.",
  );
