/**
 * Clients may use the names that every object inherits (`constructor`, `__proto__`, `toString`) like any
 * other:
 *
 * 1. They are not settings, parameters, fields or codes of the protocol.
 * 2. As attributes of documents they are searched, highlighted, positioned, filtered, counted, sorted and
 *    picked like others (oracle: the same documents with a harmless name).
 * 3. So are they as facet values, as words with synonyms and as `distinct` values.
 */
import { expect, test } from "vitest";
import { buildIndex, defaultSettings, type Json, type SearchDocument, setOwn } from "#search/index.ts";
import { createSearchRoutes } from "./routes.ts";
import { openContentService } from "./changes/content-service.ts";
import { ApiError } from "./protocol/errors.ts";
import { createSearchStore, type SearchStore } from "./catalog/store.ts";
import { PUBLIC_INDEXES } from "./testing/documents.ts";
import { createSender, errorSchema } from "./testing/requests.ts";

const NAMES = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf"];

function documentsWith(name: string): SearchDocument[] {
  return ["docker cache", "warm docker", "cache"].map((value, id) => {
    const inner: { [name: string]: Json } = { id };
    setOwn(inner, name, `inner ${value}`);
    const document: SearchDocument = { id, inner };
    // The last one has none.
    if (id < 2) setOwn(document, name, value);
    return document;
  });
}

function storeWith(name: string): SearchStore {
  const store = createSearchStore();
  const settings = {
    ...defaultSettings(),
    primaryKey: "id",
    filterableAttributes: [name, "inner"],
    sortableAttributes: [name],
    synonyms: { [`${name}s`]: ["docker"] },
  };
  store.replace("docs", buildIndex(documentsWith(name), settings));
  return store;
}

const query = (name: string) => ({
  indexUid: "docs",
  attributesToRetrieve: ["id", name, `inner.${name}`],
  attributesToHighlight: ["*"],
  attributesToCrop: [`${name}:1`],
  showMatchesPosition: true,
  showRankingScoreDetails: true,
});

/** Every request about one name. */
function bodiesFor(name: string): object[] {
  const { showRankingScoreDetails: _, ...plain } = query(name);
  return [
    { queries: [{ ...query(name), q: "docker", facets: [name, `inner.${name}`], sort: [`${name}:desc`] }] },
    {
      queries: [{ ...query(name), q: "", filter: `${name} = "warm docker" OR inner.${name} CONTAINS cache` }],
    },
    { queries: [{ ...query(name), q: "docker", distinct: name, attributesToSearchOn: [name] }] },
    { federation: { distinct: name }, queries: [{ ...plain, q: "" }] },
    {
      federation: { facetsByIndex: { docs: [name] }, mergeFacets: {} },
      queries: [{ ...plain, q: "docker", sort: [`${name}:asc`] }],
    },
  ];
}

async function answers(name: string): Promise<unknown[]> {
  const { send } = createSender(
    createSearchRoutes({ store: storeWith(name), publicIndexes: PUBLIC_INDEXES }).admin,
  );
  const found: unknown[] = [];
  for (const body of bodiesFor(name)) {
    const { status, json } = await send("/multi-search", body);
    expect(status).toBe(200);
    // Names become texts without a prototype, the same one for all.
    found.push(
      JSON.stringify(json)
        .replaceAll(name, "harmless")
        .replaceAll(/"processingTimeMs":\d+/g, ""),
    );
  }
  return found;
}

test.each(NAMES)("2. attributes: %s", async (name) => {
  expect(await answers(name)).toEqual(await answers("harmless"));
});

test.each(NAMES)("1. of the protocol: %s", async (name) => {
  const store = storeWith(name);
  const content = await openContentService({ store, dataDir: null });
  const adminKey = "the-admin-key-of-the-test";
  const app = createSearchRoutes({ store, publicIndexes: PUBLIC_INDEXES, content, adminKey }).admin;
  const headers = { authorization: `Bearer ${adminKey}`, "content-type": "application/json" };
  for (const method of ["GET", "DELETE", "PUT"]) {
    const body = method === "PUT" ? { body: "[]" } : {};
    const response = await app.request(`/indexes/docs/settings/${name}`, { method, headers, ...body });
    expect(response.status).toBe(404);
    errorSchema.parse(await response.json());
  }
  const inAddress = await app.request(`/indexes/docs/search?${name}=1`);
  expect(errorSchema.parse(await inAddress.json()).message).toContain(`Unknown parameter \`${name}\``);
  const { errorOf } = createSender(app);
  const field = `{ "indexUid": "docs", "${name}": 1 }`;
  expect((await errorOf("/multi-search", `{ "queries": [${field}] }`)).message).toContain("Unknown field");
  expect((await errorOf("/indexes/docs/facet-search", `{ "${name}": 1 }`)).status).toBe(400);
  const federation = `{ "facetsByIndex": { "${name}": 1 } }`;
  const wrong = await errorOf("/multi-search", `{ "federation": ${federation}, "queries": [] }`).catch(
    () => null,
  );
  // Zod's record leaves `__proto__` out.
  if (name !== "__proto__") expect(wrong?.code).toBe("invalid_multi_search_facets_by_index");
  expect(new ApiError(name, "").status).toBe(400);
  await content.close();
});

test("3. values and words", async () => {
  const documents = NAMES.map((name, id) => ({ id, kind: name, text: `the ${name} word` }));
  const store = createSearchStore();
  const settings = {
    ...defaultSettings(),
    primaryKey: "id",
    filterableAttributes: ["kind"],
    synonyms: { word: ["constructor"] },
  };
  store.replace("docs", buildIndex(documents, settings));
  const { send } = createSender(createSearchRoutes({ store, publicIndexes: PUBLIC_INDEXES }).admin);
  const { json } = await send("/multi-search", { queries: [{ indexUid: "docs", q: "", facets: ["kind"] }] });
  const [result] = (json as { results: { facetDistribution: { kind: object } }[] }).results;
  expect(Object.entries(result!.facetDistribution.kind).toSorted()).toEqual(
    NAMES.map((name) => [name, 1]).toSorted(),
  );
  for (const q of [...NAMES, "constructors"]) {
    expect((await send("/indexes/docs/search", { q, distinct: "kind" })).status).toBe(200);
  }
});
