/**
 * 1. Copies reach each service in its own form, in order, with nothing of the sender; each has its id.
 * 2. A service that fails, hangs, drops the connection or answers 429, 5xx or 401 loses nothing: the same copies are sent
 *    again, in order, after a longer pause each time, not before Retry-After.
 * 3. A copy that is refused (400, 413) is dropped and counted alone; the others in its request arrive, and then the error is
 *    cleared.
 * 4. Unanswered copies are still there after a restart; answered copies are not sent again.
 * 5. Waiting copies are limited: the oldest make room, and are counted; recordings before all others.
 */
import { mkdtempSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { gunzipSync } from "node:zlib";
import { afterEach, expect, test, vi } from "vitest";
import type { ForwardConfig } from "../contract/config.ts";
import { openDatabase } from "../store/open-database.ts";
import { createBatchWriter } from "../store/write-batch.ts";
import type { EventRow } from "../contract/types.ts";
import { copiesFor } from "./copies.ts";
import { createForwarder, type Forwarder } from "./forwarder.ts";
import { openOutbox } from "./outbox.ts";
import { retryAfter } from "./send-copies.ts";

interface Received {
  path: string;
  headers: IncomingMessage["headers"];
  body: string;
}

type Answer = number | "hang" | "drop" | { status: number; headers: Record<string, string> };

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of cleanUp.splice(0).toReversed()) await end();
});

