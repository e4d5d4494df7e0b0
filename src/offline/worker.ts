/**
 * The service worker of the offline copy, served as `/offline-worker.js`. It is registered when a reader asks for a copy, for
 * `/docs` alone; other pages never use it. See README.md.
 */
import { openSearchAnywhere } from "#search-server/anywhere.ts";
import { fillIndexedAddress, siteAddress } from "#docs/address/site-address.ts";
import { createAnswerer, readAsked } from "./answer-request.ts";
import { OfflineError, sentenceOf } from "./install-pack.ts";
import { createPackKeeper } from "./keep-pack.ts";
import { type FromWorker, PROBLEM_CHANNEL, type ToWorker } from "./messages.ts";
import { INDEX_PATH, type PackInfo, SCOPE } from "./pack-info.ts";
import { readOnce } from "./read-once.ts";
import { packCacheOf, type StoredPack } from "./stored-pack.ts";
import { workerScope } from "./worker-scope.ts";

/** The name of the documentation's index. Set by the build. */
declare const __INDEX_NAME__: string;
/** The description of the copy that was built with this worker, as JSON. Set by the build. */
declare const __PACK_INFO__: string;

const { origin } = location;
/** Read when first needed: the browser ends and starts this worker as it likes. */
const stored = readOnce(() => keeper.current());
const search = readOnce(openIndex);

const keeper = createPackKeeper({
  caches,
  fetch: (address, options) => fetch(address, options),
  origin,
  // The build wrote it.
  own: JSON.parse(__PACK_INFO__) as PackInfo,
  async updateWorker() {
    const { registration } = workerScope;
    await registration.update().catch((cause: unknown) => {
      // The browser's own message is not for readers.
      throw new OfflineError("The server did not send the offline reader.", { cause });
    });
    return registration.installing !== null;
  },
  unregister: () => workerScope.registration.unregister(),
  now: Date.now,
  estimate: () => navigator.storage.estimate(),
  savesData: () => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true,
  onChange() {
    stored.forget();
    search.forget();
  },
});

async function find(path: string): Promise<Response | undefined> {
  const pack = await stored.get();
  const found = pack && (await findIn(pack, path));
  if (found) return found;
  // A newer worker may have brought another copy, and a page may have removed this one.
  const now = await keeper.current();
  if (now?.info.version === pack?.info.version) return undefined;
  stored.forget();
  search.forget();
  return now ? findIn(now, path) : undefined;
}

const findIn = ({ info }: StoredPack, path: string) =>
  caches.match(origin + path, { cacheName: packCacheOf(info.version) });

async function openIndex() {
  const file = await find(INDEX_PATH);
  if (!file) return null;
  return openSearchAnywhere({
    uid: __INDEX_NAME__,
    bytes: new Uint8Array(await file.arrayBuffer()),
    showText: (text) => fillIndexedAddress(text, siteAddress(origin)),
  });
}

const answer = createAnswerer({
  find,
  async search(body) {
    const ask = await search.get().catch(() => null);
    return ask?.(body);
  },
  fetch: (request) => fetch(request),
  wait: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  now: Date.now,
});

workerScope.addEventListener("install", (event) => {
  // A new worker brings the copy that it was built with: until both are ready, the old ones stay.
  const bring = async () => {
    if (workerScope.registration.scope !== origin + SCOPE)
      throw new Error(`This worker is only for ${SCOPE}.`);
    await keeper.renew().catch((error: unknown) => {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other origin
      new BroadcastChannel(PROBLEM_CHANNEL).postMessage(sentenceOf(error));
      throw error;
    });
    await workerScope.skipWaiting();
  };
  event.waitUntil(bring());
});

workerScope.addEventListener("fetch", (event) => {
  const asked = readAsked(event.request, origin);
  if (!asked) return;
  event.respondWith(answer(event.request, asked, () => event.waitUntil(keeper.follow())));
});

workerScope.addEventListener("message", (event) => {
  const [port] = event.ports;
  // Only pages of this origin can send messages here.
  const type = (event.data as Partial<ToWorker> | null)?.type;
  if (type !== "install" && type !== "remove") return;
  const say = (message: FromWorker) => port?.postMessage(message);
  const install = () => {
    // A lock for this work only: another page must not wait for it.
    const lock = crypto.randomUUID();
    return navigator.locks.request(lock, async () => {
      say({ type: "progress", done: 0, total: 1, lock });
      await report(async () => {
        await keeper.install((done, total) => say({ type: "progress", done, total }));
        await workerScope.clients.claim();
      });
    });
  };
  const report = (work: () => Promise<void>) =>
    work().then(
      () => say({ type: "done" }),
      (error: unknown) => say({ type: "failed", message: sentenceOf(error) }),
    );
  event.waitUntil(type === "remove" ? report(keeper.remove) : install());
});
