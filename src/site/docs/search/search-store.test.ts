/**
 * 1. idle → loading → idle; `stalled` after exactly 200 ms of waiting, `isLate` after 150 ms, neither afterwards.
 * 2. The answer to a newer query is never overwritten by an older one, in whatever order answers come; the superseded
 *    request is aborted.
 * 3. Old hits stay while a search runs and when it fails; `clear` drops them and aborts.
 * 4. An answer at hand is shown at once, without `loading` and without a request.
 * 5. A failure is reported once, keeps query and hits, and both `retry` and the next search recover.
 * 6. One hit more than a page is asked and not shown; `searchMore` appends the next page.
 * 7. Asking for the same query twice asks once.
 * 8. A query with results at hand is answered from the start; a page without its results starts with the error, and
 *    the first search asks.
 */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FakeServer } from "./fake-server.ts";
import { searchQuery, type DocsHit } from "./protocol.ts";
import { createSearchClient } from "./search-client.ts";
import { createSearchStore, type Clock, type SearchSnapshot } from "./search-store.ts";

class FakeClock implements Clock {
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

function makeHits(count: number, prefix = "hit"): DocsHit[] {
  return Array.from({ length: count }, (_, i) => ({
    objectID: `${prefix}-${i}`,
    url: `https://site.test/${i}`,
  }));
}

function setUp(hitsPerPage?: number) {
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

const ids = (snapshot: SearchSnapshot) => snapshot.hits.map(({ objectID }) => objectID);

describe("status", () => {
  it("goes through loading and stalled (1)", async () => {
    const { server, clock, store, statuses, start } = setUp();
    expect(store.getSnapshot()).toMatchObject({ status: "idle", query: null, answeredQuery: null, hits: [] });
    await start("docker");
    clock.advance(149);
    expect(store.getSnapshot()).toMatchObject({ status: "loading", isLate: false });
    clock.advance(1);
    expect(store.getSnapshot()).toMatchObject({ status: "loading", isLate: true });
    clock.advance(49);
    expect(store.getSnapshot().status).toBe("loading");
    clock.advance(1);
    expect(store.getSnapshot().status).toBe("stalled");
    server.answer(1, { hits: makeHits(2) });
    await server.settled();
    expect(store.getSnapshot()).toMatchObject({
      status: "idle",
      isLate: false,
      answeredQuery: "docker",
      total: 2,
    });
    expect(statuses).toEqual(["loading", "stalled", "idle"]);
  });

  it("does not stall after a fast answer (1)", async () => {
    const { server, clock, store, start } = setUp();
    await start("docker");
    server.answer(1);
    await server.settled();
    clock.advance(1000);
    expect(store.getSnapshot()).toMatchObject({ status: "idle", isLate: false });
  });

  it("counts lateness from the first unanswered search (1)", () => {
    const { clock, store } = setUp();
    store.search("d");
    clock.advance(100);
    store.search("do");
    clock.advance(50);
    expect(store.getSnapshot()).toMatchObject({ status: "loading", isLate: true });
  });

  it("forgets lateness with the answer (1)", async () => {
    const { server, clock, store } = setUp();
    store.search("d");
    clock.advance(100);
    store.search("do");
    await server.received(1);
    server.answer(0);
    await server.received(2);
    server.answer(1);
    await server.settled();
    clock.advance(1000);
    expect(store.getSnapshot()).toMatchObject({ status: "idle", isLate: false, answeredQuery: "do" });
  });
});

describe("the newest search wins", () => {
  it("aborts the superseded request (2)", async () => {
    const { server, store, start } = setUp();
    await start("d");
    store.search("do");
    expect(server.requests[1]?.signal?.aborted).toBe(true);
    await server.received(3);
    server.answer(2, { hits: makeHits(1, "do") });
    await server.settled();
    expect(ids(store.getSnapshot())).toEqual(["do-0"]);
  });

  it("whatever the order of the answers, even when aborting does not help (2)", async () => {
    const orders = fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 5 });
    await fc.assert(
      fc.asyncProperty(orders, async (order) => {
        const settle: ((hits: DocsHit[]) => void)[] = [];
        const store = createSearchStore({
          parameters: { indexUid: "docs" },
          clock: new FakeClock(),
          provider: {
            peek: () => undefined,
            warm: () => {},
            seed: () => {},
            search: ([request]) => {
              const { promise, resolve } = Promise.withResolvers<DocsHit[]>();
              settle.push(resolve);
              const query = request?.query ?? "";
              return promise.then((hits) => [{ indexUid: "docs", query, hits, processingTimeMs: 1 }]);
            },
          },
        });
        for (const n of order.keys()) store.search(`q${n}`);
        for (const n of order) {
          settle[n]?.(makeHits(1, `q${n}`));
          await Promise.resolve().then(() => {});
        }
        expect(store.getSnapshot()).toMatchObject({ status: "idle", query: "q4", answeredQuery: "q4" });
        expect(ids(store.getSnapshot())).toEqual(["q4-0"]);
      }),
      { numRuns: 30 },
    );
  });
});

