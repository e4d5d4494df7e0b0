/**
 * 1. A body over the limit is refused, with a declared length and without.
 * 2. So are too many queries, long and deep filters, and queries that come too late; too many words are cut.
 * 3. Lists, names and tags have caps that their errors name, also in the address; if a list is too long, no
 *    item is checked.
 * 4. An answer never exceeds its bytes, whatever is repeated in it: hits are missing at the end, and it says
 *    so.
 * 5. Queries share their request's work: one that begins when it is used up is refused.
 * 6. Deep JSON is refused with a message, and no message is longer than its cap.
 * 7. Documents larger than an answer are refused with how many fit, never cut; a single one always comes.
 * 8. Commas of a sort in the address are split as by the clearest, and slowest, expression (oracle).
 * 9. Lists and objects of settings have caps too, and none of their entries is checked beyond them.
 */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createSearchRoutes } from "../routes.ts";
import { parseDocuments } from "../payloads/documents.ts";
import { openContentService } from "../changes/content-service.ts";
import {
  MAX_LIST_ITEMS,
  MAX_MESSAGE_LENGTH,
  MAX_EMBEDDERS,
  MAX_SETTING_ITEMS,
  MAX_SETTING_RULES,
} from "../protocol/limits.ts";
import { settingsContext, settingsSchema } from "../settings/schema.ts";
import { bodyFromSearchParams } from "./params.ts";
import { PUBLIC_INDEXES, storeOf, wireDocuments, wireStore } from "../testing/documents.ts";
import { createSender, errorSchema } from "../testing/requests.ts";
import { validate } from "../protocol/validate.ts";

const store = wireStore();
const { send, errorOf } = createSender(createSearchRoutes({ publicIndexes: PUBLIC_INDEXES, store }).admin);

const small = createSearchRoutes({
  publicIndexes: PUBLIC_INDEXES,
  store,
  limits: { searchBodyBytes: 1000, queriesPerRequest: 2, filterLength: 50 },
}).admin;
const post = (body: BodyInit, headers: { [name: string]: string } = {}) =>
  small.request("/multi-search", {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body,
    duplex: "half",
  } as RequestInit);

test("1. bodies", async () => {
  const long = JSON.stringify({ queries: [{ indexUid: "docs", q: "x".repeat(2000) }] });
  const declared = await post(long, { "content-length": String(long.length) });
  expect(declared.status).toBe(413);
  const chunks = new ReadableStream({
    start(controller) {
      for (let at = 0; at < long.length; at += 100) {
        controller.enqueue(new TextEncoder().encode(long.slice(at, at + 100)));
      }
      controller.close();
    },
  });
  const streamed = await post(chunks);
  expect(streamed.status).toBe(413);
  expect(errorSchema.parse(await streamed.json()).code).toBe("payload_too_large");
});

test("2. queries, filters, words", async () => {
  const query = { indexUid: "docs", limit: 1 };
  const many = await post(JSON.stringify({ queries: [query, query, query] }));
  expect(errorSchema.parse(await many.json()).message).toContain("at most 2");
  const filter = `section = "${"x".repeat(60)}"`;
  const long = await post(JSON.stringify({ queries: [{ ...query, filter }] }));
  expect(errorSchema.parse(await long.json()).code).toBe("invalid_search_filter");
  let time = 0;
  // Every reading of the clock takes a millisecond.
  const slow = createSearchRoutes({
    publicIndexes: PUBLIC_INDEXES,
    store,
    limits: { requestMs: 10 },
    now: () => time++,
  }).admin;
  const late = await slow.request("/multi-search", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ queries: [query, query, query] }),
  });
  expect(late.status).toBe(503);
  expect(errorSchema.parse(await late.json()).message).toMatch(/^Inside `\.queries\[1\]`: .*10 ms/);
  expect(late.headers.get("retry-after")).toBe("1");
  const deep = await errorOf("/indexes/docs/search", { filter: "(".repeat(5000) });
  expect(deep.message).toContain("maximum depth");
  const { status } = await send("/indexes/docs/search", { q: "docker ".repeat(5000) });
  expect(status).toBe(200);
});

const LISTS = [
  "attributesToRetrieve",
  "attributesToCrop",
  "attributesToHighlight",
  "attributesToSearchOn",
  "facets",
  "sort",
  "locales",
] as const;

