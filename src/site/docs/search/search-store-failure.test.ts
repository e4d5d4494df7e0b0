/**
 * 1. A failure is reported once, keeps the query and drops the hits of other queries; `retry` and the next
 *    search both recover from it.
 * 2. If a further page fails, the existing hits stay, and `retry` asks for that page again.
 * 3. A query whose results are available is answered from the start; a page that came without its results
 *    starts with the error, and the first search sends a request.
 */
import { describe, expect, it } from "vitest";
import { FakeServer } from "./fake-server.ts";
import { ids, makeHits, setUpStore } from "./fake-store.ts";
import { searchQuery } from "./protocol.ts";
import { createSearchClient } from "./search-client.ts";
import { createSearchStore } from "./search-store.ts";

describe("start", () => {
  const parameters = { indexUid: "docs" };
  const query = { indexUid: "docs", query: "d" };

  it("shows results that came with the page (3)", () => {
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

  it("shows that they did not come, and asks again (3)", async () => {
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
  it("is reported once and drops the hits of the query before (1)", async () => {
    const { server, store, errors, statuses, start } = setUpStore();
    await start("dock");
    server.answer(1, { hits: makeHits(2) });
    await server.settled();
    store.search("docker");
    await server.received(3);
    server.answerWith(2, 500, '{"message":"boom"}');
    await server.settled();
    expect(store.getSnapshot()).toMatchObject({ status: "error", query: "docker", answeredQuery: null });
    expect(store.getSnapshot().error?.message).toBe("boom");
    expect(store.getSnapshot()).toMatchObject({ hits: [], total: 0, hasMore: false });
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

  it("of the facets-only query is recovered by the next search (1)", async () => {
    const { server, store, errors } = setUpStore();
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

  it("of a further page repeats that page (2)", async () => {
    const { server, store, start } = setUpStore(2);
    await start("d");
    server.answer(1, { hits: makeHits(3), total: 3 });
    await server.settled();
    store.searchMore();
    await server.received(3);
    server.fail(2);
    await server.settled();
    expect(ids(store.getSnapshot())).toEqual(["hit-0", "hit-1"]);
    store.retry();
    await server.received(4);
    server.answer(3, { hits: makeHits(1, "second"), total: 3 });
    await server.settled();
    expect(ids(store.getSnapshot())).toEqual(["hit-0", "hit-1", "second-0"]);
  });
});
