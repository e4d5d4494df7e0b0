/**
 * 1. Before consent, and after it, the file contains no address, no full user agent, no query of an address. Without consent
 *    it contains no identifier; of searches, it has the words and their counts per day, in no order, and no time in any table
 *    except those of errors and answers.
 * 2. A reader gets all their stored data, and erases it; others' data stays. Identifiers that no SDK makes are refused.
 * 3. A recording can be read as it was, including its compressed parts.
 */
import { existsSync, readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { dayOf } from "../contract/days.ts";
import { origin, readerAddress, readerAgent, startTelemetry } from "../testing/telemetry.ts";

const reader = "01a1fc2d-26f7-7798-aea1-fa75d352d7ea";
const session = "01a1fc2d-2777-7965-a2ec-0e352c36b50e";
const range = { from: 0, to: Date.now() + 3_600_000 };

const event = (properties: object = {}, name = "search") => ({
  event: name,
  properties: { distinct_id: reader, $session_id: session, ...properties },
});
const envelope = (payload: unknown) => `{}\n{"type":"event"}\n${JSON.stringify(payload)}\n`;
const boom = { exception: { values: [{ type: "Error", value: "boom" }] } };
const snapshot = (data: unknown[]) => ({
  event: "$snapshot",
  properties: { distinct_id: reader, $session_id: session, $window_id: "w", $snapshot_data: data },
});

/** The content of the database's file and its journal. */
function dump(file: string): Buffer {
  return Buffer.concat(
    [file, `${file}-wal`].filter((name) => existsSync(name)).map((name) => readFileSync(name)),
  );
}

test("1. the privacy promise", async () => {
  const { post, file, close, countSearches, countViews } = startTelemetry();
  // Without consent: pages, searches, an answer, an error.
  const context = {
    req: {
      method: "GET",
      path: "/docs/cache",
      header: (name: string) =>
        ({ "user-agent": readerAgent, referer: "https://news.example/?u=secret-1" })[name],
    },
    env: { incoming: { socket: { remoteAddress: readerAddress } } },
    res: new Response("", { headers: { "content-type": "text/html" } }),
  } as unknown as Parameters<typeof countViews>[0]; // what the middleware reads of a context
  await countViews(context, () => Promise.resolve());
  countSearches([{ query: "what I searched", hits: 3 }], context);
  for (const query of ["zebra", "alice@example.com", "apple /home/secret-9/x 203.0.113.99", "mango 123456"])
    countSearches([{ query, hits: 0 }]);
  await post("/feedback", JSON.stringify({ path: "/docs", answer: "yes", text: "" }));
  const error = {
    ...boom,
    user: { id: "user-id-1", ip_address: readerAddress, email: "reader@example.com" },
    request: {
      url: `${origin}/docs?q=secret-2#secret-3`,
      headers: { "User-Agent": readerAgent, Cookie: "secret-4" },
    },
    breadcrumbs: [{ message: `secret-5 ${readerAddress}` }],
    exception: {
      values: [
        {
          type: "Error",
          value: `Failed: ${origin}/x?token=secret-6 for ${readerAddress} /home/secret-9 bob@example.com`,
        },
      ],
    },
    extra: { note: "secret-7" },
    server_name: "secret-8",
  };
  expect((await post("/errors/envelope", envelope(error))).status).toBe(200);
  await close();
  const before = dump(file);
  expect(before.includes("news.example")).toBe(true);
  expect(before.includes("what i searched")).toBe(true);
  const never = [
    readerAddress,
    readerAgent,
    "AppleWebKit",
    ...[1, 2, 3, 4, 5, 6, 7, 8].map((number) => `secret-${number}`),
  ];
  for (const text of [...never, "user-id-1", "@example.com", "203.0.113", "secret-9", "123456", "alice"])
    expect(before.includes(text), text).toBe(false);
  // No identifier of any form: nothing like a UUID, and no key of the reader.
  expect(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}/.test(before.toString("latin1"))).toBe(false);
  expectCountsAlone(file);

  const after = startTelemetry();
  const properties = {
    query: "what I typed?",
    $ip: readerAddress,
    $raw_user_agent: readerAgent,
    $current_url: `${origin}/docs?q=secret-1#secret-2`,
    $referrer: "https://news.example/item?secret-3",
    $device_id: "secret-4-device",
    $set_once: { $initial_current_url: `${origin}/?secret-5` },
    nested: { list: [`see ${origin}/x?secret-6`, `/docs/y?secret-7#z`], $ip: readerAddress },
    note: `${readerAddress} ${readerAgent}`,
    token: "secret-8",
  };
  await after.post("/ingest/e/", JSON.stringify(event(properties)));
  await after.close();
  const kept = dump(after.file);
  for (const text of never) expect(kept.includes(text), text).toBe(false);
  for (const text of ["what I typed?", reader, "https://docs.example.com/docs", "news.example", "Chrome"])
    expect(kept.includes(text), text).toBe(true);
});

