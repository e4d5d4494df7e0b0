/** The copy over time: it is installed and removed at a reader's word, and follows the server by itself. */
import { CHECK_INTERVAL_MS } from "./limits.ts";
import { type Download, fetchPackInfo, installPack, type Surroundings } from "./install-pack.ts";
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
  /** Gets the newest copy, if it is not there already. @throws OfflineError */
  install: (onProgress?: Download["onProgress"]) => Promise<void>;
  /** The same where there is a copy, if the server has not been asked for a while. Never throws. */
  follow: () => Promise<void>;
  remove: () => Promise<void>;
}

export interface KeeperOptions extends Surroundings {
  /** The reader's browser asks to save data: newer copies are got only at their word. */
  savesData?: () => boolean;
  /** Another copy is in use, or none. */
  onChange: () => void;
}

export function createPackKeeper(options: KeeperOptions): PackKeeper {
  const { caches, fetch, now, onChange, savesData = () => false } = options;
  /** One at a time: whoever comes second waits for the first. */
  let running: Promise<void> | null = null;
  let stop = new AbortController();

  async function bring(onProgress?: Download["onProgress"]): Promise<void> {
    const { signal } = stop;
    const info = await fetchPackInfo(fetch, signal);
    const stored = await readStoredPack(caches);
    if (stored?.info.version === info.version) await writeStoredPack(caches, { info, checkedAt: now() });
    else {
      await removeUnused(caches);
      await installPack(info, options, { signal, ...(onProgress && { onProgress }) });
    }
    signal.throwIfAborted();
    onChange();
  }

  const install: PackKeeper["install"] = (onProgress) => {
    running ??= bring(onProgress).finally(() => (running = null));
    return running;
  };

  return {
    current: () => readStoredPack(caches),
    install,
    async follow() {
      const stored = await readStoredPack(caches);
      if (!stored || savesData() || now() - stored.checkedAt < CHECK_INTERVAL_MS) return;
      await install().catch(async (error: unknown) => {
        const still = await readStoredPack(caches);
        if (still?.info.version !== stored.info.version) return;
        // Asked again after the interval, not with each page; where there is room for nothing, with each page.
        await writeStoredPack(caches, { ...still, checkedAt: now(), problem: sentenceOf(error) }).catch(
          () => {},
        );
      });
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

const sentenceOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