describe("hits", () => {
  it("stay while the next search runs, and go with clear (3)", async () => {
    const { server, store, start } = setUp();
    await start("d");
    server.answer(1, { hits: makeHits(2) });
    await server.settled();
    store.search("do");
    expect(store.getSnapshot()).toMatchObject({ status: "loading", query: "do", answeredQuery: "d" });
    expect(store.getSnapshot().hits).toHaveLength(2);
    await server.received(3);
    store.clear();
    expect(server.requests[2]?.signal?.aborted).toBe(true);
    expect(store.getSnapshot()).toMatchObject({ status: "idle", query: null, answeredQuery: null, hits: [] });
    await server.settled();
    expect(store.getSnapshot().hits).toEqual([]);
  });

  it("are shown at once when they are at hand (4)", async () => {
    const { server, store, statuses, start } = setUp();
    await start("d");
    server.answer(1, { hits: makeHits(2) });
    await server.settled();
    store.clear();
    statuses.length = 0;
    store.search("d");
    expect(store.getSnapshot()).toMatchObject({ status: "idle", answeredQuery: "d" });
    expect(store.getSnapshot().hits).toHaveLength(2);
    expect(statuses).toEqual(["idle"]);
    expect(server.requests).toHaveLength(2);
  });

  it("come page by page (6)", async () => {
    const { server, store, start } = setUp(2);
    await start("d");
    server.answer(1, { hits: makeHits(3), total: 5 });
    await server.settled();
    expect(store.getSnapshot()).toMatchObject({ hasMore: true, total: 5 });
    expect(ids(store.getSnapshot())).toEqual(["hit-0", "hit-1"]);
    store.searchMore();
    store.searchMore();
    await server.received(3);
    expect(JSON.parse(server.bodies[2] ?? "").queries[0]).toMatchObject({ limit: 3, offset: 2 });
    server.answer(2, { hits: makeHits(1, "second"), total: 5 });
    await server.settled();
    expect(store.getSnapshot().hasMore).toBe(false);
    expect(ids(store.getSnapshot())).toEqual(["hit-0", "hit-1", "second-0"]);
    store.searchMore();
    expect(server.requests).toHaveLength(3);
  });

  it("are asked for once (7)", async () => {
    const { server, store, start } = setUp();
    await start("d");
    store.search("d");
    server.answer(1);
    await server.settled();
    store.search("d");
    expect(server.requests).toHaveLength(2);
  });
});

describe("start", () => {
  const parameters = { indexUid: "docs" };
  const query = { indexUid: "docs", query: "d" };

  it("shows results that came with the page (8)", () => {
    const server = new FakeServer();
    const provider = createSearchClient({ host: "http://site.test", fetch: server.fetch });
    const answer = {
      indexUid: "docs",
      query: "d",
      hits: makeHits(2),
      processingTimeMs: 1,
      estimatedTotalHits: 9,
    };
    provider.seed({ docs: { query: searchQuery(query), answer } });
    const store = createSearchStore({ provider, parameters, initialQuery: "d" });
    expect(store.getSnapshot()).toMatchObject({ status: "idle", query: "d", answeredQuery: "d", total: 9 });
    store.search("d");
    expect(server.requests).toHaveLength(0);
  });

  it("shows that they did not come, and asks again (8)", async () => {
    const server = new FakeServer();
    const provider = createSearchClient({ host: "http://site.test", fetch: server.fetch });
    const initialError = new Error("missing");
    const store = createSearchStore({ provider, parameters, initialQuery: "d", initialError });
    expect(store.getSnapshot()).toMatchObject({ status: "error", error: initialError, query: null });
    server.answerEverything();
    store.search("d");
    await server.received(2);
    await server.settled();
    expect(store.getSnapshot()).toMatchObject({ status: "idle", error: null, answeredQuery: "d" });
  });
});

describe("failure", () => {
  it("is reported once and keeps what was there (3, 5)", async () => {
    const { server, store, errors, statuses, start } = setUp();
    await start("dock");
    server.answer(1, { hits: makeHits(2) });
    await server.settled();
    store.search("docker");
    await server.received(3);
    server.answerWith(2, 500, '{"message":"boom"}');
    await server.settled();
    expect(store.getSnapshot()).toMatchObject({ status: "error", query: "docker", answeredQuery: "dock" });
    expect(store.getSnapshot().error?.message).toBe("boom");
    expect(store.getSnapshot().hits).toHaveLength(2);
    expect(errors.map(({ message }) => message)).toEqual(["boom"]);
    store.retry();
    expect(store.getSnapshot().status).toBe("loading");
    await server.received(4);
    expect(server.bodies[3]).toBe(server.bodies[2]);
    server.answer(3, { hits: makeHits(1, "new") });
    await server.settled();
    expect(store.getSnapshot()).toMatchObject({ status: "idle", error: null, answeredQuery: "docker" });
    expect(ids(store.getSnapshot())).toEqual(["new-0"]);
    expect(statuses).toEqual(["loading", "idle", "loading", "error", "loading", "idle"]);
  });

  it("of the facets-only query is recovered by the next search (5)", async () => {
    const { server, store, errors } = setUp();
    store.search("d");
    await server.received(1);
    server.fail(0);
    await server.settled();
    expect(store.getSnapshot().status).toBe("error");
    server.answerEverything();
    store.search("do");
    await server.received(3);
    await server.settled();
    expect(store.getSnapshot()).toMatchObject({ status: "idle", error: null, answeredQuery: "do" });
    expect(errors).toHaveLength(1);
  });

  it("of a further page repeats that page (5, 6)", async () => {
    const { server, store, start } = setUp(2);
    await start("d");
    server.answer(1, { hits: makeHits(3), total: 3 });
    await server.settled();
    store.searchMore();
    await server.received(3);
    server.fail(2);
    await server.settled();
    store.retry();
    await server.received(4);
    server.answer(3, { hits: makeHits(1, "second"), total: 3 });
    await server.settled();
    expect(ids(store.getSnapshot())).toEqual(["hit-0", "hit-1", "second-0"]);
  });
});
