/** The copy over time: it is installed and removed at a reader's word, and follows the server by itself. */
import { CHECK_INTERVAL_MS } from "./limits.ts";
import {
  type Download,
  fetchPackInfo,
  installPack,
  OfflineError,
  type Surroundings,
} from "./install-pack.ts";
import {
  readStoredPack,
  removeStoredPack,
  removeUnused,
  type StoredPack,
  writeStoredPack,
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
  /** Asks for a newer worker where there is a copy, if the server has not been asked for a while. Never throws. */
  follow: () => Promise<void>;
  remove: () => Promise<void>;
}

export interface KeeperOptions extends Surroundings {
  /** The hash of the one copy that is believed: it comes with the worker, not with the description. */
  sha256: string;
  /** Looks for a newer worker. @returns whether one is starting. */
  updateWorker: () => Promise<boolean>;
  /** The reader's browser asks to save data: newer copies are got only at their word. */
  savesData?: () => boolean;
  /** Another copy is in use, or none. */
  onChange: () => void;
}

export function createPackKeeper(options: KeeperOptions): PackKeeper {
  const { caches, fetch, now, onChange, sha256, updateWorker, savesData = () => false } = options;
  /** One at a time: whoever comes second waits for the first. */
  let running: Promise<void> | null = null;
  let stop = new AbortController();

  async function bring(onProgress?: Download["onProgress"]): Promise<void> {
    const { signal } = stop;
    const info = await fetchPackInfo(fetch, signal);
    if (info.sha256 !== sha256) throw notOwn();
    const stored = await readStoredPack(caches);
    // Only the hash is proved: what is stored keeps its own name.
    if (stored?.info.sha256 === sha256)
      await writeStoredPack(caches, { info: stored.info, checkedAt: now() });
    else {
      await removeUnused(caches);
      await installPack(info, options, { signal, ...(onProgress && { onProgress }) }, stored);
    }
    signal.throwIfAborted();
    onChange();
  }

  const install: PackKeeper["install"] = (onProgress) => {
    running ??= bring(onProgress).finally(() => (running = null));
    return running;
  };

  // The clock may have been set back.
  const isEarly = ({ checkedAt }: StoredPack) => Math.abs(now() - checkedAt) < CHECK_INTERVAL_MS;

  /** Asked again after the interval, not with each page; where there is room for nothing, with each page. */
  async function note(problem: unknown, former: StoredPack): Promise<void> {
    const still = await readStoredPack(caches);
    if (still?.info.version !== former.info.version) return;
    const { info } = still;
    await writeStoredPack(caches, { info, checkedAt: now(), problem: sentenceOf(problem) }).catch(() => {});
  }

  return {
    current: () => readStoredPack(caches),
    install,
    async renew() {
      const stored = await readStoredPack(caches);
      if (!stored) return;
      if (!stored.isWanted && (savesData() || (stored.problem !== undefined && isEarly(stored))))
        throw new OfflineError("A newer copy is not loaded now.");
      await install().catch(async (error: unknown) => {
        await note(error, stored);
        throw error;
      });
    },
    async follow() {
      const stored = await readStoredPack(caches);
      if (!stored || savesData() || isEarly(stored)) return;
      try {
        // A newer worker gets its copy by itself.
        if (!(await updateWorker())) await install();
      } catch (error) {
        await note(error, stored);
      }
    },
    async remove() {
      stop.abort();
      await running?.catch(() => {});
      stop = new AbortController();
      await removeStoredPack(caches);
      onChange();
    },
  };
}

const notOwn = () =>
  new OfflineError(
    "The copy that the server describes is not the one that came with its code, and nothing was changed. Try again in a moment.",
  );

/** For the reader. */
export const sentenceOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
