/**
 * 1. Pushed records and settings are searched under the index's name; a second push replaces them, in as many
 *    uploads as needed, and leaves no other index behind. One record of each section is found, as with the
 *    embedded index.
 * 2. If the server refuses, the searched index stays, nothing is left behind, and the error has the reason.
 * 3. A server that accepts the connection but never answers is abandoned soon, because the site's start waits
 *    for it. A server other than Meilisearch is reported as such.
 */
import { serve } from "@hono/node-server";
import { createServer, type Socket } from "node:net";
import { expect, test } from "vitest";
import { defaultSettings } from "#search/index.ts";
import { createSearchRoutes } from "../routes.ts";
import { openContentService } from "../changes/content-service.ts";
import { pushRecords } from "./push-records.ts";
import { createSearchStore } from "../catalog/store.ts";
import { PUBLIC_INDEXES, wireDocuments } from "../testing/documents.ts";
import { startTestServer } from "../testing/server.ts";

test("push, push again, fail", async () => {
  const store = createSearchStore();
  const content = await openContentService({ store, dataDir: null });
  const key = "the-key-that-may-write";
  const server = await startTestServer(
    serve,
    createSearchRoutes({ publicIndexes: PUBLIC_INDEXES, store, content, adminKey: key }),
  );
  const settings = {
    ...defaultSettings(),
    primaryKey: "id",
    filterableAttributes: ["section"],
    hierarchy: { url: "path", levels: ["title"], content: "content" },
  };
  const push = { url: server.url, key, indexUid: "docs", settings, version: "build-1", pollMs: 5 };

  expect(await pushRecords({ ...push, documents: wireDocuments() })).toEqual({ documents: 57, uploads: 1 });
  expect(store.search("docs", { q: "docker", filter: "section = CLI" }).total).toBe(11);

  expect(store.require("docs").index.settings.distinctAttribute).toBe("path");

  const fewer = wireDocuments().slice(0, 10);
  const { uploads } = await pushRecords({ ...push, version: "build-2", documents: fewer, batchBytes: 500 });
  expect(uploads).toBeGreaterThan(2);
  expect(store.list().map(({ uid, index }) => [uid, index.documentCount])).toEqual([["docs", 10]]);

  const broken = pushRecords({ ...push, version: "build-3", documents: [{ title: "no id" }] });
  await expect(broken).rejects.toThrow("Document doesn't have a `id` attribute");
  await content.tasks.settled();
  expect(store.list().map(({ uid, index }) => [uid, index.documentCount])).toEqual([["docs", 10]]);
  await expect(pushRecords({ ...push, key: "wrong", documents: fewer })).rejects.toThrow("403");

  await server.close();
  await content.close();
}, 30_000);

test.each(["<html>Welcome</html>", '{"ok":true}'])("3. a server that answers %s", async (answer) => {
  const push = {
    url: "http://127.0.0.1",
    key: "k",
    indexUid: "docs",
    settings: defaultSettings(),
    documents: [],
    version: "1",
    fetch: () => Promise.resolve(new Response(answer)),
  };
  await expect(pushRecords(push)).rejects.toThrow(/127\.0\.0\.1: it did not return a Meilisearch response/);
});

test("3. a server that never answers", async () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => sockets.push(socket));
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const { port } = silent.address() as { port: number };
  const push = {
    url: `http://127.0.0.1:${port}`,
    key: "k",
    indexUid: "docs",
    settings: defaultSettings(),
    documents: [],
    version: "1",
    answerMs: 50,
  };
  await expect(pushRecords(push)).rejects.toThrow("timeout");
  for (const socket of sockets) socket.destroy();
  silent.close();
});
