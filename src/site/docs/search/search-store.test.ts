/**
 * 1. idle → loading → idle; `stalled` after exactly 200 ms of waiting, `isLate` after 150 ms, neither
 *    afterwards.
 * 2. An older answer never overwrites the answer to a newer query, in whatever order they arrive; the
 *    superseded request is aborted.
 * 3. Old hits stay while a search runs; `clear` drops them and aborts.
 * 4. An available answer is shown immediately, without `loading` and without a request.
 * 5. One hit more than a page is requested and not shown; `searchMore` appends the next page.
 * 6. Asking for the same query twice sends one request; with another filter it is another search, and further pages
 *    and retries use the same filter.
 */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FakeClock, ids, makeHits, setUpStore } from "./fake-store.ts";
import type { DocsHit } from "./protocol.ts";
import { createSearchStore } from "./search-store.ts";

describe("status", () => {
  it("goes through loading and stalled (1)", async () => {
    const { server, clock, store, statuses, start } = setUpStore();
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
    const { server, clock, store, start } = setUpStore();
    await start("docker");
    server.answer(1);
    await server.settled();
    clock.advance(1000);
    expect(store.getSnapshot()).toMatchObject({ status: "idle", isLate: false });
  });

  it("counts lateness from the first unanswered search (1)", () => {
    const { clock, store } = setUpStore();
    store.search("d");
    clock.advance(100);
    store.search("do");
    clock.advance(50);
    expect(store.getSnapshot()).toMatchObject({ status: "loading", isLate: true });
  });

  it("forgets lateness with the answer (1)", async () => {
    const { server, clock, store } = setUpStore();
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
    const { server, store, start } = setUpStore();
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
    const { server, store, start } = setUpStore();
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
    const { server, store, statuses, start } = setUpStore();
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

  it("come page by page (5)", async () => {
    const { server, store, start } = setUpStore(2);
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

  it("are asked for once (6)", async () => {
    const { server, store, start } = setUpStore();
    await start("d");
    store.search("d");
    server.answer(1);
    await server.settled();
    store.search("d");
    expect(server.requests).toHaveLength(2);
  });
});

it("searches again with another filter, and continues with it (6)", async () => {
  const { server, store, start } = setUpStore(2);
  const code = [['"type"="code"']];
  await start("docker");
  server.answer(1, { hits: makeHits(3) });
  await server.settled();
  store.search("docker", code);
  store.search("docker", [['"type"="code"']]);
  await server.received(3);
  server.answer(2, { hits: makeHits(3, "code") });
  await server.settled();
  expect(ids(store.getSnapshot())).toEqual(["code-0", "code-1"]);
  store.searchMore();
  await server.received(4);
  expect(JSON.parse(String(server.bodies[2]))).toMatchObject({
    queries: [{ q: "docker", filter: code, offset: 0 }],
  });
  expect(JSON.parse(String(server.bodies[3]))).toMatchObject({
    queries: [{ q: "docker", filter: code, offset: 2 }],
  });
});
