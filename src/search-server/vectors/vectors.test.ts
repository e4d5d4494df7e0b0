/**
 * Vectors that clients send, over HTTP:
 *
 * 1. Documents keep them, to four bytes for each number; answers have them only on request, and never show how they are stored.
 *    They are not searched as words. An update keeps those that it does not name.
 * 2. Wrong ones fail the whole task: another form, other dimensions, too many, too large.
 * 3. A search by vector finds the most similar first, within the filter, the threshold and the page, whatever its length.
 * 4. With words too, `semanticRatio` weighs the two; a document appears once.
 * 5. Similar documents: never the document itself; a sender finds nothing through a document that it may not see.
 * 6. Mistakes are named: an unknown embedder, a vector without one, other dimensions, a query without a vector.
 * 7. Embedders that would make vectors are kept, with no more of their key than is shown, and refuse documents without.
 * 8. Vectors survive a restart, a rename and other settings; statistics count them.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSearchStore } from "../catalog/store.ts";
import { makeToken } from "../testing/keys.ts";
import { startAdmin } from "../testing/admin.ts";

let admin: Awaited<ReturnType<typeof startAdmin>>;
beforeAll(async () => {
  admin = await startAdmin();
  await fill(admin);
});
afterAll(() => admin.close());

const COLOURS = [
  { id: 1, name: "red", warm: true, _vectors: { hand: [1, 0, 0] } },
  { id: 2, name: "orange", warm: true, _vectors: { hand: { embeddings: [0.9, 0.3, 0], regenerate: false } } },
  { id: 3, name: "blue", warm: false, _vectors: { hand: [[0, 0, 2]] } },
  {
    id: 4,
    name: "violet",
    warm: false,
    _vectors: {
      hand: [
        [0.4, 0, 0.6],
        [0.5, 0, 0.5],
      ],
    },
  },
  { id: 5, name: "grey", warm: false },
  { id: 6, name: "black", warm: false, _vectors: { hand: null } },
];
const HAND = { hand: { source: "userProvided", dimensions: 3 } };

async function fill({ ask, done }: Awaited<ReturnType<typeof startAdmin>>, uid = "colours") {
  const settings = { embedders: HAND, filterableAttributes: ["warm"] };
  await done(ask("PATCH", `/indexes/${uid}/settings`, settings));
  expect(await done(ask("POST", `/indexes/${uid}/documents`, COLOURS))).toMatchObject({
    status: "succeeded",
  });
}

const ask = (method: string, path: string, body?: unknown) => admin.ask(method, path, body);
const search = (body: object) => ask("POST", "/indexes/colours/search", body);
async function idsOf(body: object): Promise<unknown[]> {
  const { json } = await search(body);
  return (json["hits"] as { id: unknown }[]).map(({ id }) => id);
}
const near = (vector: number[], others: object = {}) => ({ vector, hybrid: { embedder: "hand", ...others } });

describe("1. documents", () => {
  test("with and without their vectors", async () => {
    const read = async (query: string) => (await ask("GET", `/indexes/colours/documents/2${query}`)).json;
    expect(await read("")).toEqual({ id: 2, name: "orange", warm: true });
    expect(await read("?retrieveVectors=true")).toEqual({
      id: 2,
      name: "orange",
      warm: true,
      _vectors: { hand: { embeddings: [[0.9, 0.3, 0]], regenerate: false } },
    });
    const { json } = await ask("POST", "/indexes/colours/documents/fetch", {
      retrieveVectors: true,
      ids: [5, 6],
    });
    expect(json["results"]).toMatchObject([{ _vectors: {} }, { _vectors: { hand: { embeddings: [] } } }]);
  });

  test("in hits, also highlighted ones, and not as words", async () => {
    const { json } = await search({ q: "orange", attributesToHighlight: ["*"], showMatchesPosition: true });
    expect(json["hits"]).toMatchObject([{ id: 2, _formatted: { name: "<em>orange</em>" } }]);
    expect(JSON.stringify(json)).not.toContain("_vectors");
    expect(JSON.stringify(json)).not.toContain("stored");
    expect(await idsOf({ q: "stored" })).toEqual([]);
    const shown = await search({ q: "orange", retrieveVectors: true });
    expect(shown.json["hits"]).toMatchObject([{ _vectors: { hand: { embeddings: [[0.9, 0.3, 0]] } } }]);
    const federated = {
      federation: {},
      queries: [{ indexUid: "colours", q: "orange", retrieveVectors: true }],
    };
    expect((await ask("POST", "/multi-search", federated)).json["hits"]).toMatchObject([
      { id: 2, _vectors: { hand: {} }, _federation: { indexUid: "colours" } },
    ]);
  });

  test("updates", async () => {
    const { done } = admin;
    const update = (document: object) =>
      done(ask("PUT", "/indexes/updated/documents", [{ id: 1, ...document }]));
    await update({ _vectors: { a: [1], b: [2, 3] } });
    await update({ name: "one" });
    await update({ _vectors: { b: [[4], [5]] } });
    expect((await ask("GET", "/indexes/updated/documents/1?retrieveVectors=true")).json).toEqual({
      id: 1,
      name: "one",
      _vectors: {
        a: { embeddings: [[1]], regenerate: false },
        b: { embeddings: [[4], [5]], regenerate: false },
      },
    });
  });

  test("hidden by the settings", async () => {
    const { done } = admin;
    await done(ask("PATCH", "/indexes/hidden/settings", { displayedAttributes: ["name"] }));
    await done(ask("POST", "/indexes/hidden/documents", [{ id: 1, name: "x", _vectors: { a: [1] } }]));
    const { json } = await ask("POST", "/indexes/hidden/search", { retrieveVectors: true });
    expect(json["hits"]).toEqual([{ name: "x" }]);
  });
});

const wrong: [vectors: unknown, code: string][] = [
  ["text", "invalid_vectors_type"],
  [[1, 2, 3], "invalid_vectors_type"],
  [{ hand: "text" }, "invalid_vectors_type"],
  [{ hand: ["a", "b", "c"] }, "invalid_vectors_type"],
  [{ hand: [1, 2, null] }, "invalid_vectors_type"],
  [{ hand: [1, 2, 1e39] }, "invalid_vectors_type"],
  [{ hand: [[]] }, "invalid_vectors_type"],
  [{ hand: { stored: ["AAAA"] } }, "invalid_vectors_type"],
  [{ hand: { embeddings: [1, 2, 3], regenerate: 1 } }, "invalid_vectors_type"],
  [{ hand: [1, 2] }, "invalid_vector_dimensions"],
  [
    {
      hand: [
        [1, 2, 3],
        [1, 2],
      ],
    },
    "invalid_vector_dimensions",
  ],
  [
    {
      hand: [
        [1, 2],
        [1, 2, 3, 4],
      ],
    },
    "invalid_vector_dimensions",
  ],
  [{ other: Array.from({ length: 4097 }, () => 0) }, "invalid_vectors_type"],
  [{ other: Array.from({ length: 101 }, () => [0]) }, "invalid_vectors_type"],
  [Object.fromEntries(Array.from({ length: 17 }, (_, at) => [`e${at}`, [1]])), "invalid_vectors_type"],
];
test.each(wrong)("2. %j", async (vectors, code) => {
  const documents = [
    { id: 8, name: "good" },
    { id: 9, _vectors: vectors },
  ];
  const task = await admin.done(ask("POST", "/indexes/colours/documents", documents));
  expect(task).toMatchObject({ status: "failed", error: { code }, details: { indexedDocuments: 0 } });
  expect((await ask("GET", "/indexes/colours/documents/8")).status).toBe(404);
});

describe("3. by vector", () => {
  test("most similar first", async () => {
    const { json } = await search({
      ...near([5, 0, 0]),
      showRankingScore: true,
      showRankingScoreDetails: true,
    });
    expect((json["hits"] as { id: number }[]).map(({ id }) => id)).toEqual([1, 2, 4, 3]);
    expect(json).toMatchObject({ semanticHitCount: 4, estimatedTotalHits: 4, query: "" });
    expect(json["hits"]).toMatchObject([
      { _rankingScore: 1, _rankingScoreDetails: { vectorSort: { order: 0, similarity: 1 } } },
      {},
      { _rankingScore: expect.closeTo((1 + Math.SQRT1_2) / 2, 6) as number },
      { _rankingScore: 0.5 },
    ]);
    expect(json).not.toHaveProperty("vector");
  });
  test.each<[others: object, ids: number[]]>([
    [{ filter: "warm = false" }, [4, 3]],
    [{ rankingScoreThreshold: 0.8 }, [1, 2, 4]],
    [{ offset: 1, limit: 2 }, [2, 4]],
    [{ page: 2, hitsPerPage: 3 }, [3]],
    [{ page: 0, hitsPerPage: 3 }, []],
    [{ distinct: "warm" }, [1, 4]],
  ])("with %j", async (others, ids) => {
    expect(await idsOf({ ...near([1, 0, 0]), ...others })).toEqual(ids);
  });
  test("facets count what it finds", async () => {
    const { json } = await search({ ...near([1, 0, 0]), facets: ["warm"] });
    expect(json["facetDistribution"]).toEqual({ warm: { false: 2, true: 2 } });
  });
  test("in an address", async () => {
    const query = "vector=0,0,1&hybridEmbedder=hand&hybridSemanticRatio=1&limit=1";
    expect((await ask("GET", `/indexes/colours/search?${query}`)).json["hits"]).toMatchObject([{ id: 3 }]);
    expect((await ask("GET", "/indexes/colours/search?vector=a&hybridEmbedder=hand")).json).toMatchObject({
      code: "invalid_search_vector",
    });
  });
  test("federated, merged by the same scores", async () => {
    const query = { indexUid: "colours", ...near([0, 0, 1]) };
    const { json } = await ask("POST", "/multi-search", { federation: { limit: 2 }, queries: [query] });
    expect(json).toMatchObject({ hits: [{ id: 3 }, { id: 4 }], semanticHitCount: 2 });
  });
  test("quantized to signs, and spread by a distribution", async () => {
    const { done } = admin;
    await fill(admin, "signs");
    const change = (embedder: object) =>
      done(
        ask("PATCH", "/indexes/signs/settings/embedders", { hand: { source: "userProvided", ...embedder } }),
      );
    await change({ distribution: { mean: 0.5, sigma: 0.4 } });
    const scores = async () => {
      const { json } = await ask("POST", "/indexes/signs/search", {
        ...near([-1, -1, -1]),
        showRankingScore: true,
      });
      return (json["hits"] as { _rankingScore: number }[]).map(({ _rankingScore }) => _rankingScore);
    };
    expect((await scores())[0]).toBeCloseTo((1 - 1 / Math.sqrt(3)) / 2, 6);
    await change({ binaryQuantized: true });
    for (const score of await scores()) expect(score).toBeCloseTo(0, 6);
  });
});

describe("4. with words", () => {
  test.each([
    [1, [3, 4, 1, 2]],
    [0.9, [3, 4, 1, 2]],
    [0.1, [1, 3, 4, 2]],
    [0, [1]],
  ])("a ratio of %d", async (semanticRatio, ids) => {
    expect(await idsOf({ q: "red", ...near([0, 0, 1], { semanticRatio }) })).toEqual(ids);
  });
  test("hits by vector are counted, and all matches", async () => {
    const { json } = await search({ q: "grey", ...near([0, 0, 1], { semanticRatio: 0.3 }), limit: 3 });
    expect(json).toMatchObject({
      hits: [{ id: 5 }, { id: 3 }, { id: 4 }],
      semanticHitCount: 2,
      estimatedTotalHits: 5,
    });
    const words = await search({ q: "grey", hybrid: { embedder: "hand", semanticRatio: 0 } });
    expect(words.json).toMatchObject({ hits: [{ id: 5 }], semanticHitCount: 0 });
  });
});

describe("5. similar", () => {
  const similar = (body: object) => ask("POST", "/indexes/colours/similar", body);
  test("documents", async () => {
    const { json } = await similar({ id: 1, embedder: "hand", limit: 2, showPerformanceDetails: true });
    expect(json).toMatchObject({
      hits: [{ id: 2 }, { id: 4 }],
      id: "1",
      limit: 2,
      offset: 0,
      estimatedTotalHits: 3,
    });
    expect(json).toHaveProperty("performanceDetails");
    const filtered = { id: "1", embedder: "hand", filter: "warm = false", rankingScoreThreshold: 0.6 };
    expect((await similar(filtered)).json).toMatchObject({ hits: [{ id: 4 }], estimatedTotalHits: 1 });
    expect((await similar({ id: 5, embedder: "hand" })).json).toMatchObject({ hits: [] });
    const query = "id=3&embedder=hand&limit=1&retrieveVectors=true&filter=warm%20%3D%20false";
    expect((await ask("GET", `/indexes/colours/similar?${query}`)).json).toMatchObject({
      hits: [{ id: 4, _vectors: { hand: {} } }],
    });
  });
  test.each([
    [{ embedder: "hand" }, "missing_similar_id"],
    [{ id: 1 }, "missing_similar_embedder"],
    [{ id: 77, embedder: "hand" }, "not_found_similar_id"],
    [{ id: 1, embedder: "none" }, "invalid_similar_embedder"],
    [{ id: 1, embedder: "hand", limit: -1 }, "invalid_similar_limit"],
    [{ id: 1, embedder: "hand", filter: "name = x" }, "invalid_search_filter"],
    [{ id: 1, embedder: "hand", vector: [1] }, "bad_request"],
  ])("%j", async (body, code) => {
    expect(await similar(body)).toMatchObject({ status: 400, json: { code } });
  });
  test("of a sender's documents only", async () => {
    const { json } = await ask("POST", "/keys", {
      actions: ["search"],
      indexes: ["colours"],
      expiresAt: null,
    });
    const searchRules = { colours: { filter: "warm = true" } };
    const token = makeToken(String(json["key"]), { apiKeyUid: json["uid"], searchRules });
    const asked = (id: number) =>
      admin.ask("POST", "/indexes/colours/similar", { id, embedder: "hand" }, token);
    expect((await asked(1)).json).toMatchObject({ hits: [{ id: 2 }], estimatedTotalHits: 1 });
    expect((await asked(3)).json).toMatchObject({ code: "not_found_similar_id" });
  });
});

test.each<[body: object, code: string]>([
  [{ vector: [1, 0, 0] }, "missing_search_hybrid"],
  [near([1, 0, 0], { embedder: "none" }), "invalid_search_embedder"],
  [near([1, 0, 0], { embedder: "__proto__" }), "invalid_search_embedder"],
  [near([1, 0]), "invalid_vector_dimensions"],
  [near([1, 0, 0], { semanticRatio: 1.5 }), "invalid_search_semantic_ratio"],
  [near([1, 0, 0], { semanticRatio: "half" }), "invalid_search_semantic_ratio"],
  [{ hybrid: {} }, "invalid_search_embedder"],
  [{ q: "red", hybrid: { embedder: "hand" } }, "vector_embedding_error"],
  [near(Array.from({ length: 4097 }, () => 0)), "invalid_search_vector"],
  [{ media: { image: "x" } }, "feature_not_enabled"],
])("6. %j", async (body, code) => {
  expect(await search(body)).toMatchObject({ status: 400, json: { code } });
});

describe("7. embedders", () => {
  const embedders = (body: unknown) => ask("PATCH", "/indexes/made/settings/embedders", body);
  test("of other sources", async () => {
    const { done } = admin;
    await done(ask("POST", "/indexes", { uid: "made", primaryKey: "id" }));
    const apiKey = "sk-0123456789-secret-0123456789";
    const open = { source: "openAi", apiKey, dimensions: 2, documentTemplate: "{{doc.name}}" };
    const task = await done(embedders({ open }));
    expect(JSON.stringify(task)).not.toContain("secret");
    expect((await ask("GET", "/indexes/made/settings/embedders")).json).toEqual({
      open: { ...open, apiKey: "sk-01XXXXXX...", documentTemplateMaxBytes: 400 },
    });
    const write = (document: object) =>
      done(ask("POST", "/indexes/made/documents", [{ id: 1, ...document }]));
    expect(await write({})).toMatchObject({ status: "failed", error: { code: "vector_embedding_error" } });
    expect(await write({ _vectors: { open: [1, 2] } })).toMatchObject({ status: "succeeded" });
    expect(await done(embedders({ next: { source: "ollama" } }))).toMatchObject({
      status: "failed",
      error: { code: "vector_embedding_error" },
    });
    expect((await ask("GET", "/indexes/made/settings/embedders")).json).not.toHaveProperty("next");
    await done(embedders({ open: null }));
    expect((await ask("GET", "/indexes/made/settings/embedders")).json).toEqual({});
  });
  test.each([
    [{ a: { source: "composite" } }, "Unknown value `composite`"],
    [{ a: { source: "userProvided", dimensions: 4097 } }, ""],
    [{ a: { source: "userProvided", dimensions: 0 } }, ""],
    [{ a: { source: "userProvided", dimensions: 2, distribution: { mean: 2, sigma: 1 } } }, ""],
    [{ a: { source: "userProvided", dimensions: 2, distribution: { mean: 0.5, sigma: 0 } } }, ""],
    [{ a: { source: "userProvided", dimensions: 2, unknown: 1 } }, "Unknown field `unknown`"],
    [Object.fromEntries(Array.from({ length: 17 }, (_, at) => [`e${at}`, null])), "at most 16"],
  ])("%j", async (body, message) => {
    const { status, json } = await embedders(body);
    expect([status, json["message"]]).toEqual([400, expect.stringContaining(message)]);
  });
  test("without dimensions", async () => {
    const task = await admin.done(embedders({ a: { source: "userProvided" } }));
    expect(task).toMatchObject({ status: "failed", error: { code: "invalid_settings_embedders" } });
  });
});

test("8. restarts and renames", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "vectors-"));
  const open = () => startAdmin({ dataDir, store: createSearchStore(), publicIndexes: [] });
  const first = await open();
  await fill(first);
  await first.done(first.ask("PATCH", "/indexes/colours", { uid: "paints" }));
  await first.done(first.ask("PATCH", "/indexes/paints/settings", { stopWords: ["a"] }));
  await first.close();
  const second = await open();
  const found = await second.ask("POST", "/indexes/paints/search", near([0, 0, 1]));
  expect(found.json["hits"]).toMatchObject([{ id: 3 }, { id: 4 }, { id: 1 }, { id: 2 }]);
  const stats = { numberOfEmbeddings: 5, numberOfEmbeddedDocuments: 4, numberOfDocuments: 6 };
  expect((await second.ask("GET", "/indexes/paints/stats")).json).toMatchObject(stats);
  await second.close();
  await rm(dataDir, { recursive: true });
});
