/**
 * 1. When an event, a click, an error, a part of a recording or an answer is acknowledged, it is committed: another process
 *    that opens the file at this moment finds it.
 * 2. Data that cannot be stored is never acknowledged: 503 with `Retry-After`, and it is counted.
 * 3. The same request again, sent by an SDK that got no answer, is one row.
 * 4. The last error is cleared as soon as something was written.
 * 5. A batch takes the rows that arrived while the previous one was written: many requests are few transactions.
 */
import { gzipSync } from "node:zlib";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { startTelemetry } from "../testing/telemetry.ts";

const id = "01a1fc2d-26f7-7798-aea1-fa75d352d7ea";
const uuid = "01a1fc2d-0000-7000-8000-000000000001";
const event = (number = 1) => ({
  event: "search",
  uuid: uuid.replace(/\d$/, String(number)),
  distinct_id: id,
  properties: {},
});
const error = { event_id: "a".repeat(32), exception: { values: [{ type: "Error", value: "boom" }] } };
const click = {
  eventType: "click",
  eventName: "Hit",
  index: "docs",
  userToken: "t",
  objectIDs: ["1"],
  timestamp: Date.now(),
};
const snapshot = {
  event: "$snapshot",
  uuid,
  properties: {
    distinct_id: id,
    $session_id: "s",
    $snapshot_data: [{ type: 3, timestamp: Date.now(), data: {} }],
  },
};

const sent: [path: string, body: string | Uint8Array<ArrayBuffer>, table: string, onRetry: number][] = [
  ["/ingest/e/", JSON.stringify(event()), "events", 1],
  ["/ingest/s/", new Uint8Array(gzipSync(JSON.stringify([snapshot]))), "snapshots", 1],
  ["/errors/envelope", `{}\n{"type":"event"}\n${JSON.stringify(error)}\n`, "errors", 1],
  ["/insights/1/events", JSON.stringify({ events: [click] }), "events", 1],
  // Answers cannot be distinguished: the page sends one again only after a response that it was not stored.
  ["/feedback", JSON.stringify({ path: "/docs", answer: "yes", text: "" }), "feedback", 2],
];

function countIn(file: string, table: string): number {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    return Number(db.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.["n"]);
  } finally {
    db.close();
  }
}

test.each(sent)("1. and 3. %s", async (path, body, table, onRetry) => {
  const { post, file } = startTelemetry();
  expect((await post(path, body)).ok).toBe(true);
  expect(countIn(file, table)).toBe(1);
  expect((await post(path, body)).ok).toBe(true);
  expect(countIn(file, table)).toBe(onRetry);
});

test("2. a queue without room", async () => {
  const { post, store, file } = startTelemetry({ limits: { queuedRows: 0 } });
  for (const [index, [path, body, table]] of sent.entries()) {
    const response = await post(path, body);
    expect([response.status, response.headers.get("retry-after")], path).toEqual([503, "10"]);
    expect(store.status().dropped).toBe(index + 1);
    await store.ask("health", {});
    expect(countIn(file, table)).toBe(0);
  }
});

test("2. a thread that has ended, 4. and one that has been started again", async () => {
  const { post, store } = startTelemetry();
  await store.ask("health", {});
  const [path, body] = sent[0] ?? ["", ""];
  await store.endThread();
  const response = await post(path, body);
  expect([response.status, response.headers.get("retry-after")]).toEqual([503, "10"]);
  expect(store.status().lastError).toContain("restarted");
  await expect.poll(async () => (await post(path, body)).status, { timeout: 30_000 }).toBe(200);
  expect(store.status()).toMatchObject({ queued: 0, lastError: null });
});

test("4. a queue that was full for a moment", async () => {
  const { store } = startTelemetry({ limits: { queuedRows: 1 } });
  const row = { at: 1, path: "/docs", answer: "yes" as const, text: "" };
  const outcomes = [store.write({ feedback: [row] }), store.write({ feedback: [row] })];
  expect(await outcomes[1]).toMatchObject({ isKept: false, isDiskFull: false });
  expect(store.status().lastError).toBe("The queue is full.");
  expect(await outcomes[0]).toEqual({ isKept: true });
  expect(store.status()).toMatchObject({ lastError: null, dropped: 1, queued: 0 });
});

test("5. many at once", async () => {
  const { post, store, file } = startTelemetry();
  await store.ask("health", {});
  const before = store.status().batches;
  const bodies = Array.from({ length: 100 }, (_, number) => {
    const one = { ...event(), uuid: `01a1fc2d-0000-7000-8000-${String(number).padStart(12, "0")}` };
    return post("/ingest/e/", JSON.stringify(one));
  });
  for (const response of await Promise.all(bodies)) expect(response.status).toBe(200);
  expect(countIn(file, "events")).toBe(100);
  expect(store.status().batches - before).toBeLessThan(50);
});
