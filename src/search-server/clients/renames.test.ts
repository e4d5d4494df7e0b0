/**
 * 1. An index is renamed by an update and by a swap; documents, settings, creation date and a new primary key
 *    move too.
 * 2. A taken name, a missing index, and the site's own index are refused as Meilisearch does.
 * 3. A key that may not update an index of the new name cannot rename one to it.
 * 4. After a restart the index has its new name and one file; nothing is left of the old one.
 */
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serve } from "@hono/node-server";
import { Meilisearch } from "meilisearch";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openContentService } from "../changes/content-service.ts";
import { createSearchStore } from "../catalog/store.ts";
import { codeOf, startTestSession, succeeds, type TestSession } from "../testing/session.ts";

let session: TestSession;
let client: Meilisearch;

beforeAll(async () => {
  session = await startTestSession(serve);
  client = new Meilisearch({
    host: session.url,
    apiKey: session.adminKey,
    defaultWaitOptions: { interval: 5, timeout: 60_000 },
  });
});
afterAll(() => session.close());

async function make(uid: string) {
  await succeeds(client.index(uid).updateSettings({ filterableAttributes: ["id"], stopWords: ["the"] }));
  await succeeds(client.index(uid).addDocuments([{ id: 1, title: `The ${uid}` }, { id: 2 }]));
  return client.getRawIndex(uid);
}

async function failureOf(enqueued: {
  waitTask: () => Promise<{ status: string; error: { code: string } | null }>;
}) {
  const { status, error } = await enqueued.waitTask();
  return status === "failed" ? error?.code : status;
}

describe("1. renaming", () => {
  test.each(["update", "swap"] as const)("by %s", async (how) => {
    const [from, to] = [`${how}-from`, `${how}-to`];
    const before = await make(from);
    const task =
      how === "update"
        ? await succeeds(client.updateIndex(from, { uid: to }))
        : await succeeds(client.swapIndexes([{ indexes: [from, to], rename: true }]));
    expect(task.details).toMatchObject(
      how === "update"
        ? { oldIndexUid: from, newIndexUid: to }
        : { swaps: [{ indexes: [from, to], rename: true }] },
    );
    expect(await codeOf(client.getRawIndex(from))).toBe("index_not_found");
    const after = await client.getRawIndex(to);
    expect(after).toMatchObject({ uid: to, primaryKey: "id", createdAt: before.createdAt });
    expect((await client.index(to).search("", { filter: "id = 1" })).hits).toEqual([
      { id: 1, title: `The ${from}` },
    ]);
    expect(await client.index(to).getStopWords()).toEqual(["the"]);
  });

  test("with a primary key", async () => {
    await succeeds(client.createIndex("keyless"));
    const task = await succeeds(client.updateIndex("keyless", { uid: "keyed", primaryKey: "sku" }));
    expect(task.details).toMatchObject({ primaryKey: "sku", newIndexUid: "keyed" });
    expect(await client.getRawIndex("keyed")).toMatchObject({ primaryKey: "sku" });
    expect(await codeOf(client.getRawIndex("keyless"))).toBe("index_not_found");
  });

  test("to its own name, which changes nothing", async () => {
    await make("same");
    await succeeds(client.updateIndex("same", { uid: "same" }));
    expect((await client.index("same").search("")).hits).toHaveLength(2);
  });
});

describe("2. refusals", () => {
  test("a name that is taken", async () => {
    await make("taken-a");
    await make("taken-b");
    expect(await failureOf(client.updateIndex("taken-a", { uid: "taken-b" }))).toBe("index_already_exists");
    expect(await failureOf(client.swapIndexes([{ indexes: ["taken-a", "taken-b"], rename: true }]))).toBe(
      "index_already_exists",
    );
    expect((await client.index("taken-a").search("")).hits[0]).toEqual({ id: 1, title: "The taken-a" });
  });
  test("an index that is not there", async () => {
    expect(await failureOf(client.updateIndex("nowhere", { uid: "somewhere" }))).toBe("index_not_found");
    expect(await failureOf(client.swapIndexes([{ indexes: ["nowhere", "somewhere"], rename: true }]))).toBe(
      "index_not_found",
    );
  });
  test("no name", async () => {
    expect(await codeOf(client.updateIndex("taken-a", { uid: "Not a name!" }))).toBe("invalid_index_uid");
  });
});

test("3. rights", async () => {
  await make("shop-old");
  const { key } = await client.createKey({
    actions: ["indexes.update", "indexes.swap"],
    indexes: ["shop-*"],
    expiresAt: null,
  });
  const keeper = new Meilisearch({ host: session.url, apiKey: key });
  expect(await codeOf(keeper.updateIndex("shop-old", { uid: "elsewhere" }))).toBe("invalid_api_key");
  const swap = [{ indexes: ["shop-old", "elsewhere"] as [string, string], rename: true }];
  expect(await codeOf(keeper.swapIndexes(swap))).toBe("invalid_api_key");
});

test("4. restarts", async () => {
  const folder = await mkdtemp(join(tmpdir(), "renames-"));
  try {
    const open = async () => {
      const store = createSearchStore();
      return { store, service: await openContentService({ store, dataDir: folder }) };
    };
    const first = await open();
    await first.service.change({
      indexUid: "a",
      type: "documentAdditionOrUpdate",
      change: {
        kind: "replace",
        form: { type: "application/json", delimiter: "," },
        primaryKey: "id",
        skipCreation: false,
      },
      body: { value: [{ id: 1 }] },
    });
    await first.service.enqueue({
      indexUid: "a",
      type: "indexUpdate",
      work: { kind: "rename", to: "b", primaryKey: null },
    });
    await first.service.tasks.settled();
    await first.service.close();
    const files = async () => (await readdir(folder)).filter((name) => name.endsWith(".index"));
    expect(await files()).toEqual([expect.stringMatching(/^b\.\d+\.index$/)]);
    const second = await open();
    expect(second.store.list().map(({ uid, index }) => [uid, index.documentCount])).toEqual([["b", 1]]);
    await second.service.close();
  } finally {
    await rm(folder, { recursive: true });
  }
});
