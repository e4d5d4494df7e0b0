/**
 * The room's second entry point, for code without Node.js: searches of one index, answered word for word as the server
 * does. The service worker of the offline copy uses nothing else of this room.
 */
import { toResponse } from "./protocol/errors.ts";
import { DEFAULT_LIMITS } from "./protocol/limits.ts";
import { multiSearchSteps } from "./searches/multi-search.ts";
import { parseJsonBody } from "./payloads/parse-json-body.ts";
import { createSearchQueue } from "./searches/queue.ts";
import { createSearchStore } from "./catalog/store.ts";

export interface IndexFile {
  uid: string;
  bytes: Uint8Array;
  /** See the engine's `OpenOptions`. */
  showText: (text: string) => string;
}

/**
 * Opens the index. Searches have turns, so that other work in this thread is not held up.
 * @returns a function that answers the body of a `POST /multi-search`. @throws Error for a file that cannot
 * be read.
 */
export function openSearchAnywhere({ uid, ...file }: IndexFile): (body: string) => Promise<Response> {
  const store = createSearchStore();
  store.replace(uid, file.bytes, { showText: file.showText });
  const options = { limits: DEFAULT_LIMITS, now: () => performance.now() };
  const queue = createSearchQueue({ ...options, nextTurn: (callback) => void setTimeout(callback) });
  return async (body) => {
    try {
      return Response.json(await queue.run(multiSearchSteps(store, parseJsonBody(body), options)));
    } catch (error) {
      return toResponse(error, (reason) => console.error("A search failed:", reason));
    }
  };
}
