/**
 * The page's side of the offline copy, and the room's entry point. Nothing here runs, and nothing is fetched, until a reader
 * asks for it.
 */
import { fetchPackInfo, OfflineError, sentenceOf } from "./install-pack.ts";
import { CODE_MS, COPY_WAIT_MS, FIRST_WORD_MS, KEEP_MS, LAST_WORD_MS, REMOVAL_MS } from "./limits.ts";
import { type FromWorker, PROBLEM_CHANNEL, type ToWorker } from "./messages.ts";
import { type PackInfo, SCOPE, WORKER_PATH } from "./pack-info.ts";
import {
  awaited,
  noteStoredPack,
  readStoredPack,
  removeStoredPack,
  type StoredPack,
  unlessAwaited,
} from "./stored-pack.ts";

export { CODE_MS, FIRST_WORD_MS } from "./limits.ts";
export { type PackedFile, readPack, writePack } from "./pack-format.ts";
export {
  addressOf,
  INDEX_PATH,
  INFO_PATH,
  MISSING_PATH,
  type PackInfo,
  SCOPE,
  WORKER_PATH,
} from "./pack-info.ts";
export { dayOf } from "./page-mark.ts";
export { sentenceOf } from "./install-pack.ts";
export type { StoredPack } from "./stored-pack.ts";

/** A sentence for the reader if this browser cannot keep a copy here; null if it can. */
export function whyNotOffline(): string | null {
  if (!isSecureContext)
    return "Browsers store a copy only of a site that was loaded over HTTPS, or from this computer (localhost). This page was loaded over plain HTTP: open it over HTTPS.";
  if (!("serviceWorker" in navigator) || !("locks" in navigator) || !("caches" in globalThis))
    return "This browser does not store copies of sites, or not in private windows.";
  return null;
}

/**
 * This browser's copy; null if there is none or there cannot be one.
 * @throws OfflineError with a sentence for the reader if the disk fails or does not answer
 */
export function readOfflineCopy(): Promise<StoredPack | null> {
  const read = readCopy().catch((cause: unknown) => {
    throw new OfflineError(UNREADABLE, { cause });
  });
  return within(COPY_WAIT_MS, read, UNREADABLE);
}

const UNREADABLE =
  "This browser could not check whether it has a copy. Reload this page; if that does not help, remove the copy.";
const TOO_LONG = "This took too long and was stopped. Reload this page.";

async function readCopy(): Promise<StoredPack | null> {
  const stored = whyNotOffline() === null ? await readStoredPack(caches) : null;
  // A worker stores "interrupted" before it begins: while it loads, nothing has failed.
  if (!stored?.problem || !(await findWorker())?.installing) return stored;
  return { info: stored.info, checkedAt: stored.checkedAt };
}

/** Describes the copy before it is downloaded. @throws OfflineError with a sentence for the reader */
export function askForCopy(): Promise<PackInfo> {
  return fetchPackInfo((address, options) => fetch(address, options));
}

/** Starts the worker, if needed, and has it get the newest copy. @throws Error with a sentence for the reader */
export async function keepOfflineCopy(onProgress: (share: number) => void): Promise<void> {
  const had = await readOfflineCopy();
  const keep = async () => tell(await startWorker(had), { type: "install" }, onProgress);
  const turn = new AbortController();
  const late = setTimeout(() => turn.abort(new OfflineError(TOO_LONG)), CODE_MS);
  const begin = () => {
    clearTimeout(late);
    return within(KEEP_MS, keep(), TOO_LONG);
  };
  try {
    await awaited(begin, turn.signal);
  } catch (error) {
    // Another tab may wait for a copy, or have asked for a newer one. Only the first error is shown.
    await unlessAwaited((signal) => (had ? forgetWish(had, error) : removeUnlessKept(signal))).catch(
      () => {},
    );
    throw error;
  }
}

/** Without a copy, the worker would only be in the way; another tab may have brought a copy. */
async function removeUnlessKept(signal: AbortSignal): Promise<void> {
  const stored = await readOfflineCopy();
  if (!stored && !signal.aborted) await removeOfflineCopy(signal);
}

/** A later worker must not load because of this request, which has been answered. */
async function forgetWish({ info, checkedAt }: StoredPack, error: unknown): Promise<void> {
  const stored = await readStoredPack(caches).catch(() => null);
  // A worker that has begun has replaced the entry.
  if (stored?.isWanted)
    await noteStoredPack(caches, info, { checkedAt, problem: sentenceOf(error) }).catch(() => {});
}

/**
 * Removes the copy and the worker, and reads neither.
 * @param signal aborted if another tab gets a copy through the worker, which then stays
 * @returns whether there was a copy or a worker.
 * @throws Error with a sentence for the reader
 */
