/**
 * `GET /tasks/:uid/documents`
 *
 * 1. The documents of a waiting task are one JSON object per line, in whatever form they were sent; large
 *    NDJSON is returned unchanged.
 * 2. A finished task, a task without documents and an unknown task are 404 with their codes; an invalid
 *    number is 400.
 * 3. A key that may not read tasks or see the index gets nothing.
 * 4. JSON that would block everything else is refused.
 */
import { afterEach, expect, test } from "vitest";
import { createSearchRoutes } from "../routes.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { type ContentService, openContentService } from "./content-service.ts";
import { createSearchStore } from "../catalog/store.ts";
import { errorSchema } from "../testing/requests.ts";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const adminKey = "an-admin-key-for-tests";
let content: ContentService | null = null;
let folder = "";

afterEach(async () => {
  await content?.close();
  if (folder !== "") await rm(folder, { recursive: true });
});

/** A server whose commits fail, so that the tasks after the first one wait as long as needed. */
async function openStuck() {
  folder = await mkdtemp(join(tmpdir(), "task-documents-"));
  const store = createSearchStore();
  const { Catalog: CatalogClass } = await import("../catalog/catalog.ts");
  const finish = CatalogClass.prototype.finish;
  let isStuck = true;
  CatalogClass.prototype.finish = function (this: Catalog, batch) {
    if (isStuck) throw new Error("The disk refuses.");
    finish.call(this, batch);
  };
  let goOn = () => {};
  const waited = new Promise<void>((resolve) => (goOn = resolve));
  content = await openContentService({ store, dataDir: folder, pause: () => waited });
  const app = createSearchRoutes({ publicIndexes: [], store, content, adminKey }).admin;
  const headers = { authorization: `Bearer ${adminKey}` };
  const get = (path: string, key = adminKey) =>
    app.request(path, { headers: { authorization: `Bearer ${key}` } });
  const post = (path: string, body: string, type: string) =>
    app.request(path, { method: "POST", headers: { ...headers, "content-type": type }, body });
  const release = async () => {
    isStuck = false;
    CatalogClass.prototype.finish = finish;
    goOn();
    await content!.tasks.settled();
  };
  return { get, post, release };
}

async function errorOf(response: Response | Promise<Response>) {
  const answered = await response;
  return [answered.status, errorSchema.parse(await answered.json()).code];
}

test("documents of tasks", async () => {
  const { get, post, release } = await openStuck();
  await post("/indexes/a/documents", '[{"id":1,"t":"é"},{"id":2}]', "application/json");
  await post("/indexes/a/documents", "id:number,t\n3,x", "text/csv");
  const long = `${JSON.stringify({ id: 4, text: "x".repeat(200_000) })}\n${JSON.stringify({ id: 5 })}\n`;
  await post("/indexes/a/documents", long, "application/x-ndjson");
  await post("/indexes", '{"uid":"b"}', "application/json");
  const tooLong = JSON.stringify([{ id: 6, text: "x".repeat(1_100_000) }]);
  await post("/indexes/a/documents", tooLong, "application/json");

  const first = await get("/tasks/0/documents");
  expect(first.headers.get("content-type")).toBe("application/x-ndjson");
  expect(await first.text()).toBe('{"id":1,"t":"é"}\n{"id":2}\n');
  expect(await (await get("/tasks/1/documents")).text()).toBe('{"id":3,"t":"x"}\n');
  expect(await (await get("/tasks/2/documents")).text()).toBe(long);
  expect(await errorOf(get("/tasks/3/documents"))).toEqual([404, "task_file_not_found"]);
  expect(await errorOf(get("/tasks/4/documents"))).toEqual([413, "payload_too_large"]);
  expect(await errorOf(get("/tasks/99/documents"))).toEqual([404, "task_not_found"]);
  expect(await errorOf(get("/tasks/x/documents"))).toEqual([400, "invalid_task_uids"]);

  const made = await post(
    "/keys",
    '{"actions":["tasks.get"],"indexes":["other"],"expiresAt":null}',
    "application/json",
  );
  const { key } = (await made.json()) as { key: string };
  expect(await errorOf(get("/tasks/0/documents", key))).toEqual([404, "task_not_found"]);
  expect(await errorOf(get("/tasks/0/documents", "no such key"))).toEqual([403, "invalid_api_key"]);

  await release();
  expect(await errorOf(get("/tasks/0/documents"))).toEqual([404, "task_file_not_found"]);
});
