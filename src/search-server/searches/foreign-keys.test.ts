/**
 * Foreign keys: attributes with ids of another index.
 *
 * 1. They are set only while the feature is on, which survives a restart; other features are refused by name.
 * 2. In hits, documents of the other index take the ids' place: one, several, and below other attributes. Ids without a document
 *    stay, and so does what is not an id. Hidden attributes and vectors stay hidden. The documents that are read for one hit are
 *    bounded over all its attributes, and by the work of the request.
 * 3. A sender gets only documents that its key and its token may find, also from a kept answer. A rule that the other index
 *    cannot apply leaves the ids.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createWork, WorkOf } from "#search/index.ts";
import { createSearchStore } from "../catalog/store.ts";
import { MAX_FOREIGN_DOCUMENTS } from "../protocol/limits.ts";
import { makeToken } from "../testing/keys.ts";
import { startAdmin } from "../testing/admin.ts";
import { storeOf } from "../testing/documents.ts";
import { createShape } from "./shape-hit.ts";

let admin: Awaited<ReturnType<typeof startAdmin>>;
const ask = (method: string, path: string, body?: unknown) => admin.ask(method, path, body);
const KEYS = [
  { foreignIndexUid: "authors", fieldName: "author" },
  { foreignIndexUid: "authors", fieldName: "people.id" },
  { foreignIndexUid: "none", fieldName: "publisher" },
];
const switchOn = (isOn: boolean) => ask("PATCH", "/experimental-features", { foreignKeys: isOn });

beforeAll(async () => {
  admin = await startAdmin();
  const { done } = admin;
  await switchOn(true);
  await done(
    ask("PATCH", "/indexes/authors/settings", {
      displayedAttributes: ["id", "name"],
      filterableAttributes: ["team"],
    }),
  );
  await done(
    ask("POST", "/indexes/authors/documents", [
      { id: "a", name: "Ada", secret: "x", team: 1, _vectors: { v: [1] } },
      { id: 7, name: "Bo", secret: "y", team: 2 },
    ]),
  );
  await done(ask("PATCH", "/indexes/books/settings", { foreignKeys: KEYS, filterableAttributes: ["id"] }));
  await done(
    ask("POST", "/indexes/books/documents", [
      { id: 1, author: "a", publisher: 5 },
      { id: 2, author: ["a", 7, "gone", null, { x: 1 }], people: [{ id: 7, role: "r" }, { role: "s" }] },
      { id: 3, author: Array.from({ length: MAX_FOREIGN_DOCUMENTS + 1 }, () => "a"), people: [{ id: 7 }] },
      { id: 4, people: Array.from({ length: MAX_FOREIGN_DOCUMENTS + 1 }, () => ({ id: 7 })) },
    ]),
  );
});
afterAll(() => admin.close());

const ADA = { id: "a", name: "Ada" };
const BO = { id: 7, name: "Bo" };

async function hits(body: object = {}, key?: string) {
  const { json } = await admin.ask("POST", "/indexes/books/search", body, key);
  return json["hits"] as { [name: string]: unknown }[];
}

test("1. the feature", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "foreign-keys-"));
  const open = () => startAdmin({ dataDir, store: createSearchStore(), publicIndexes: [] });
  const first = await open();
  const set = (server: typeof first) => server.ask("PUT", "/indexes/books/settings/foreign-keys", KEYS);
  expect(await set(first)).toMatchObject({ status: 400, json: { code: "feature_not_enabled" } });
  const all = await first.ask("PATCH", "/indexes/books/settings", { foreignKeys: KEYS });
  expect(all.json["message"]).toContain("`foreignKeys` experimental feature");
  const both = await first.ask("PATCH", "/experimental-features", { foreignKeys: true, network: true });
  expect(both).toMatchObject({ status: 400, json: { code: "feature_not_enabled" } });
  expect((await first.ask("GET", "/experimental-features")).json).toMatchObject({ foreignKeys: false });
  await first.ask("PATCH", "/experimental-features", { foreignKeys: true });
  await first.done(set(first));
  await first.close();
  const second = await open();
  expect((await second.ask("GET", "/experimental-features")).json).toMatchObject({ foreignKeys: true });
  const read = async () => (await second.ask("GET", "/indexes/books/settings/foreign-keys")).json;
  expect(await read()).toEqual(KEYS);
  await second.done(second.ask("DELETE", "/indexes/books/settings/foreign-keys"));
  expect(await read()).toEqual([]);
  expect((await second.ask("GET", "/indexes/books/settings")).json).not.toHaveProperty("foreignKeys");
  await second.close();
  await rm(dataDir, { recursive: true });
});

test.each([
  [Array.from({ length: 21 }, () => KEYS[0])],
  [[{ foreignIndexUid: "a/b", fieldName: "x" }]],
  [[{ foreignIndexUid: "a" }]],
  [[{ ...KEYS[0], other: 1 }]],
])("1. refused: %#", async (keys) => {
  const answer = await ask("PUT", "/indexes/books/settings/foreign-keys", keys);
  expect(answer.status).toBe(400);
});

test("2. documents in the place of ids", async () => {
  const [one, several, many, below] = await hits();
  expect(one).toEqual({ id: 1, author: ADA, publisher: 5 });
  expect(several).toEqual({
    id: 2,
    author: [ADA, BO, "gone", null, { x: 1 }],
    people: [{ id: BO, role: "r" }, { role: "s" }],
  });
  const authors = many?.["author"] as unknown[];
  expect([authors.at(-2), authors.at(-1)]).toEqual([ADA, "a"]);
  // The ids of the first attribute have used up the hit's documents.
  expect(many?.["people"]).toEqual([{ id: 7 }]);
  const people = below?.["people"] as unknown[];
  expect([people.at(-2), people.at(-1)]).toEqual([{ id: BO }, { id: 7 }]);
  const federated = { federation: {}, queries: [{ indexUid: "books", q: "", filter: null }] };
  const { json } = await ask("POST", "/multi-search", federated);
  expect((json["hits"] as unknown[])[0]).toMatchObject({ author: ADA, _federation: { indexUid: "books" } });
  expect(await hits({ attributesToRetrieve: ["author"], limit: 1 })).toEqual([{ author: ADA }]);
});

test("2. no more work than a request may do", () => {
  const store = storeOf("authors", [{ id: "a", name: "Ada" }]);
  const work = createWork({ most: WorkOf.document });
  const author = ["a", "a", "a"];
  const { bytes } = store.require("authors");
  const books = store.replace("books", bytes, { protocol: { foreignKeys: [KEYS[0]!] } });
  const shape = createShape(books, { store, hasVectors: false, work });
  const hit = shape?.({ id: 0, document: { author } });
  // The second one exceeds it.
  expect(hit?.document).toEqual({ author: [ADA, ADA, "a"] });
});

test("3. senders with fewer rights", async () => {
  const make = async (indexes: string[]) =>
    (await ask("POST", "/keys", { actions: ["search"], indexes, expiresAt: null })).json;
  const [narrow, wide] = [await make(["books"]), await make(["books", "authors"])];
  const [first] = await hits({}, String(narrow["key"]));
  expect(first).toEqual({ id: 1, author: "a", publisher: 5 });
  expect((await hits({}, String(wide["key"])))[0]).toMatchObject({ author: ADA });
  const token = (searchRules: object) =>
    makeToken(String(wide["key"]), { apiKeyUid: wide["uid"], searchRules });
  const ruled = token({ books: {}, authors: { filter: "team = 2" } });
  expect((await hits({}, ruled))[1]).toMatchObject({ author: ["a", BO, "gone", null, { x: 1 }] });
  expect((await hits({}, token({ books: {} })))[0]).toMatchObject({ author: "a" });
  // Documents of `authors` cannot be filtered by `id`.
  expect(await hits({}, token({ "*": { filter: "id = 1" } }))).toEqual([first]);
  const body = { queries: [{ indexUid: "books", limit: 1 }] };
  for (const [key, author] of [
    [wide["key"], ADA],
    [narrow["key"], "a"],
    [wide["key"], ADA],
  ] as const) {
    const { json } = await admin.ask("POST", "/multi-search", body, String(key));
    expect(json["results"]).toMatchObject([{ hits: [{ author }] }]);
  }
});