export async function removeOfflineCopy(signal?: AbortSignal): Promise<boolean> {
  if (whyNotOffline() !== null) return false;
  const registration = await findWorker();
  // A worker that is getting a newer copy would continue, and the browser would wait for it below.
  const workers = [registration?.installing, registration?.active].filter((worker) => worker != null);
  const told = workers.map((worker) => tell(worker, { type: "remove" }).catch(() => {}));
  // The workers may be ending, so the copy is also removed here.
  await Promise.race([Promise.all(told), wait(REMOVAL_MS)]);
  const hadCopy = await within(CODE_MS, removeStoredPack(caches), TOO_LONG);
  if (!signal?.aborted) await Promise.race([registration?.unregister(), wait(REMOVAL_MS)]);
  return hadCopy || registration !== undefined;
}

async function findWorker(): Promise<ServiceWorkerRegistration | undefined> {
  const registrations = await navigator.serviceWorker.getRegistrations();
  return registrations.find(({ scope }) => scope === location.origin + SCOPE);
}

/** The server's newest worker, once it runs. A newer worker brings its copy with it if there was a copy. */
async function startWorker(had: StoredPack | null): Promise<ServiceWorker> {
  await whenIdle(await findWorker());
  const registration = await register();
  await whenIdle(registration);
  // Has no effect if a newer copy is in use by now.
  if (had) {
    const news = { checkedAt: had.checkedAt, isWanted: true } as const;
    // If the disk is full, the worker reports it.
    await noteStoredPack(caches, had.info, news).catch(() => {});
  }
  const channel = new BroadcastChannel(PROBLEM_CHANNEL);
  const problem = new Promise<string>((resolve) =>
    channel.addEventListener("message", ({ data }) => resolve(String(data))),
  );
  try {
    return await whenStarted(await newestWorker(registration), problem);
  } finally {
    channel.close();
  }
}

/** A worker that the browser started on its own does not know about the reader's request, and blocks other updates. */
async function whenIdle(registration?: ServiceWorkerRegistration): Promise<void> {
  if (registration?.active && registration.installing) await whenInstalled(registration.installing);
}

const UNREACHED = "The server could not be reached. Try again once you are online.";

function register(): Promise<ServiceWorkerRegistration> {
  const registered = navigator.serviceWorker
    .register(WORKER_PATH, { scope: SCOPE })
    .catch((cause: unknown) => {
      throw new OfflineError(
        "The browser did not start the offline reader: this site may not be allowed to store data. Allow it, and try again.",
        { cause },
      );
    });
  return within(CODE_MS, registered, UNREACHED);
}

async function newestWorker(registration: ServiceWorkerRegistration): Promise<ServiceWorker> {
  if (registration.active)
    await within(CODE_MS, registration.update(), UNREACHED).catch((cause: unknown) => {
      throw new OfflineError(UNREACHED, { cause });
    });
  const worker = registration.installing ?? registration.waiting ?? registration.active;
  if (!worker) throw new OfflineError("The browser did not start the offline reader. Reload this page.");
  return worker;
}

/** Resolves when the worker has its copy, or has given up. */
const whenInstalled = (worker: ServiceWorker) =>
  new Promise<void>((resolve) => {
    const look = () => void (worker.state !== "installing" && resolve());
    worker.addEventListener("statechange", look);
    look();
  });

/** @param problem the message of a worker that cannot start */
function whenStarted(worker: ServiceWorker, problem: Promise<string>): Promise<ServiceWorker> {
  const silence = async () => {
    await wait(LAST_WORD_MS);
    const stored = await readStoredPack(caches).catch(() => null);
    return stored?.problem ?? "The offline reader could not be started. Reload this page.";
  };
  return new Promise((resolve, reject) => {
    const look = () => {
      if (worker.state === "activated") resolve(worker);
      if (worker.state === "redundant")
        void Promise.race([problem, silence()]).then((sentence) => reject(new OfflineError(sentence)));
    };
    worker.addEventListener("statechange", look);
    look();
  });
}

/** @throws OfflineError with the worker's message, or if it sends nothing */
function tell(worker: ServiceWorker, message: ToWorker, onProgress?: (share: number) => void): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve, reject) => {
    const silent = setTimeout(() => reject(ended()), FIRST_WORD_MS);
    port1.addEventListener("message", ({ data }: MessageEvent<FromWorker>) => {
      clearTimeout(silent);
      if (data.type === "progress" && data.lock !== undefined) void whenWorkerEnds(data.lock).then(reject);
      if (data.type === "progress") return onProgress?.(data.done / data.total);
      port1.close();
      if (data.type === "done") resolve();
      else reject(new OfflineError(data.message));
    });
    port1.start();
    worker.postMessage(message, [port2]);
  });
}

/** A worker that the browser ends in the middle cannot send a message. */
async function whenWorkerEnds(lock: string): Promise<OfflineError> {
  await navigator.locks.request(lock, () => {});
  await wait(LAST_WORD_MS);
  return ended();
}

const ended = () => new OfflineError("The browser stopped the offline reader. Try again in a moment.");

/** @throws OfflineError with this sentence if the work is not done in time; the work continues, but its result is ignored */
async function within<Result>(
  milliseconds: number,
  work: Promise<Result>,
  sentence: string,
): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new OfflineError(sentence)), milliseconds);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

const wait = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));