test.each(LISTS)("3. too long a list: %s", async (name) => {
  const code = `invalid_search_${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;
  // Items of a wrong type, to show that they are not checked.
  const error = await errorOf("/indexes/docs/search", { [name]: Array.from({ length: 60_000 }, () => 1) });
  expect(error).toMatchObject({ status: 400, code });
  expect(error.message).toBe(
    `Invalid value at \`.${name}\`: 60000 items were sent; this server accepts at most ${MAX_LIST_ITEMS}.`,
  );
  const long = await errorOf("/indexes/docs/search", { [name]: ["x".repeat(501)] });
  expect(long).toMatchObject({ status: 400, code });
  const inAddress = await small.request(`/indexes/docs/search?${name}=${"a,".repeat(MAX_LIST_ITEMS)}a`);
  expect(errorSchema.parse(await inAddress.json()).code).toBe(code);
});

test.each<[string, object, string]>([
  ["highlightPreTag", { highlightPreTag: "<".repeat(101) }, "invalid_search_highlight_pre_tag"],
  ["highlightPostTag", { highlightPostTag: "<".repeat(101) }, "invalid_search_highlight_post_tag"],
  ["cropMarker", { cropMarker: "<".repeat(101) }, "invalid_search_crop_marker"],
  ["distinct", { distinct: "x".repeat(501) }, "invalid_search_distinct"],
  ["filter", { filter: Array.from({ length: 1001 }, () => ["section = CLI"]) }, "invalid_search_filter"],
  ["vector", { vector: Array.from({ length: 10_001 }, () => 1) }, "invalid_search_vector"],
  [
    "media",
    { media: Object.fromEntries(Array.from({ length: 101 }, (_, at) => [at, 1])) },
    "invalid_search_media",
  ],
])("3. too long a value: %s", async (name, body, code) => {
  const error = await errorOf("/indexes/docs/search", body);
  expect(error).toMatchObject({ status: 400, code });
  expect(error.message).toMatch(new RegExp(`^Invalid value at \`\\.${name}\`: \\d+ .*at most \\d+\\.$`));
});

test("4. bytes of an answer", async () => {
  const answerBytes = 100_000;
  const documents = wireDocuments().map((document) => ({
    ...document,
    content: "\u0001docker é ".repeat(200),
  }));
  const large = createSearchRoutes({
    store: storeOf("docs", documents),
    publicIndexes: PUBLIC_INDEXES,
    limits: { answerBytes },
  }).admin;
  const query = { indexUid: "docs", q: "docker", limit: 1000, attributesToHighlight: ["*"] };
  const tags = { highlightPreTag: "\u0001".repeat(100), highlightPostTag: "<".repeat(100) };
  for (const [body, results] of [
    [{ queries: [query, { ...query, ...tags }, query] }, "results"],
    [{ federation: { limit: 1000 }, queries: [query, { ...query, ...tags, limit: undefined }] }, "federated"],
  ] as const) {
    const queries = body.queries.map(({ limit, ...rest }) =>
      results === "federated" ? rest : { ...rest, limit },
    );
    const response = await large.request("/multi-search", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ...body, queries }),
    });
    expect(response.status).toBe(200);
    const text = await response.text();
    // The text around the hits is not counted.
    expect(Buffer.byteLength(text)).toBeLessThan(answerBytes + 2000);
    expect(Buffer.byteLength(text)).toBeGreaterThan(answerBytes / 2);
    const json = JSON.parse(text) as {
      degraded?: boolean;
      results?: { hits: unknown[]; degraded?: boolean }[];
    };
    const last = json.results?.at(-1) ?? json;
    expect(last.degraded).toBe(true);
  }
  const small = await large.request("/indexes/docs/search?limit=3");
  expect(((await small.json()) as { degraded?: boolean }).degraded).toBeUndefined();
});

test("5. work of a request", async () => {
  const app = createSearchRoutes({
    store,
    publicIndexes: PUBLIC_INDEXES,
    limits: { requestWork: 20_000 },
  }).admin;
  const { send: ask } = createSender(app);
  const query = {
    indexUid: "docs",
    q: "docker",
    limit: 1000,
    attributesToHighlight: ["*"],
    attributesToCrop: ["*"],
  };
  const { status, json } = await ask("/multi-search", { queries: Array.from({ length: 20 }, () => query) });
  expect(status).toBe(400);
  expect(errorSchema.parse(json)).toMatchObject({ code: "bad_request" });
  expect(errorSchema.parse(json).message).toMatch(/^Inside `\.queries\[\d+\]`: .*used up the work/);
  const alone = await ask("/multi-search", { queries: [query] });
  expect(alone).toMatchObject({ status: 200, json: { results: [{ estimatedTotalHits: 57 }] } });
});

