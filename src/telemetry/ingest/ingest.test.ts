/**
 * 1. Bad bodies are refused with a reason and the protocol's status for it, and are counted; nothing is stored.
 * 2. Bodies are limited as sent and inflated; so are events of a request, and requests and events of an address.
 * 3. Other sites' pages are refused, whichever header shows it.
 * 4. Insights: Algolia's limits and errors; the same event twice is one.
 */
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { origin, startTelemetry } from "../testing/telemetry.ts";

const reader = "01a1fc2d-26f7-7798-aea1-fa75d352d7ea";
const session = "01a1fc2d-2777-7965-a2ec-0e352c36b50e";
const range = { from: 0, to: Date.now() + 3_600_000 };

const event = (properties: object = {}, name = "search") => ({
  event: name,
  properties: { distinct_id: reader, $session_id: session, ...properties },
});
const batch = (count: number) => ({ batch: Array.from({ length: count }, () => event()) });
const envelope = (payload: unknown, header: object = { type: "event" }) =>
  `{}\n${JSON.stringify(header)}\n${typeof payload === "string" ? payload : JSON.stringify(payload)}\n`;
const boom = { exception: { values: [{ type: "Error", value: "boom" }] } };

const bad: [path: string, body: BodyInit, message: RegExp][] = [
  ["/ingest/e/", "{", /not JSON/],
  ["/ingest/e/", "", /not JSON/],
  ["/ingest/e/", "data=%%%", /not JSON/],
  ["/ingest/e/", '"text"', /neither/],
  ["/ingest/e/", '{"batch":[{}]}', /Event 0: event/],
  ["/ingest/e/", '{"event":"x","properties":{}}', /distinct_id/],
  ["/ingest/e/", JSON.stringify({ event: "x", distinct_id: "somebody@example.com" }), /distinct_id/],
  ["/ingest/e/", JSON.stringify(event({}, "$snapshot")), /\/ingest\/s\//],
  ["/ingest/i/v0/e/", new Uint8Array([0x1f, 0x8b, 1, 2, 3]), /gzip body is damaged/],
  ["/ingest/s/", "[{}]", /event/],
  ["/ingest/s/", JSON.stringify([{ event: "$snapshot", properties: { distinct_id: reader } }]), /session_id/],
  ["/ingest/flags/?v=2", "{}", /distinct_id/],
  ["/errors/envelope", "no envelope", /header is not JSON/],
  ["/errors/envelope", envelope("{"), /Item 0 is not JSON/],
  ["/errors/envelope", envelope({}), /neither an exception/],
  ["/errors/envelope", envelope(boom, { type: "event", length: 10_000 }), /shorter than its length/],
  ["/errors/envelope", envelope({ ...boom, event_id: "x" }), /event_id/],
  ["/insights/1/events", '{"events":[]}', /1 to 1000/],
];

test("1. bad bodies", async () => {
  const { post, store, health } = startTelemetry();
  const counts = new Map<string, number>();
  for (const [path, body, message] of bad) {
    const response = await post(path, body, "text/plain");
    expect(response.status, path).toBe(400);
    const answer = (await response.json()) as { detail?: string; message?: string };
    expect(answer.detail ?? answer.message).toMatch(message);
    const endpoint = path.replace("?v=2", "");
    counts.set(endpoint, (counts.get(endpoint) ?? 0) + 1);
  }
  const { refused } = await health();
  for (const [endpoint, count] of counts)
    expect(refused.filter((one) => one.endpoint === endpoint).reduce((sum, one) => sum + one.count, 0)).toBe(
      count,
    );
  expect(await store.ask("overview", range)).toMatchObject({ visitors: 0, errors: 0, recordings: 0 });
});

test("2. bodies are bounded, inflated ones too", async () => {
  const { post } = startTelemetry({
    limits: { bodyBytes: 20_000, inflatedBytes: 50_000, snapshotInflatedBytes: 50_000 },
  });
  const bomb = gzipSync(Buffer.alloc(5_000_000, 0x20));
  expect(bomb.byteLength).toBeLessThan(20_000);
  for (const path of ["/ingest/e/", "/ingest/s/", "/errors/envelope", "/insights/1/events"])
    expect((await post(path, bomb)).status, path).toBe(413);
  const form = `data=${encodeURIComponent(bomb.toString("base64"))}`;
  expect((await post("/ingest/e/", form, "application/x-www-form-urlencoded")).status).toBe(413);
  expect((await post("/ingest/e/", JSON.stringify(event({ x: "x".repeat(20_000) })))).status).toBe(413);
});

test("2. properties are bounded", async () => {
  const { post } = startTelemetry({ forward: { sentry: { dsn: "https://key@sentry.invalid/1" } } });
  const long = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`p${index}`, "x".repeat(3000)]));
  expect((await post("/ingest/e/", JSON.stringify(event(long)))).status).toBe(413);
  const deep = `{"event":"x","properties":{"distinct_id":"${reader}","deep":${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}}}`;
  expect((await post("/ingest/e/", deep)).status).toBe(413);
  const frames = `[${'{"vars":['.repeat(50_000)}${"]}".repeat(50_000)}]`;
  const error = `{"exception":{"values":[{"type":"E","value":"x","stacktrace":{"frames":${frames}}}]}}`;
  expect((await post("/errors/envelope", envelope(error))).status).toBe(413);
  const lists = `{"event":"x","properties":{"distinct_id":"${reader}","many":[${"1,".repeat(200_000)}1]}}`;
  for (const path of ["/ingest/e/", "/insights/1/events"]) expect((await post(path, lists)).status).toBe(413);
});

