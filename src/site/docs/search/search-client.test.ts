/**
 * 1. The first search of an index sends the facets-only query, awaits it, then sends the query; later
 *    searches send the query only. Bodies and headers are byte for byte the recorded ones.
 * 2. Optional parameters are in the same position as in the recorded client, and are left out when absent.
 * 3. Pages become offsets; with `placeholderSearch: false` an empty query asks for no hits.
 * 4. One request carries the queries of several indexes.
 * 5. A repeated query is answered from memory; so is one that the server has answered with the page.
 * 6. Aborting ends the query but not the facets-only request, which the next search still uses.
 * 7. A failed facets-only request is sent again by the next search; `warm` never throws.
 * 8. Errors carry the server's message, "Request to … has failed", or the reason why the JSON is invalid.
 * 9. Facet search sends the search's parameters without the index, then facetQuery and facetName.
 */
import { describe, expect, it } from "vitest";
import { FakeServer } from "./fake-server.ts";
import { searchOnServer, searchQuery } from "./protocol.ts";
import { createSearchClient, SearchApiError, SearchRequestError } from "./search-client.ts";

const HIGHLIGHT =
  '"attributesToHighlight":["*"],"highlightPreTag":"__ais-highlight__","highlightPostTag":"__/ais-highlight__"';
const DEFAULTS = '{"queries":[{"indexUid":"docs","limit":21,"offset":0}]}';
const queryBody = (q: string, limit = 21, offset = 0) =>
  `{"queries":[{"indexUid":"docs","q":"${q}",${HIGHLIGHT},"limit":${limit},"offset":${offset}}]}`;

const docs = (query: string) => [{ indexUid: "docs", query }];

function windowOf(page: number, hitsPerPage?: number) {
  const { limit, offset } = searchQuery({ indexUid: "docs", query: "", page, hitsPerPage });
  return [limit, offset];
}

function limitOf(request: { query: string; filter?: string }, placeholderSearch: boolean) {
  return searchQuery({ indexUid: "docs", ...request }, placeholderSearch).limit;
}

function setUp(options: { apiKey?: string; placeholderSearch?: boolean } = {}) {
  const server = new FakeServer();
  const client = createSearchClient({ host: "http://site.test", fetch: server.fetch, ...options });
  return { server, client };
}

describe("the recorded requests", () => {
  it("sends the facets-only query first and once (1)", async () => {
    const { server, client } = setUp({ apiKey: "public-search-key" });
    const first = client.search(docs("docker"));
    await server.received(1);
    expect(server.bodies).toEqual([DEFAULTS]);
    server.answer(0);
    await server.received(2);
    server.answer(1, { hits: [{ objectID: "1", url: "https://site.test/docs" }] });
    expect((await first)[0]?.hits).toHaveLength(1);
    const second = client.search(docs("dockerx"));
    await server.received(3);
    server.answer(2);
    await second;
    expect(server.bodies).toEqual([DEFAULTS, queryBody("docker"), queryBody("dockerx")]);
    expect(server.requests.map(({ url, method }) => `${method} ${url}`)).toEqual(
      Array(3).fill("POST http://site.test/multi-search"),
    );
    expect(server.requests[1]?.headers).toEqual({
      "content-type": "application/json",
      authorization: "Bearer public-search-key",
      "x-meilisearch-client": "Meilisearch instant-meilisearch (v0.31.3) ; Meilisearch JavaScript (v0.57.0)",
    });
  });

  it("sends no Authorization header without a key (1)", async () => {
    const { server, client } = setUp();
    void client.search(docs("x"));
    await server.received(1);
    expect(server.requests[0]?.headers).not.toHaveProperty("authorization");
  });

  it("puts optional parameters where the recorded client has them (2)", () => {
    const everything = searchQuery({
      sort: ["level:desc"],
      attributesToRetrieve: ["url"],
      filter: ["section = x"],
      cropMarker: "…",
      cropLength: 30,
      attributesToCrop: ["content:30"],
      facets: ["section"],
      query: "q",
      indexUid: "docs",
    });
    expect(JSON.stringify(everything)).toBe(
      '{"indexUid":"docs","q":"q","facets":["section"],"attributesToCrop":["content:30"],"cropLength":30,' +
        '"cropMarker":"…","filter":["section = x"],"attributesToRetrieve":["url"],' +
        `${HIGHLIGHT},"limit":21,"offset":0,"sort":["level:desc"]}`,
    );
    expect(JSON.stringify(searchQuery({ indexUid: "docs", query: "q", sort: [] }))).not.toContain("sort");
  });

  it("asks for facets in the facets-only query too, but not for filters (2)", async () => {
    const { server, client } = setUp();
    void client.search([{ indexUid: "docs", query: "q", facets: ["section"], filter: 'section = "CLI"' }]);
    await server.received(1);
    expect(server.bodies[0]).toBe(
      '{"queries":[{"indexUid":"docs","facets":["section"],"limit":21,"offset":0}]}',
    );
  });

  it("turns pages into offsets (3)", () => {
    expect([windowOf(0), windowOf(3), windowOf(2, 10), windowOf(1, 0)]).toEqual([
      [21, 0],
      [21, 60],
      [11, 20],
      [0, 0],
    ]);
  });

  it("asks for no hits for an empty query without placeholder search, unless there is a filter (3)", () => {
    expect(limitOf({ query: "" }, true)).toBe(21);
    expect(limitOf({ query: "" }, false)).toBe(0);
    expect(limitOf({ query: "x" }, false)).toBe(21);
    expect(limitOf({ query: "", filter: "a = b" }, false)).toBe(21);
  });

  it("carries several indexes in one request (4)", async () => {
    const { server, client } = setUp();
    const blog = { indexUid: "blog", query: "d", hitsPerPage: 5 };
    const search = client.search([...docs("d"), blog]);
    await server.received(1);
    expect(server.bodies[0]).toBe(
      '{"queries":[{"indexUid":"docs","limit":21,"offset":0},{"indexUid":"blog","limit":6,"offset":0}]}',
    );
    server.answer(0);
    await server.received(2);
    server.answer(1);
    expect((await search).map(({ indexUid }) => indexUid)).toEqual(["docs", "blog"]);
  });
});

