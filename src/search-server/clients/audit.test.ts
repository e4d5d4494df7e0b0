/**
 * Every method of the official client `meilisearch` 0.57, found by reflection, so that a method added by a
 * later version fails here until it has its row.
 *
 * 1. Each is answered, or refused with the protocol's own error; none crashes and none falls through to the
 *    site.
 * 2. Each setting is read, written and reset.
 * 3. Fields: every attribute of the documents and how the settings treat it, filtered and paged.
 */
import { serve } from "@hono/node-server";
import { Index, Meilisearch } from "meilisearch";
import { afterAll, beforeAll, expect, test } from "vitest";
import { codeOf, startTestSession, succeeds, type TestSession } from "../testing/session.ts";

let session: TestSession;
let client: Meilisearch;
let docs: Index;

beforeAll(async () => {
  session = await startTestSession(serve);
  const { url: host, adminKey: apiKey } = session;
  client = new Meilisearch({ host, apiKey, defaultWaitOptions: { interval: 5, timeout: 60_000 } });
  docs = client.index("docs");
});
afterAll(() => session.close());

const document = { id: "one", title: "One" };
const remote = { url: "http://localhost:1" };
const webhook = { url: "https://example.com/hook", headers: {} };
const keyUid = "6062abda-a5aa-4414-ac91-ecd7944c0f8d";

let hook = "";

/** Method → a call that is answered. In this order. */
const answered: { [method: string]: () => Promise<unknown> } = {
  "client.health": () => client.health(),
  "client.isHealthy": () => client.isHealthy(),
  "client.getVersion": () => client.getVersion(),
  "client.getStats": () => client.getStats(),
  "client.getIndex": () => client.getIndex("docs"),
  "client.getRawIndex": () => client.getRawIndex("docs"),
  "client.getIndexes": () => client.getIndexes(),
  "client.getRawIndexes": () => client.getRawIndexes(),
  "client.createIndex": () => succeeds(client.createIndex("made", { primaryKey: "id" })),
  "client.updateIndex": () => succeeds(client.updateIndex("made", { primaryKey: "key" })),
  "client.swapIndexes": () => succeeds(client.swapIndexes([{ indexes: ["made", "blog"], rename: false }])),
  "client.deleteIndex": () => succeeds(client.deleteIndex("made")),
  "client.deleteIndexIfExists": async () => client.deleteIndexIfExists("made"),
  "client.multiSearch": () => client.multiSearch({ queries: [{ indexUid: "docs", q: "docker" }] }),
  "client.getKeys": () => client.getKeys(),
  "client.createKey": () =>
    client.createKey({ uid: keyUid, actions: ["search"], indexes: ["docs"], expiresAt: null }),
  "client.getKey": () => client.getKey(keyUid),
  "client.updateKey": () => client.updateKey(keyUid, { name: "named" }),
  "client.deleteKey": async () => (await client.deleteKey(keyUid)) ?? null,
  "client.getWebhooks": () => client.getWebhooks(),
  "client.createWebhook": async () => (hook = (await client.createWebhook(webhook)).uuid),
  "client.getWebhook": () => client.getWebhook(hook),
  "client.updateWebhook": () => client.updateWebhook(hook, { headers: { a: "1" } }),
  "client.deleteWebhook": async () => (await client.deleteWebhook(hook)) ?? null,
  "client.getExperimentalFeatures": () => client.getExperimentalFeatures(),
  "index.search": () => docs.search("docker"),
  "index.searchGet": () => docs.searchGet("docker"),
  "index.searchForFacetValues": () => docs.searchForFacetValues({ facetName: "section" }),
  "index.getRawInfo": () => docs.getRawInfo(),
  "index.fetchInfo": () => docs.fetchInfo(),
  "index.fetchPrimaryKey": () => docs.fetchPrimaryKey(),
  "index.update": () => succeeds(docs.update({ primaryKey: "id" })),
  "index.getStats": () => docs.getStats(),
  "index.getFields": () => docs.getFields(),
  "index.addDocuments": () => succeeds(docs.addDocuments([document])),
  "index.addDocumentsFromString": () =>
    succeeds(docs.addDocumentsFromString(JSON.stringify(document), "application/x-ndjson")),
  "index.addDocumentsInBatches": () => succeedAll(docs.addDocumentsInBatches([document, document], 1)),
  "index.updateDocuments": () => succeeds(docs.updateDocuments([{ ...document, note: "new" }])),
  "index.updateDocumentsInBatches": () => succeedAll(docs.updateDocumentsInBatches([document], 1)),
  "index.updateDocumentsFromString": () =>
    succeeds(docs.updateDocumentsFromString("id,title\none,Two", "text/csv")),
  "index.getDocument": () => docs.getDocument("one"),
  "index.getDocuments": () => docs.getDocuments({ filter: "section = CLI" }),
  "index.deleteDocument": () => succeeds(docs.deleteDocument("one")),
  "index.deleteDocuments": () => succeeds(docs.deleteDocuments(["one", "two"])),
  "tasks.getTasks": () => client.tasks.getTasks({ limit: 1 }),
  "tasks.getTask": () => client.tasks.getTask(0),
  "tasks.waitForTask": () => client.tasks.waitForTask(0),
  "tasks.waitForTasks": () => client.tasks.waitForTasks([0, 1]),
  "tasks.waitForTasksIter": () => client.tasks.waitForTasksIter([0]).next(),
  "tasks.cancelTasks": () => succeeds(client.tasks.cancelTasks({ statuses: ["enqueued"] })),
  "batches.getBatches": () => client.batches.getBatches(),
  "batches.getBatch": () => client.batches.getBatch(0),
  "tasks.deleteTasks": () => succeeds(client.tasks.deleteTasks({ statuses: ["failed"] })),
  "index.deleteAllDocuments": () => succeeds(docs.deleteAllDocuments()),
  "index.delete": () => succeeds(client.index("blog").delete()),
};