/** A service on this machine that answers as `decide` says, then with 200. */
async function standIn(decide: (body: string) => Answer = () => 200) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const bytes = Buffer.concat(chunks);
      const body = (request.headers["content-encoding"] === "gzip" ? gunzipSync(bytes) : bytes).toString();
      received.push({ path: request.url ?? "", headers: request.headers, body });
      answerWith(decide(body), response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  cleanUp.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

function answerWith(answer: Answer, response: ServerResponse): void {
  if (answer === "hang") return;
  if (answer === "drop") return void response.destroy();
  if (typeof answer === "number") response.writeHead(answer).end("{}");
  else response.writeHead(answer.status, answer.headers).end("{}");
}

function setUp(services: ForwardConfig, file = join(mkdtempSync(join(tmpdir(), "forward-")), "t.sqlite")) {
  const { db } = openDatabase(file);
  const write = createBatchWriter(db, copiesFor(services));
  const log: string[] = [];
  const start = (options: { maxBytes?: number; pauseMs?: number } = {}): Forwarder => {
    const forwarder = createForwarder({
      services,
      read: (run) => run(db),
      maxBytes: 1_000_000,
      log: (line) => log.push(line),
      timeoutMs: 150,
      pauseMs: 2,
      ...options,
    });
    cleanUp.push(() => forwarder.stop());
    forwarder.start();
    return forwarder;
  };
  cleanUp.push(() => db.isOpen && db.close());
  return { db, write, start, log, file };
}

const waitingIn = (db: DatabaseSync) => Number(db.prepare("SELECT count(*) AS n FROM outbox").get()?.["n"]);
const settled = (db: DatabaseSync) =>
  vi.waitFor(() => expect(waitingIn(db)).toBe(0), { timeout: 8000, interval: 5 });

const eventRow = (number: number, source: EventRow["source"] = "posthog"): EventRow => ({
  uuid: `0000000-${number}`,
  at: 1_795_000_000_000 + number,
  name: source === "posthog" ? "search" : "Hit Clicked",
  source,
  distinctId: "reader-of-the-test-0001",
  sessionId: "session",
  windowId: null,
  path: "/docs",
  properties: JSON.stringify(
    source === "posthog" ? { query: `q${number}` } : { eventType: "click", index: "docs" },
  ),
});
const rows = (count: number) => Array.from({ length: count }, (_, number) => eventRow(number));
const uuidsOf = (received: Received[]) =>
  received.flatMap(({ body }) =>
    (JSON.parse(body) as { batch: { uuid: string }[] }).batch.map(({ uuid }) => uuid),
  );

test("1. PostHog, Sentry and Algolia in their own forms", async () => {
  const service = await standIn();
  const { db, write, start } = setUp({
    posthog: { host: `${service.url}/`, key: "phc_real" },
    sentry: { dsn: `${service.url.replace("//", "//public@")}/42` },
    algolia: { appId: "APPID", key: "insights-key", host: service.url },
  });
  const error = Buffer.from(JSON.stringify({ event_id: "a".repeat(32), exception: { values: [] } }));
  write({
    events: [...rows(3), eventRow(9, "insights")],
    outbox: [{ service: "sentry", kind: "error", at: 1, distinctId: null, body: error }],
  });
  // The same event again makes no second copy.
  write({ events: rows(1) });
  start();
  await settled(db);
  const byPath = (path: string) => service.received.find((request) => request.path === path);
  const batch = JSON.parse(byPath("/batch/")?.body ?? "") as {
    api_key: string;
    batch: { properties: object }[];
  };
  expect(batch.api_key).toBe("phc_real");
  expect(batch.batch).toHaveLength(3);
  expect(batch.batch[0]?.properties).toMatchObject({
    query: "q0",
    $ip: null,
    $geoip_disable: true,
    token: "phc_real",
  });
  const envelope = byPath("/api/42/envelope/");
  expect(envelope?.headers["x-sentry-auth"]).toContain("sentry_key=public");
  const [header, item, payload] = (envelope?.body ?? "")
    .split("\n")
    .map((line) => line && JSON.parse(line)) as object[];
  expect(header).toMatchObject({
    event_id: "a".repeat(32),
    dsn: `${service.url.replace("//", "//public@")}/42`,
  });
  expect(item).toMatchObject({ type: "event", length: error.byteLength });
  expect(payload).toMatchObject({ event_id: "a".repeat(32) });
  const clicks = byPath("/1/events");
  expect(clicks?.headers["x-algolia-application-id"]).toBe("APPID");
  expect(JSON.parse(clicks?.body ?? "")).toMatchObject({
    events: [{ eventName: "Hit Clicked", index: "docs" }],
  });
});

test.each<[string, Answer[]]>([
  ["5xx", [500, 503, 502]],
  ["a wrong key", [401, 403]],
  ["a flood", [{ status: 429, headers: { "retry-after": "0" } }]],
  ["hanging", ["hang"]],
  ["dropped connections", ["drop", "drop"]],
])("2. %s loses nothing", async (_name, answers) => {
  const script = [...answers];
  const service = await standIn(() => script.shift() ?? 200);
  const { db, write, start, log } = setUp({ posthog: { host: service.url, key: "k" } });
  write({ events: rows(250) });
  start();
  await settled(db);
  const uuids = uuidsOf(service.received.slice(answers.length));
  expect(uuids).toEqual(rows(250).map(({ uuid }) => uuid));
  // One line when it begins, one when it ends.
  expect(log).toHaveLength(2);
});

test("2. Retry-After is waited for", async () => {
  const times: number[] = [];
  const service = await standIn(() => {
    times.push(performance.now());
    return times.length === 1 ? { status: 429, headers: { "retry-after": "1" } } : 200;
  });
  const { db, write, start } = setUp({ posthog: { host: service.url, key: "k" } });
  write({ events: rows(1) });
  start();
  await settled(db);
  expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(950);
  expect(retryAfter("Sat, 21 Nov 2026 10:00:30 GMT", Date.parse("2026-11-21T10:00:00Z"))).toBe(30_000);
  expect([retryAfter("soon", 0), retryAfter(null, 0), retryAfter("999999", 0)]).toEqual([
    null,
    null,
    3_600_000,
  ]);
});

test.each([400, 413])("3. a copy that is refused with %i is dropped alone", async (status) => {
  const service = await standIn((body) => (body.includes('"q7"') ? status : 200));
  const { db, write, start } = setUp({ posthog: { host: service.url, key: "k" } });
  write({ events: rows(20) });
  const forwarder = start();
  await settled(db);
  expect(forwarder.status()).toMatchObject([{ waiting: 0, sent: 19, failed: 1, lastError: null }]);
});

test("4. a restart sends what was not answered, and nothing else", async () => {
  let isHanging = true;
  const service = await standIn((body) => (isHanging && body.includes('"q150"') ? "hang" : 200));
  const config = { posthog: { host: service.url, key: "k" } };
  const first = setUp(config);
  first.write({ events: rows(200) });
  const forwarder = first.start();
  await vi.waitFor(() => expect(waitingIn(first.db)).toBe(100));
  await forwarder.stop();
  first.db.close();
  isHanging = false;
  const before = service.received.length;
  const second = setUp(config, first.file);
  second.start();
  await settled(second.db);
  expect(uuidsOf(service.received.slice(before))).toEqual(
    rows(200)
      .slice(100)
      .map(({ uuid }) => uuid),
  );
});

test("5. the oldest make room", async () => {
  const service = await standIn();
  const { db, write, start, log } = setUp({ posthog: { host: service.url, key: "k" } });
  write({ events: rows(500) });
  const [{ bytes }] = db.prepare("SELECT sum(length(body)) AS bytes FROM outbox").all() as [
    { bytes: number },
  ];
  const forwarder = start({ maxBytes: bytes / 2 });
  await settled(db);
  const uuids = uuidsOf(service.received);
  expect(uuids.length).toBeLessThan(251);
  expect(uuids.at(-1)).toBe(eventRow(499).uuid);
  expect(forwarder.status()[0]?.failed).toBe(500 - uuids.length);
  expect(log.join()).toContain("too many are waiting");
});

test("5. recordings make room first", () => {
  const { db, write } = setUp({});
  const outbox = openOutbox("posthog", (run) => run(db), 10_000);
  const copy = (kind: "event" | "snapshot", bytes: number) =>
    write({ outbox: [{ service: "posthog", kind, at: 1, distinctId: null, body: new Uint8Array(bytes) }] });
  for (let count = 0; count < 6; count++) copy("event", 1000);
  for (let count = 0; count < 20; count++) copy("snapshot", 5000);
  expect(outbox.makeRoom()).toBe(20);
  expect(outbox.next().map(({ kind }) => kind)).toEqual([
    "event",
    "event",
    "event",
    "event",
    "event",
    "event",
  ]);
  for (let count = 0; count < 6; count++) copy("event", 1000);
  expect([outbox.makeRoom(), outbox.next()[0]?.id]).toEqual([3, 4]);
});