describe("memory", () => {
  it("answers a repeated query without a request (5)", async () => {
    const { server, client } = setUp();
    server.answerEverything();
    expect(client.peek(docs("docker"))).toBeUndefined();
    const answers = await client.search(docs("docker"));
    expect(await client.search(docs("docker"))).toBe(answers);
    expect(client.peek(docs("docker"))).toBe(answers);
    expect(server.bodies).toHaveLength(2);
  });

  it("takes over what the server answered; the next search sends both requests (5)", async () => {
    const { server, client } = setUp();
    const hit = { objectID: "1", url: "https://site.test/docs" };
    const { initialResults: initial } = await searchOnServer(
      async () => ({ results: [{ indexUid: "docs", query: "docker", hits: [hit], processingTimeMs: 1 }] }),
      { indexUid: "docs", query: "docker" },
    );
    client.seed(initial);
    expect(client.peek(docs("docker"))?.[0]?.hits).toEqual([hit]);
    expect((await client.search(docs("docker")))[0]?.hits).toEqual([hit]);
    expect(server.bodies).toEqual([]);
    server.answerEverything();
    await client.search(docs("dockerx"));
    expect(server.bodies).toEqual([DEFAULTS, queryBody("dockerx")]);
  });
});

describe("abort and failure", () => {
  it("aborts the query and keeps the facets-only request (6)", async () => {
    const { server, client } = setUp();
    const controller = new AbortController();
    const aborted = client.search(docs("d"), controller.signal);
    await server.received(1);
    controller.abort();
    expect(server.requests[0]?.signal?.aborted ?? false).toBe(false);
    const next = client.search(docs("do"));
    server.answer(0);
    await expect(aborted).rejects.toMatchObject({ name: "AbortError" });
    await server.received(2);
    server.answer(1);
    await next;
    expect(server.bodies).toEqual([DEFAULTS, queryBody("do")]);
  });

  it("hands the signal to the query (6)", async () => {
    const { server, client } = setUp();
    const controller = new AbortController();
    const search = client.search(docs("d"), controller.signal);
    await server.received(1);
    server.answer(0);
    await server.received(2);
    controller.abort();
    await expect(search).rejects.toMatchObject({ name: "AbortError" });
  });

  it("sends a failed facets-only request again (7)", async () => {
    const { server, client } = setUp();
    client.warm(docs(""));
    await server.received(1);
    server.fail(0);
    await server.settled();
    const search = client.search(docs("d"));
    await server.received(2);
    server.answerWith(1, 500, JSON.stringify({ message: "boom", code: "internal" }));
    await expect(search).rejects.toThrow("boom");
    server.answerEverything();
    await client.search(docs("d"));
    expect(server.bodies).toEqual([DEFAULTS, DEFAULTS, DEFAULTS, queryBody("d")]);
  });

  it("warms once, and the search does not repeat it (7)", async () => {
    const { server, client } = setUp();
    server.answerEverything();
    client.warm(docs(""));
    client.warm(docs(""));
    await client.search(docs("d"));
    expect(server.bodies).toEqual([DEFAULTS, queryBody("d")]);
  });

  const failures: [string, (server: FakeServer) => void, string, unknown][] = [
    ["500", (s) => s.answerWith(1, 500, '{"message":"boom"}'), "boom", SearchApiError],
    [
      "an error without a message",
      (s) => s.answerWith(1, 503, ""),
      "503: Service Unavailable",
      SearchApiError,
    ],
    [
      "a dropped connection",
      (s) => s.fail(1),
      "Request to http://site.test/multi-search has failed",
      SearchRequestError,
    ],
    ["HTML from a proxy", (s) => s.answerWith(1, 502, "<h1>bad</h1>"), "Unexpected token '<'", SyntaxError],
  ];
  it.each(failures)("says what failed: %s (8)", async (_name, failure, message, type) => {
    const { server, client } = setUp();
    const search = client.search(docs("d"));
    await server.received(1);
    server.answer(0);
    await server.received(2);
    failure(server);
    const error = await search.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(type);
    expect(String(error)).toContain(message);
    expect(client.peek(docs("d"))).toBeUndefined();
  });
});

it("searches facets (9)", async () => {
  const { server, client } = setUp();
  const request = { indexUid: "docs", query: "docker", facets: ["section"], hitsPerPage: 10 };
  const search = client.searchFacet({ ...request, facetName: "section", facetQuery: "con" });
  await server.received(1);
  server.answerWith(0, 200, '{"facetHits":[{"value":"Container builds","count":12}],"processingTimeMs":0}');
  expect((await search).facetHits).toEqual([{ value: "Container builds", count: 12 }]);
  expect(server.requests[0]?.url).toBe("http://site.test/indexes/docs/facet-search");
  expect(server.bodies[0]).toBe(
    `{"q":"docker","facets":["section"],${HIGHLIGHT},"limit":11,"offset":0,"facetQuery":"con","facetName":"section"}`,
  );
});
