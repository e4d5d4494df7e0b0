import { FakeServer } from "./fake-server.ts";
import type { DocsHit } from "./protocol.ts";
import { createSearchClient } from "./search-client.ts";
import { createSearchStore, type Clock, type SearchSnapshot } from "./search-store.ts";

/** A clock that advances only when the test says so. */
export class FakeClock implements Clock {
  #now = 0;
  #timers = new Set<{ at: number; callback: () => void }>();

  after(ms: number, callback: () => void): () => void {
    const timer = { at: this.#now + ms, callback };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  advance(ms: number): void {
    this.#now += ms;
    for (const timer of this.#timers) {
      if (timer.at > this.#now || !this.#timers.delete(timer)) continue;
      timer.callback();
    }
  }
}

export function makeHits(count: number, prefix = "hit"): DocsHit[] {
  return Array.from({ length: count }, (_, i) => ({
    objectID: `${prefix}-${i}`,
    url: `https://site.test/${i}`,
  }));
}

/** A store on a fake server and a fake clock, with everything it reports. */
export function setUpStore(hitsPerPage?: number) {
  const server = new FakeServer();
  const clock = new FakeClock();
  const provider = createSearchClient({ host: "http://site.test", fetch: server.fetch });
  const errors: Error[] = [];
  const statuses: string[] = [];
  const store = createSearchStore({
    provider,
    clock,
    parameters: { indexUid: "docs", ...(hitsPerPage === undefined ? {} : { hitsPerPage }) },
    onError: (error) => errors.push(error),
  });
  store.subscribe(() => {
    const { status } = store.getSnapshot();
    if (statuses.at(-1) !== status) statuses.push(status);
  });
  /** Answers the facets-only query; the store is then about to send its query as request 1. */
  async function start(query: string) {
    store.search(query);
    await server.received(1);
    server.answer(0);
    await server.received(2);
  }
  return { server, clock, provider, store, errors, statuses, start };
}

/** The ids of the hits shown. */
export const ids = (snapshot: SearchSnapshot) => snapshot.hits.map(({ objectID }) => objectID);