/** Checks every row of every table: searches are words, a day and a count, and other rows have no reader. */
function expectCountsAlone(file: string): void {
  const db = new DatabaseSync(file, { readOnly: true });
  const today = dayOf(Date.now());
  expect(db.prepare("SELECT * FROM counts WHERE kind LIKE 'search%'").all()).toEqual(
    [
      ["search", "", 1],
      ["search", "apple /home/***/x ***", 1],
      ["search", "mango ***", 1],
      ["search", "what i searched", 1],
      ["search", "zebra", 1],
      ["search without hits", "", 1],
      ["search without hits", "apple /home/***/x ***", 1],
      ["search without hits", "mango ***", 1],
      ["search without hits", "zebra", 1],
    ].map(([kind, name, count]) => ({ kind, day: today, name, count })),
  );
  expect(() => db.prepare("SELECT rowid FROM counts")).toThrow("no such column");
  const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY 1").all();
  const filled = tables
    .map(({ name }) => String(name))
    .filter((name) => db.prepare(`SELECT 1 FROM ${name}`).get());
  expect(filled).toEqual(["counts", "errors", "feedback", "kept"]);
  const kept = db.prepare("SELECT * FROM kept ORDER BY tableName").all();
  expect(kept).toEqual(
    ["errors", "events", "feedback", "snapshots"].map((tableName) => ({
      tableName,
      bytes: expect.any(Number),
    })),
  );
  const [{ eventId, at, fingerprint, ...error } = {}] = db.prepare("SELECT * FROM errors").all();
  expect([typeof eventId, typeof at, typeof fingerprint]).toEqual(["string", "number", "string"]);
  const value = "Failed: https://docs.example.com/*** for  /home/***";
  const nothing = { release: null, environment: null, culprit: "", frames: "[]" };
  const seen = { platform: "browser", browser: "Chrome", path: "/docs" };
  expect(error).toEqual({ id: 1, type: "Error", value, ...seen, ...nothing });
  db.close();
}

test("2. a reader's own data", async () => {
  const { post, store, file } = startTelemetry();
  const other = "01a1fc2d-0000-7798-aea1-fa75d352d7ea";
  const token = `anonymous-${reader}`;
  await post(
    "/ingest/e/",
    JSON.stringify([event({ query: "mine" }), { event: "search", distinct_id: other }]),
  );
  await post("/ingest/s/", JSON.stringify([snapshot([{ type: 3, timestamp: Date.now(), data: {} }])]));
  const click = {
    eventType: "click",
    eventName: "Hit Clicked",
    index: "docs",
    userToken: token,
    objectIDs: ["1"],
  };
  await post("/insights/1/events", JSON.stringify({ events: [click] }));
  const ask = (path: string, body: unknown) => post(`/your-data/${path}`, JSON.stringify(body));
  const mine = await (await ask("export", { ids: [reader, token] })).json();
  expect(mine).toMatchObject({
    events: [{ name: "search", properties: { query: "mine" } }],
    clickEvents: [{ name: "Hit Clicked", properties: { objectIDs: ["1"] } }],
    recordings: [{ sessionId: session, events: [{ type: 3 }] }],
    isComplete: true,
  });
  const unknown = await (await ask("export", { distinctId: "nobody-has-this-identifier" })).json();
  expect(unknown).toEqual({ events: [], clickEvents: [], recordings: [], isComplete: true });
  const erased = await (await ask("erase", { ids: [reader, token] })).json();
  expect(erased).toEqual({ events: 1, clickEvents: 1, recordings: 1, waiting: 0 });
  expect(dump(file).includes(reader)).toBe(false);
  expect(await (await ask("export", { ids: [other] })).json()).toMatchObject({
    events: [{ name: "search" }],
  });
  // The browser still had to send this.
  await post("/ingest/e/", JSON.stringify(event()));
  await store.flush();
  expect(await (await ask("export", { ids: [reader] })).json()).toMatchObject({ events: [] });
  for (const ids of [
    ["short"],
    ["' OR 1=1 --------------"],
    [],
    "x",
    Array.from({ length: 11 }, () => reader),
  ])
    expect((await ask("export", { ids })).status).toBe(400);
  for (let attempt = 0; attempt < 15; attempt++) await ask("export", { ids: [reader] });
  expect((await ask("export", { ids: [reader] })).status).toBe(429);
});

test("3. a recording", async () => {
  const { post, store, file } = startTelemetry();
  const now = Date.now();
  const compressed = (value: unknown) => gzipSync(JSON.stringify(value)).toString("latin1");
  const page = { node: { id: 1, childNodes: [] }, initialOffset: { top: 0, left: 0 } };
  const adds = [{ parentId: 1, node: { id: 2 } }];
  const parts = [
    [{ type: 3, timestamp: now + 2, cv: "2024-10", data: { source: 0, adds: compressed(adds), texts: [] } }],
    [
      { type: 4, timestamp: now, data: { href: `${origin}/docs?q=secret-1`, width: 1, height: 1 } },
      { type: 2, timestamp: now + 1, cv: "2024-10", data: compressed(page) },
      { type: 5, timestamp: now + 1, data: { tag: "$posthog_config", payload: {} } },
    ],
  ];
  for (const part of parts)
    expect((await post("/ingest/s/", gzipSync(JSON.stringify([snapshot(part)])), "text/plain")).status).toBe(
      200,
    );
  const [row] = await store.ask("recordings", range);
  expect(row).toMatchObject({ sessionId: session, paths: ["/docs"], startedAt: now, endedAt: now + 2 });
  const recording = await store.ask("recording", { sessionId: session });
  expect(recording?.events).toEqual([
    { type: 4, timestamp: now, data: { href: `${origin}/docs`, width: 1, height: 1 } },
    { type: 2, timestamp: now + 1, data: page },
    { type: 3, timestamp: now + 2, data: { source: 0, adds, texts: [] } },
  ]);
  expect(dump(file).includes("secret-1")).toBe(false);
  // A snapshot that would inflate endlessly.
  const bomb = gzipSync(Buffer.alloc(30_000_000, 0x20)).toString("latin1");
  const response = await post(
    "/ingest/s/",
    JSON.stringify([snapshot([{ type: 2, timestamp: now, cv: "2024-10", data: bomb }])]),
  );
  expect(response.status).toBe(413);
});