/** Method → a call that is refused, and the code. */
const refused: { [method: string]: [code: string, call: () => Promise<unknown>] } = {
  "client.createDump": ["feature_not_enabled", () => client.createDump()],
  "client.createSnapshot": ["feature_not_enabled", () => client.createSnapshot()],
  "client.updateExperimentalFeatures": [
    "feature_not_enabled",
    () => client.updateExperimentalFeatures({ metrics: true }),
  ],
  "client.getChatWorkspaces": ["feature_not_enabled", () => client.getChatWorkspaces()],
  "client.chat": ["feature_not_enabled", () => client.chat("x").get()],
  "client.getNetwork": ["feature_not_enabled", () => client.getNetwork()],
  "client.initializeNetwork": [
    "feature_not_enabled",
    () => client.initializeNetwork({ self: "a", remotes: { a: remote }, shards: { s: { remotes: ["a"] } } }),
  ],
  "client.addRemote": ["feature_not_enabled", () => client.addRemote({ name: "a", remote })],
  "client.removeRemote": ["feature_not_enabled", () => client.removeRemote({ name: "a" })],
  "client.addRemotesToShard": ["feature_not_enabled", () => client.addRemotesToShard("s", ["a"])],
  "client.removeRemotesFromShard": ["feature_not_enabled", () => client.removeRemotesFromShard("s", ["a"])],
  "index.searchSimilarDocuments": ["missing_similar_embedder", () => docs.searchSimilarDocuments({ id: 1 })],
  "index.updateDocumentsByFunction": [
    "feature_not_enabled",
    () => docs.updateDocumentsByFunction({ function: "doc.title = 1" }),
  ],
  "index.getChat": ["feature_not_enabled", () => docs.getChat()],
  "index.updateChat": ["feature_not_enabled", () => docs.updateChat({})],
};

/** Methods of the client itself, which send nothing. */
const LOCAL = ["client.index", "client.tasks", "client.batches"];

function succeedAll(tasks: Parameters<typeof succeeds>[0][]): Promise<unknown> {
  return Promise.all(tasks.map((task) => succeeds(task)));
}

function methodsOf(name: string, object: object): string[] {
  const methods = Object.getOwnPropertyNames(object).filter((method) => method !== "constructor");
  return methods.map((method) => `${name}.${method}`);
}

const isOfSetting = (method: string) => /^index\.(?:get|update|reset)/.test(method);

test("1. every method", { timeout: 60_000 }, async () => {
  const methods = [
    ...methodsOf("client", Meilisearch.prototype),
    ...methodsOf("index", Index.prototype),
    ...methodsOf("tasks", Object.getPrototypeOf(client.tasks) as object),
    ...methodsOf("batches", Object.getPrototypeOf(client.batches) as object),
  ];
  const known = new Set([...Object.keys(answered), ...Object.keys(refused), ...LOCAL]);
  expect(methods.filter((method) => !known.has(method) && !isOfSetting(method))).toEqual([]);
  expect([...known].filter((method) => !methods.includes(method))).toEqual([]);
  for (const [method, [code, call]] of Object.entries(refused)) {
    expect([method, await codeOf(call())]).toEqual([method, code]);
  }
  for (const [method, call] of Object.entries(answered)) {
    await expect(call(), method).resolves.toBeDefined();
  }
});

test("2. every setting", { timeout: 60_000 }, async () => {
  await succeeds(client.index("set").addDocuments([document]));
  const index = client.index("set") as unknown as { [method: string]: (value?: unknown) => Promise<unknown> };
  const settings = methodsOf("index", Index.prototype).flatMap(
    (method) => /^index\.reset(?!Settings)(\w+)$/.exec(method)?.[1] ?? [],
  );
  expect(settings.length).toBeGreaterThan(18);
  for (const setting of settings) {
    const initial = await index[`get${setting}`]!();
    type Enqueued = Parameters<typeof succeeds>[0];
    // The client's enqueued promise has `waitTask`; under a computed name TypeScript does not know it.
    const written = index[`update${setting}`]!(initial) as unknown as Enqueued;
    await succeeds(written);
    await succeeds(index[`reset${setting}`]!() as unknown as Enqueued);
    expect([setting, await index[`get${setting}`]!()]).toEqual([setting, initial]);
  }
});

test("3. fields", async () => {
  const index = client.index("fields");
  await succeeds(index.addDocuments([{ id: 1, title: "x", price: 3, secret: "y" }]));
  await succeeds(
    index.updateSettings({
      displayedAttributes: ["id", "title", "price"],
      filterableAttributes: ["price"],
      rankingRules: ["words", "price:desc"],
      distinctAttribute: "title",
    }),
  );
  const { results, total } = await index.getFields({ limit: 2 });
  expect(total).toBe(4);
  expect(results.map(({ name }) => name)).toEqual(["id", "price"]);
  expect(results[1]).toMatchObject({
    displayed: { enabled: true },
    filterable: { enabled: true },
    rankingRule: { enabled: true, order: "desc" },
    distinct: { enabled: false },
  });
  const named = async (filter: object) => (await index.getFields({ filter })).results.map(({ name }) => name);
  expect(await named({ displayed: false })).toEqual(["secret"]);
  expect(await named({ attributePatterns: ["t*", "id"], distinct: true })).toEqual(["title"]);
});
