/**
 * What clients of the newest Meilisearch expect, beyond what the other files here prove:
 *
 * 1. A new index has the newest defaults: its ranking rules, and typos in numbers.
 * 2. Lists and totals name only indexes that clients made: a client that deletes every index it is shown meets no error. The
 *    site's own index is found by its name.
 * 3. A key's date is shown as it was given.
 * 4. Tasks are filtered by known types only; a batch says how long it took.
 * 5. An empty filter deletes nothing.
 * 6. A search without a query needs a key, as no public index is named.
 * 7. Filterable attributes come back as they were written, with the default features.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { startAdmin } from "../testing/admin.ts";

let admin: Awaited<ReturnType<typeof startAdmin>>;
beforeAll(async () => void (admin = await startAdmin()));
afterAll(() => admin.close());

const ask = (method: string, path: string, body?: unknown) => admin.ask(method, path, body);
const done: typeof admin.done = (answer) => admin.done(answer);

test("1. defaults", async () => {
  await done(ask("POST", "/indexes", { uid: "new" }));
  expect((await ask("GET", "/indexes/new/settings")).json).toMatchObject({
    rankingRules: ["words", "typo", "proximity", "attributeRank", "sort", "wordPosition", "exactness"],
    typoTolerance: { disableOnNumbers: false, minWordSizeForTypos: { oneTypo: 5, twoTypos: 9 } },
  });
  expect((await ask("GET", "/indexes/new/stats")).json).toMatchObject({ rawDocumentDbSize: 0 });
  await done(ask("DELETE", "/indexes/new"));
});

test("2. the site's own index", async () => {
  const { json } = await ask("GET", "/indexes");
  expect(json).toMatchObject({ results: [{ uid: "blog" }], total: 1 });
  expect(Object.keys((await ask("GET", "/stats")).json["indexes"] as object)).toEqual(["blog"]);
  expect((await ask("GET", "/indexes/docs")).json).toMatchObject({ uid: "docs" });
  expect((await ask("GET", "/indexes/docs/stats")).json).toMatchObject({ numberOfDocuments: 57 });
  expect((await ask("DELETE", "/indexes/docs")).json).toMatchObject({ code: "index_built_in" });
});

test.each([
  ["2050-11-13T00:00:00.000Z", "2050-11-13T00:00:00Z"],
  ["2050-11-13", "2050-11-13T00:00:00Z"],
  ["2050-11-13T02:00:00+02:00", "2050-11-13T00:00:00Z"],
  ["2050-11-13T00:00:00.25Z", "2050-11-13T00:00:00.250Z"],
])("3. a key until %s", async (expiresAt, shown) => {
  const made = await ask("POST", "/keys", { actions: ["search"], indexes: ["*"], expiresAt });
  expect(made.json["expiresAt"]).toBe(shown);
});

test("4. tasks and batches", async () => {
  expect((await ask("GET", "/tasks?types=wrong")).json).toMatchObject({ code: "invalid_task_types" });
  expect((await ask("GET", "/tasks?types=dumpCreation,indexCreation")).status).toBe(200);
  const { json } = await ask("GET", "/batches?limit=1");
  const [batch] = json["results"] as { stats: unknown }[];
  expect(batch?.stats).toMatchObject({
    progressTrace: { "processing tasks": expect.stringMatching(/^[\d.]+(?:µs|ms|s)$/) as string },
  });
});

test.each(["", " ", [], [""], [["", " "]]])("5. the filter %j", async (filter) => {
  const refused = await ask("POST", "/indexes/blog/documents/delete", { filter });
  expect(refused).toMatchObject({ status: 400, json: { code: "invalid_document_filter" } });
});

test("6. no query", async () => {
  const search = (key?: string | null) => admin.ask("POST", "/multi-search", { queries: [] }, key);
  expect(await search(null)).toMatchObject({ status: 401, json: { code: "missing_authorization_header" } });
  expect(await search("wrong")).toMatchObject({ status: 403, json: { code: "invalid_api_key" } });
  expect(await search()).toMatchObject({ status: 200, json: { results: [] } });
});

test("7. filterable attributes", async () => {
  const written = ["title", { attributePatterns: ["tag_*"] }];
  await done(ask("PUT", "/indexes/blog/settings/filterable-attributes", written));
  const features = { facetSearch: false, filter: { equality: true, comparison: false } };
  const { json } = await ask("GET", "/indexes/blog/settings/filterable-attributes");
  expect(json).toEqual(["title", { attributePatterns: ["tag_*"], features }]);
  await done(ask("PUT", "/indexes/blog/settings/filterable-attributes", ["title"]));
  expect((await ask("GET", "/indexes/blog/settings/filterable-attributes")).json).toEqual(["title"]);
  const wrong = [{ attributePatterns: ["a"], features: { facetSearch: 1 } }];
  expect((await ask("PUT", "/indexes/blog/settings/filterable-attributes", wrong)).json).toMatchObject({
    code: "invalid_settings_filterable_attributes",
  });
});
