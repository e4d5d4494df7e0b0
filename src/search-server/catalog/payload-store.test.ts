/**
 * 1. A short body stays in memory, a long one becomes a file with the same bytes, however it is cut into
 *    chunks.
 * 2. Bodies that are over the limit, break off or find no room leave nothing behind; waiting bodies are
 *    counted, and their room is free again when their task is done.
 * 3. The start removes what no task needs.
 * 4. A long body is checked in a thread, with the same errors and counts as a short one.
 * 5. With 4 MB of documents nothing long is parsed in the thread that answers, neither on arrival nor in
 *    the build.
 */
import * as fc from "fast-check";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openContentService } from "../changes/content-service.ts";
import { createPayloadChecker } from "../payloads/checker.ts";
import { describePayload, type PayloadForm, readPayload } from "../payloads/content.ts";
import { createSearchStore } from "./store.ts";
import { add, change } from "../testing/changes.ts";
import { held, PayloadStore } from "./payload-store.ts";

const LIMITS = { inlinePayloadBytes: 100, waitingPayloadBytes: 1000 };

let folder: string;
let store: PayloadStore;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "payloads-"));
  store = new PayloadStore(folder, LIMITS);
  await store.open(new Set(), 0);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function* chunks(parts: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* parts;
}

const receive = (parts: readonly Uint8Array[], maximum = 500, declared: number | null = null) =>
  store.receive({ stream: chunks(parts), declared, maximum });

test("1. any body", async () => {
  const body = fc.array(fc.uint8Array({ maxLength: 90 }), { maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(body, async (parts) => {
      const payload = await receive(parts);
      const whole = Buffer.concat(parts);
      const source = store.locate(payload.source);
      expect("file" in source).toBe(whole.length > LIMITS.inlinePayloadBytes);
      expect(Buffer.from("file" in source ? await readFile(source.file) : source.bytes)).toEqual(whole);
      expect([payload.size, store.size]).toEqual([whole.length, whole.length]);
      await store.discard(held(payload));
      expect([store.size, await readdir(folder)]).toEqual([0, []]);
    }),
    { numRuns: 40 },
  );
});

test("2. refused", async () => {
  const part = new Uint8Array(90);
  await expect(receive([part, part], 150)).rejects.toMatchObject({ code: "payload_too_large" });
  await expect(receive([], 150, 151)).rejects.toMatchObject({ code: "payload_too_large" });
  const broken = async function* () {
    yield part;
    yield part;
    throw new Error("aborted");
  };
  await expect(store.receive({ stream: broken(), declared: null, maximum: 500 })).rejects.toMatchObject({
    code: "malformed_payload",
  });
  expect([store.size, await readdir(folder)]).toEqual([0, []]);

  const kept = await receive(
    Array.from({ length: 10 }, () => part),
    900,
  );
  const full = { code: "too_many_tasks", status: 503, retryAfterSeconds: 5 };
  await expect(receive([part, part])).rejects.toMatchObject(full);
  await expect(receive([], 500, 101)).rejects.toMatchObject(full);
  expect(store.size).toBe(900);
  await store.discard(held(kept));
  expect((await receive([part, part])).size).toBe(180);
});

test("3. after a crash", async () => {
  const parts = [new Uint8Array(90), new Uint8Array(90)];
  const [needed] = [await receive(parts), await receive(parts)];
  const next = new PayloadStore(folder, LIMITS);
  await next.open(new Set([held(needed).file!]), 180);
  expect([next.size, await readdir(folder)]).toEqual([180, [held(needed).file]]);
});

test("4. in a thread", { timeout: 60_000 }, async () => {
  const checker = createPayloadChecker(1000);
  const forms: [PayloadForm, string][] = [
    [{ kind: "documents", type: "application/json", delimiter: "," }, '[{"id":1},{"id":2}]'],
    [{ kind: "documents", type: "application/x-ndjson", delimiter: "," }, '{"id":1}\n{"id":'],
    [
      { kind: "documents", type: "application/json", delimiter: "," },
      `[{"id":${"[".repeat(200)}${"]".repeat(200)}}]`,
    ],
    [{ kind: "documents", type: "text/csv", delimiter: ";" }, "id;title\n1;x"],
    [{ kind: "ids" }, '["a",1]'],
    [{ kind: "ids" }, '["a",null]'],
    [{ kind: "filter" }, '{"filter":"a = 1"}'],
    [{ kind: "filter" }, "{}"],
    [{ kind: "settings", setting: null }, '{"stopWords":["a"]}'],
    [{ kind: "settings", setting: "stopWords" }, '{"a":1}'],
    [{ kind: "settings", setting: "synonyms" }, JSON.stringify({ a: Array(500).fill("bcd") })],
  ];
  for (const [form, text] of forms) {
    const bytes = new TextEncoder().encode(text);
    const here = await Promise.resolve()
      .then(() => describePayload(readPayload(form, bytes), 1000))
      .catch((error: { code: string; message: string }) => [error.code, error.message]);
    const there = await checker
      .check(form, { bytes })
      .catch((error: { code: string; message: string }) => [error.code, error.message]);
    expect([text, there]).toEqual([text, here]);
    expect(JSON.stringify(there).length).toBeLessThan(1000);
  }
  await checker.close();
});

test("5. 4 MB", { timeout: 60_000 }, async () => {
  const documents = Array.from({ length: 4000 }, (_, id) => ({ id, text: `${id} `.repeat(200) }));
  const searches = createSearchStore();
  const content = await openContentService({ store: searches, dataDir: folder });
  const parse = vi.spyOn(JSON, "parse");
  const task = await change(content, "a", add(documents));
  expect(task.details).toEqual({ receivedDocuments: 4000, indexedDocuments: null });
  await content.tasks.settled();
  expect(content.tasks.get(task.uid)?.details).toEqual({ receivedDocuments: 4000, indexedDocuments: 4000 });
  const longest = Math.max(...parse.mock.calls.map(([text]) => text.length));
  parse.mockRestore();
  await content.close();
  expect(longest).toBeLessThan(10_000);
});