test("2. a body that is larger than it declares is not read to its end", async () => {
  const { request } = startTelemetry({ limits: { bodyBytes: 1000 } });
  let pulled = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      pulled += 1;
      controller.enqueue(new Uint8Array(500));
    },
  });
  const init: RequestInit & { duplex: "half" } = { method: "POST", body, duplex: "half" };
  expect((await request("/ingest/e/", init)).status).toBe(413);
  expect(pulled).toBeLessThan(10);
});

test("2. events and requests are bounded", async () => {
  const { post, request } = startTelemetry({
    clock: () => 1_795_000_000_000,
    limits: { eventsPerAddress: 30, requestsPerAddress: 6, eventsPerRequest: 20 },
  });
  const send = async (count: number) => (await post("/ingest/e/", JSON.stringify(batch(count)))).status;
  expect([await send(21), await send(20), await send(20), await send(10), await send(1)]).toEqual([
    400, 200, 429, 200, 429,
  ]);
  await send(0);
  const last = await post("/ingest/e/", JSON.stringify(batch(0)));
  expect([last.status, last.headers.get("retry-after")]).toEqual([429, "10"]);
  const other = { method: "POST", body: JSON.stringify(batch(1)), from: "198.51.100.1" };
  expect((await request("/ingest/e/", other)).status).toBe(200);
});

const senders: [name: string, headers: Record<string, string>, status: number][] = [
  ["its own page", { "sec-fetch-site": "same-origin", origin }, 200],
  ["an old browser's own page", { origin }, 200],
  ["no browser", {}, 200],
  ["a foreign page", { "sec-fetch-site": "cross-site", origin: "https://evil.example" }, 403],
  ["a sibling site", { "sec-fetch-site": "same-site", origin: "https://www.example.com" }, 403],
  ["an old browser's foreign page", { origin: "https://evil.example" }, 403],
  ["a sandboxed page", { origin: "null" }, 403],
];

test("3. other sites' pages", async () => {
  const { request } = startTelemetry();
  const bodies = { "/ingest/e/": JSON.stringify(event()), "/errors/envelope": envelope(boom) };
  for (const [name, headers, status] of senders)
    for (const [path, body] of Object.entries(bodies))
      expect((await request(path, { method: "POST", body, headers })).status, name).toBe(status);
});

const click = {
  eventType: "click",
  eventName: "Hit Clicked",
  index: "docs",
  userToken: "token",
  objectIDs: ["1"],
};

const clicks: [name: string, sent: object, message: RegExp | null][] = [
  ["a click", click, null],
  ["a click after a search", { ...click, queryID: "a".repeat(32), positions: [1] }, null],
  [
    "a view by filters",
    { ...click, eventType: "view", objectIDs: undefined, filters: ["section:cli"] },
    null,
  ],
  ["21 objects", { ...click, objectIDs: Array.from({ length: 21 }, String) }, /objectIDs/],
  ["no objects", { ...click, objectIDs: undefined }, /objectIDs or filters/],
  ["positions of others", { ...click, positions: [1, 2] }, /positions/],
  ["no position", { ...click, queryID: "a".repeat(32) }, /positions/],
  ["another type", { ...click, eventType: "look" }, /eventType/],
  ["no user", { ...click, userToken: undefined }, /userToken/],
];

test("4. what Insights takes", async () => {
  const { post } = startTelemetry();
  for (const [name, sent, message] of clicks) {
    const response = await post("/insights/1/events", JSON.stringify({ events: [sent, sent] }));
    const answer = (await response.json()) as { status: number; message: string };
    expect(answer, name).toEqual({
      status: message ? 400 : 200,
      message: message ? expect.stringMatching(message) : "OK",
    });
  }
});

test("4. once, and at most a thousand", async () => {
  const { post, store } = startTelemetry();
  const timestamp = Date.now();
  const send = (events: object[]) => post("/insights/1/events", JSON.stringify({ events }));
  await send([
    { ...click, timestamp },
    { ...click, timestamp },
  ]);
  await send([{ ...click, timestamp }]);
  await store.flush();
  expect((await store.ask("exportReader", { ids: ["token"] })).clickEvents).toHaveLength(1);
  expect((await send(Array.from({ length: 1001 }, () => click))).status).toBe(400);
});