test("6. deep JSON and long messages", async () => {
  for (const body of ["[".repeat(200_000), `{"queries":${"[".repeat(100_000)}${"]".repeat(100_000)}}`]) {
    expect((await errorOf("/multi-search", body)).code).toBe("malformed_payload");
    expect(() =>
      parseDocuments(`[{"id":1,"a":${body}}]`, { type: "application/json", delimiter: "," }),
    ).toThrow(/malformed: `it is nested more than 64/);
  }
  const quoted = await send("/multi-search", {
    queries: [{ indexUid: "docs", q: `\\"${"[".repeat(1000)}` }],
  });
  expect(quoted.status).toBe(200);
  const { message } = await errorOf("/multi-search", { ["x".repeat(100_000)]: 1 });
  expect(message.length).toBeLessThan(MAX_MESSAGE_LENGTH + 2);
});

test("7. documents", async () => {
  const documents = wireDocuments().map((document) => ({ ...document, content: "é".repeat(5000) }));
  const own = storeOf("docs", documents, {
    filterableAttributes: ["section"],
    sortableAttributes: ["section"],
  });
  const content = await openContentService({ store: own, dataDir: null });
  const adminKey = "the-admin-key-of-the-test";
  const app = createSearchRoutes({
    store: own,
    publicIndexes: PUBLIC_INDEXES,
    content,
    adminKey,
    limits: { answerBytes: 100_000 },
  }).admin;
  const headers = { authorization: `Bearer ${adminKey}`, "content-type": "application/json" };
  const fetchDocuments = async (body: object) => {
    const init = { method: "POST", headers, body: JSON.stringify(body) };
    return (await app.request("/indexes/docs/documents/fetch", init)).json();
  };
  const refused = errorSchema.parse(await fetchDocuments({ limit: 57 }));
  expect(refused.code).toBe("invalid_document_limit");
  const fitting = Number(/first (\d+) of them fit/.exec(refused.message)?.[1]);
  expect(fitting).toBeGreaterThan(5);
  expect(await fetchDocuments({ limit: fitting })).toMatchObject({ total: 57, limit: fitting });
  expect(errorSchema.parse(await fetchDocuments({ limit: fitting + 1 })).code).toBe("invalid_document_limit");
  expect(await fetchDocuments({ limit: 57, fields: ["id"] })).toMatchObject({ total: 57 });
  const ids = ["doc-3", "doc-1", "doc-3", "none"];
  expect(await fetchDocuments({ ids, fields: ["id"], filter: "section != CLI" })).toMatchObject({
    results: [{ id: "doc-1" }],
    total: 1,
  });
  const many = Array.from({ length: 60_000 }, () => 1);
  expect(errorSchema.parse(await fetchDocuments({ ids: many })).code).toBe("invalid_document_ids");
  expect(errorSchema.parse(await fetchDocuments({ fields: many })).code).toBe("invalid_document_fields");
  await content.close();
});

test("8. the commas of a sort", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(..."a,() :") }), (sort) => {
      const expected = sort.split(/,(?![^(]*\))/).map((item) => item.trim());
      expect(bodyFromSearchParams(new URLSearchParams({ sort }))["sort"]).toEqual(expected);
    }),
  );
});

const objectOf = (count: number, value: unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`n${at}`, value]));

test.each<[path: string, most: number, of: (count: number) => object]>([
  ["synonyms", MAX_SETTING_ITEMS, (count) => ({ synonyms: objectOf(count, 0) })],
  ["filterableAttributes", MAX_SETTING_ITEMS, (count) => ({ filterableAttributes: Array(count).fill(0) })],
  ["rankingRules", MAX_SETTING_RULES, (count) => ({ rankingRules: Array(count).fill(0) })],
  ["localizedAttributes", MAX_SETTING_RULES, (count) => ({ localizedAttributes: Array(count).fill(0) })],
  [
    "faceting.sortFacetValuesBy",
    MAX_SETTING_RULES,
    (count) => ({ faceting: { sortFacetValuesBy: objectOf(count, 0) } }),
  ],
  ["embedders", MAX_EMBEDDERS, (count) => ({ embedders: objectOf(count, 0) })],
])("9. %s", (path, most, bodyOf) => {
  const check = (count: number) => () => validate(settingsSchema, bodyOf(count), settingsContext);
  expect(check(most + 1)).toThrow(
    `Invalid value at \`.${path}\`: ${most + 1} items were sent; this server accepts at most ${most}.`,
  );
  expect(check(most)).toThrow("Invalid value type");
});
