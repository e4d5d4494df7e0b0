/**
 * Dynamic search rules, over the protocol:
 *
 * 1. While the feature is off, the routes refuse by name, and stored rules do nothing. Switching it needs no restart.
 * 2. A rule is created, changed in parts, listed, found by its words, and deleted; each change is a task.
 * 3. What is wrong with a rule is said with a code, before a task is made; too many rules fail the task.
 * 4. A pinned document stands at its place, once, on every page and in totals and facets; words need not find it. A filter
 *    and a key's rules hold for it, and a value of the distinct attribute appears once.
 * 5. Conditions: words in any order and case, empty and not empty, a time. All must be true.
 * 6. The rule with the lower precedence comes first.
 * 7. Pins act on searches with vectors, and on merged lists at the places of the merged list.
 * 8. Rules survive a restart. No rule acts on the site's own index.
 * 9. Kept answers follow a change of rules, and time.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { placePins } from "../pins/place-pins.ts";
import { MAX_PIN_RULES, MAX_RULE_PINS, MAX_RULE_TEXT_LENGTH } from "../protocol/limits.ts";
import { startAdmin } from "../testing/admin.ts";
import { makeToken } from "../testing/keys.ts";

let admin: Awaited<ReturnType<typeof startAdmin>>;
const ask = (method: string, path: string, body?: unknown) => admin.ask(method, path, body);
const done = (method: string, path: string, body?: unknown) => admin.done(ask(method, path, body));
const turn = (isOn: boolean) => ask("PATCH", "/experimental-features", { dynamicSearchRules: isOn });
const put = (uid: string, rule: unknown) => done("PATCH", `/dynamic-search-rules/${uid}`, rule);
const pin = (id: string, position: number, indexUid?: string) => ({
  selector: { id, ...(indexUid && { indexUid }) },
  action: { type: "pin", position },
});

const FILMS = [
  { id: "returns", title: "Batman Returns", kind: "keep", series: "batman", _vectors: { v: [1, 0] } },
  { id: "forever", title: "Batman Forever", kind: "keep", series: "batman", _vectors: { v: [0.9, 0.1] } },
  { id: "matrix", title: "The Matrix", kind: "keep", series: "matrix", _vectors: { v: [0, 1] } },
  { id: "dropped", title: "Batman Dropped", kind: "drop", series: "x", _vectors: { v: [0, 1] } },
  { id: 7, title: "Seven", kind: "keep", series: "seven", _vectors: { v: [0, 1] } },
];

beforeAll(async () => {
  admin = await startAdmin();
  await turn(true);
  await done("PATCH", "/indexes/films/settings", {
    filterableAttributes: ["kind", "series"],
    embedders: { v: { source: "userProvided", dimensions: 2 } },
  });
  await done("POST", "/indexes/films/documents", FILMS);
});
afterEach(async () => {
  await turn(true);
  await done("DELETE", "/dynamic-search-rules");
});
afterAll(() => admin.close());

type Hits = { id: string | number }[];
async function search(body: unknown, index = "films") {
  const { json, status } = await ask("POST", `/indexes/${index}/search`, body);
  expect([status, json]).toEqual([200, json]);
  return { ...json, ids: (json["hits"] as Hits).map(({ id }) => id) };
}

test("1. off and on", async () => {
  await put("seven", { actions: [pin("7", 0)] });
  expect((await search({ q: "batman" })).ids[0]).toBe(7);
  await turn(false);
  expect((await search({ q: "batman" })).ids).not.toContain(7);
  for (const [method, path] of [
    ["POST", ""],
    ["DELETE", ""],
    ["GET", "/seven"],
    ["PATCH", "/seven"],
    ["DELETE", "/seven"],
  ] as const) {
    const { status, json } = await ask(
      method,
      `/dynamic-search-rules${path}`,
      method === "GET" ? undefined : {},
    );
    expect([method, path, status, json["code"]]).toEqual([method, path, 400, "feature_not_enabled"]);
    expect(json["message"]).toContain("`dynamicSearchRules`");
  }
  expect((await ask("GET", "/experimental-features")).json).toMatchObject({ dynamicSearchRules: false });
  await turn(true);
  expect((await search({ q: "batman" })).ids[0]).toBe(7);
});

const RULE = {
  description: "Pin a film for invoices",
  precedence: 1,
  active: true,
  conditions: { query: { words: "invoice" } },
  actions: [pin("matrix", 1, "films")],
};

test("2. the life of a rule", async () => {
  const task = await put("film-rule", RULE);
  expect(task).toMatchObject({ type: "dsrUpdate", status: "succeeded", indexUid: null });
  const get = async () => (await ask("GET", "/dynamic-search-rules/film-rule")).json;
  const first = await get();
  expect(first).toEqual({ uid: "film-rule", ...RULE, lastUpdatedAt: expect.any(String) });
  expect(Date.parse(String(first["lastUpdatedAt"]))).not.toBeNaN();

  await put("film-rule", { active: false, description: null, conditions: { query: null, time: null } });
  const { description: _, ...others } = RULE;
  expect(await get()).toMatchObject({ ...others, active: false, conditions: {} });
  expect(await get()).not.toHaveProperty("description");
  await put("film-rule", { active: null, precedence: null, actions: null });
  expect(await get()).toMatchObject({ active: true, actions: [] });
  expect(await get()).not.toHaveProperty("precedence");
  await put("plain", {});
  expect((await ask("GET", "/dynamic-search-rules/plain")).json).toMatchObject({
    active: true,
    conditions: {},
    actions: [],
  });

  await put("film-rule", RULE);
  const list = async (body: unknown) => (await ask("POST", "/dynamic-search-rules", body)).json;
  const names = async (body: unknown) =>
    ((await list(body))["results"] as { uid: string }[]).map(({ uid }) => uid);
  expect(await names({})).toEqual(["film-rule", "plain"]);
  expect(await list({ offset: 1, limit: 1 })).toMatchObject({ offset: 1, limit: 1, total: 2 });
  expect(await names({ offset: 1 })).toEqual(["plain"]);
  expect(await names({ filter: { query: "INVOICE film" } })).toEqual(["film-rule"]);
  expect(await names({ filter: { query: "other" } })).toEqual([]);
  expect(await names({ filter: { active: false } })).toEqual([]);
  expect(await names({ filter: null })).toHaveLength(2);

  expect(await done("DELETE", "/dynamic-search-rules/film-rule")).toMatchObject({ type: "dsrUpdate" });
  expect(await done("DELETE", "/dynamic-search-rules/none")).toMatchObject({ status: "succeeded" });
  expect(await ask("GET", "/dynamic-search-rules/film-rule")).toMatchObject({
    status: 404,
    json: { code: "dynamic_search_rule_not_found" },
  });
  expect(await done("DELETE", "/dynamic-search-rules")).toMatchObject({
    type: "dsrClear",
    status: "succeeded",
  });
  expect(await names({})).toEqual([]);
});

const LONG = "x".repeat(MAX_RULE_TEXT_LENGTH + 1);

test.each<[string, unknown, string]>([
  ["an unknown field", { bogus: 1 }, "bad_request"],
  ["a list", [], "bad_request"],
  ["a long description", { description: LONG }, "invalid_dynamic_search_rule_description"],
  ["a negative precedence", { precedence: -1 }, "invalid_dynamic_search_rule_precedence"],
  ["active as text", { active: "yes" }, "invalid_dynamic_search_rule_active"],
  ["long words", { conditions: { query: { words: LONG } } }, "invalid_dynamic_search_rule_conditions"],
  ["no words", { conditions: { query: { words: " " } } }, "invalid_dynamic_search_rule_conditions"],
  [
    "empty and with words",
    { conditions: { query: { isEmpty: true, words: "a" } } },
    "invalid_dynamic_search_rule_conditions",
  ],
  ["a day", { conditions: { time: { start: "2026-01-01" } } }, "invalid_dynamic_search_rule_conditions"],
  [
    "a time that ends before it starts",
    { conditions: { time: { start: "2026-01-02T00:00:00Z", end: "2026-01-01T00:00:00Z" } } },
    "invalid_dynamic_search_rule_conditions",
  ],
  ["a condition by filter", { conditions: { filter: { values: {} } } }, "bad_request"],
  [
    "a pin without a document",
    { actions: [{ selector: {}, action: { type: "pin", position: 0 } }] },
    "invalid_dynamic_search_rule_actions",
  ],
  [
    "another action",
    { actions: [{ selector: { id: "a" }, action: { type: "hide" } }] },
    "invalid_dynamic_search_rule_actions",
  ],
  ["a place before the first", { actions: [pin("a", -1)] }, "invalid_dynamic_search_rule_actions"],
  ["a wrong index", { actions: [pin("a", 0, "a b")] }, "invalid_dynamic_search_rule_actions"],
  ["the site's own index", { actions: [pin("a", 0, "docs")] }, "index_built_in"],
  [
    "many pins",
    { actions: Array.from({ length: MAX_RULE_PINS + 1 }, () => pin("a", 0)) },
    "invalid_dynamic_search_rule_actions",
  ],
])("3. %s", async (_, rule, code) => {
  const { status, json } = await ask("PATCH", "/dynamic-search-rules/wrong", rule);
  expect([status < 500, json["code"]]).toEqual([true, code]);
  expect((await ask("GET", "/dynamic-search-rules/wrong")).status).toBe(404);
});

test("3. names and lists", async () => {
  const codes = [];
  for (const [method, path, body] of [
    ["PATCH", "/a%20b", {}],
    ["GET", `/${"x".repeat(300)}`, undefined],
    ["DELETE", "/ä", undefined],
    ["POST", "", { limit: -1 }],
    ["POST", "", { filter: { active: "x" } }],
    ["PATCH", "/a?nothing=1", {}],
  ] as const)
    codes.push((await ask(method, `/dynamic-search-rules${path}`, body)).json["code"]);
  expect(codes).toEqual([
    "invalid_dynamic_search_rule_uid",
    "invalid_dynamic_search_rule_uid",
    "invalid_dynamic_search_rule_uid",
    "invalid_dynamic_search_rule_limit",
    "invalid_dynamic_search_rule_filter_active",
    "bad_request",
  ]);
});

test("3. too many rules", async () => {
  for (let at = 0; at < MAX_PIN_RULES; at++) await put(`rule-${at}`, {});
  expect(await put("one-more", {})).toMatchObject({
    status: "failed",
    error: { code: "too_many_dynamic_search_rules" },
  });
  expect(await put("rule-0", { active: false })).toMatchObject({ status: "succeeded" });
});

test("4. places, pages, totals and facets", async () => {
  await put("returns", {
    conditions: { query: { words: "returns" } },
    actions: [pin("matrix", 0, "films"), pin("dropped", 1), pin("gone", 0)],
  });
  const q = { q: "Batman Returns", filter: "kind = keep", matchingStrategy: "all" };
  const all = await search({ ...q, facets: ["series"], showRankingScore: true });
  expect(all.ids).toEqual(["matrix", "returns"]);
  expect(all).toMatchObject({
    estimatedTotalHits: 2,
    facetDistribution: { series: { matrix: 1, batman: 1 } },
  });
  expect(await search({ ...q, page: 2, hitsPerPage: 1 })).toMatchObject({
    ids: ["returns"],
    totalHits: 2,
    totalPages: 2,
  });
  expect((await search({ ...q, offset: 1, limit: 1 })).ids).toEqual(["returns"]);
  expect((await search({ ...q, limit: 0 })).ids).toEqual([]);
  // It is found by its words as well: shown once, with its marks.
  await put("returns", { actions: [pin("returns", 1)] });
  const marked = await search({ q: "batman returns", attributesToHighlight: ["title"] });
  expect(marked.ids.filter((id) => id === "returns")).toHaveLength(1);
  expect(marked.ids[1]).toBe("returns");
  expect(JSON.stringify(marked)).toContain("<em>Batman</em> <em>Returns</em>");
  // After the last hit there is no place.
  await put("returns", { actions: [pin("matrix", 50), pin("7", 40)] });
  expect((await search(q)).ids).toEqual(["returns", 7, "matrix"]);
});

test("4. a tenant's rules", async () => {
  await put("seven", { actions: [pin("7", 0), pin("dropped", 0)] });
  const key = await ask("POST", "/keys", { actions: ["search"], indexes: ["films"], expiresAt: null });
  const { uid, key: value } = key.json as { uid: string; key: string };
  const token = makeToken(value, { apiKeyUid: uid, searchRules: { films: { filter: "kind = keep" } } });
  const { json } = await admin.ask("POST", "/indexes/films/search", { q: "forever" }, token);
  expect((json["hits"] as Hits).map(({ id }) => id)).toEqual([7, "forever"]);
});

test("4. distinct", async () => {
  await put("forever", { actions: [pin("forever", 0)] });
  const found = await search({ q: "batman", distinct: "series", filter: "kind = keep" });
  expect(found.ids).toEqual(["forever"]);
  expect(found).toMatchObject({ estimatedTotalHits: 1 });
});

test.each<[string, object, string, boolean]>([
  ["words in another order", { query: { words: "call history" } }, "History of CALL logs", true],
  ["a word is missing", { query: { words: "call history" } }, "history", false],
  ["a part of a word", { query: { words: "call" } }, "calls", false],
  ["accents", { query: { words: "café" } }, "CAFE menu", true],
  ["a repeated word", { query: { words: "new new" } }, "new", true],
  ["only signs", { query: { words: "!!" } }, "!!", false],
  ["empty", { query: { isEmpty: true } }, " ", true],
  ["not empty", { query: { isEmpty: true } }, "a", false],
  ["has words", { query: { isEmpty: false } }, "a", true],
  ["has no words", { query: { isEmpty: false } }, "", false],
  [
    "within the time",
    { time: { start: "2000-01-01T00:00:00Z", end: "2999-01-01T00:00:00+02:00" } },
    "a",
    true,
  ],
  ["before the time", { time: { start: "2999-01-01T00:00:00Z" } }, "a", false],
  ["after the time", { time: { end: "2000-01-01T00:00:00Z" } }, "a", false],
  ["one of two", { query: { words: "a" }, time: { end: "2000-01-01T00:00:00Z" } }, "a", false],
  ["none", {}, "anything", true],
])("5. %s", async (_, conditions, q, isPinned) => {
  await put("rule", { conditions, actions: [pin("7", 0)] });
  const { ids } = await search({ q, filter: "kind = keep", sort: [], limit: 1 });
  // Without the pin, 7 is the last of all documents.
  expect(ids[0] === 7).toBe(isPinned);
});

test("5. an inactive rule", async () => {
  await put("rule", { active: false, actions: [pin("7", 0)] });
  expect((await search({ q: "batman" })).ids).not.toContain(7);
});

test("6. precedence", async () => {
  await put("b", { actions: [pin("7", 0)] });
  await put("a", { precedence: 5, actions: [pin("matrix", 0), pin("7", 1)] });
  await put("c", { precedence: 2, actions: [pin("7", 2)] });
  expect((await search({ q: "returns" })).ids).toEqual(["matrix", "returns", 7]);
  await put("a", { precedence: 0 });
  expect((await search({ q: "returns" })).ids).toEqual(["matrix", 7, "returns"]);
});

test("6. places among any others", () => {
  const others = fc.uniqueArray(fc.integer({ min: 0, max: 99 }));
  const pins = fc.array(fc.record({ item: fc.integer({ min: 100, max: 200 }), position: fc.nat(30) }));
  fc.assert(
    fc.property(others, pins, (found, pinned) => {
      const placed = placePins(found, pinned);
      expect(placed.filter((item) => item < 100)).toEqual(found);
      expect(placed).toHaveLength(found.length + pinned.length);
      const alone = pinned.length === 1 ? pinned[0] : undefined;
      if (alone) expect(placed.indexOf(alone.item)).toBe(Math.min(alone.position, found.length));
    }),
  );
});

test("7. vectors and merged lists", async () => {
  await put("seven", { conditions: { query: { words: "batman" } }, actions: [pin("7", 1)] });
  const near = await search({ q: "batman", vector: [1, 0], hybrid: { embedder: "v", semanticRatio: 0.9 } });
  expect(near.ids[1]).toBe(7);
  expect(near.ids.filter((id) => id === 7)).toHaveLength(1);
  const { json } = await ask("POST", "/multi-search", {
    federation: { facetsByIndex: { films: ["series"] } },
    queries: [
      { indexUid: "films", q: "matrix" },
      { indexUid: "films", q: "batman", filter: "kind = keep" },
    ],
  });
  const ids = (json["hits"] as Hits).map(({ id }) => id);
  expect(ids[1]).toBe(7);
  expect(ids.toSorted()).toEqual([7, "forever", "matrix", "returns"].toSorted());
  expect(json).toMatchObject({
    estimatedTotalHits: 4,
    facetsByIndex: { films: { distribution: { series: { batman: 2, matrix: 1, seven: 1 } } } },
  });
  const lists = await ask("POST", "/multi-search", { queries: [{ indexUid: "films", q: "batman" }] });
  expect((lists.json["results"] as { hits: Hits }[])[0]?.hits[1]?.id).toBe(7);
});

test("8. a restart, and the site's own index", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "rules-"));
  const first = await startAdmin({ dataDir });
  await first.ask("PATCH", "/experimental-features", { dynamicSearchRules: true });
  await first.done(first.ask("POST", "/indexes/films/documents", [{ id: "doc-2" }, { id: "b" }]));
  await first.done(first.ask("PATCH", "/dynamic-search-rules/kept", { actions: [pin("doc-2", 1)] }));
  await first.close();
  const second = await startAdmin({ dataDir });
  expect((await second.ask("GET", "/dynamic-search-rules/kept")).json).toMatchObject({ uid: "kept" });
  const idsOf = async (index: string) =>
    ((await second.ask("POST", `/indexes/${index}/search`, {})).json["hits"] as Hits).map(({ id }) => id);
  expect(await idsOf("films")).toEqual(["b", "doc-2"]);
  const before = await idsOf("docs");
  expect(before.indexOf("doc-2")).not.toBe(1);
  await second.close();
  await rm(dataDir, { recursive: true, force: true });
});

test("9. kept answers", async () => {
  const open = await startAdmin({ publicIndexes: ["films"], builtInIndexes: ["other"] });
  await open.ask("PATCH", "/experimental-features", { dynamicSearchRules: true });
  await open.done(open.ask("POST", "/indexes/films/documents", [{ id: "a" }, { id: "b" }]));
  const body = { queries: [{ indexUid: "films", q: "" }] };
  const ids = async () => {
    const { json } = await open.ask("POST", "/multi-search", body, null);
    return (json["results"] as { hits: Hits }[])[0]?.hits.map(({ id }) => id);
  };
  const end = { time: { end: "2999-01-01T00:00:00Z" } };
  expect([await ids(), await ids()]).toEqual([
    ["a", "b"],
    ["a", "b"],
  ]);
  await open.done(open.ask("PATCH", "/dynamic-search-rules/b", { conditions: end, actions: [pin("b", 0)] }));
  expect(await ids()).toEqual(["b", "a"]);
  expect(open.store.pinning?.changesWithTime).toBe(true);
  await open.done(open.ask("PATCH", "/dynamic-search-rules/b", { conditions: null }));
  expect(open.store.pinning?.changesWithTime).toBe(false);
  await open.close();
});
