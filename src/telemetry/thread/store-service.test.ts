/**
 * 1. Rows are stored once, across a restart, and a database of a former schema is migrated.
 * 2. A file that is damaged, not a database, or of a newer version is set aside under another name, never deleted, and
 *    writing continues in a new file; also when the file is damaged while it is open.
 * 3. A full disk, a locked database, a folder that cannot be written: rows are dropped and counted, one line is logged,
 *    nothing throws; writing continues as soon as possible.
 * 4. Rows that are too old are deleted in small steps; rows beyond the size are deleted, the oldest first, and the file
 *    shrinks.
 * 5. A reader who erased everything leaves nothing in the file; for a minute, events that they still send are not stored.
 */
import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, expect, test } from "vitest";
import { dayOf } from "../contract/days.ts";
import type { EventRow, ViewRow } from "../contract/types.ts";
import { eraseReader } from "../queries/your-data.ts";
import { MIGRATIONS } from "../store/schema.ts";
import { createStoreService, type StoreService, type StoreServiceOptions } from "./store-service.ts";
import { usedBytes } from "../store/retention.ts";

const day = 86_400_000;
const opened: StoreService[] = [];
afterEach(() => {
  for (const service of opened.splice(0)) service.close();
});

function setUp(options: Partial<StoreServiceOptions> = {}) {
  const file = options.file ?? join(mkdtempSync(join(tmpdir(), "store-")), "telemetry.sqlite");
  const log: string[] = [];
  const state = { now: 1_795_000_000_000 };
  const service = createStoreService({
    file,
    retention: { retentionDays: 30, maxBytes: 50_000_000 },
    toErrorRow: () => {
      throw new Error("No error is written here.");
    },
    log: (line) => log.push(line),
    clock: () => state.now,
    ...options,
  });
  opened.push(service);
  const count = (table: string) =>
    service.read((db) => Number(db.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.["n"]));
  const views = () =>
    service.read((db) => db.prepare("SELECT sum(count) AS n FROM counts WHERE kind = 'path'").get()?.["n"]);
  return { service, file, log, count, views, state };
}

const view = (at = 1_795_000_000_000): ViewRow => ({
  day: dayOf(at),
  path: "/docs",
  referrer: null,
  browser: "Chrome",
});
const event = (number: number, at = 1_795_000_000_000, size = 10): EventRow => ({
  uuid: `event-${number}`,
  at,
  name: "search",
  source: "posthog",
  distinctId: `reader-${number % 2}`,
  sessionId: null,
  windowId: null,
  path: "/docs",
  properties: JSON.stringify({ query: "x".repeat(size) }),
});

test("1. once, and over a restart", () => {
  const { service, file } = setUp();
  expect(service.write({ events: [event(1), event(2), event(1)], views: [view()] })).toMatchObject({
    dropped: 0,
    reason: null,
  });
  service.close();
  const again = setUp({ file });
  again.service.write({ events: [event(2), event(3)] });
  expect([again.count("events"), again.views()]).toEqual([3, 1]);
  expect(again.log).toEqual([]);
});

test("1. an empty file and an older schema are brought up to date", () => {
  const file = join(mkdtempSync(join(tmpdir(), "store-")), "telemetry.sqlite");
  const db = new DatabaseSync(file);
  db.exec("PRAGMA user_version = 0");
  db.close();
  const { service, log } = setUp({ file });
  const version = service.read((open) => open.prepare("PRAGMA user_version").get());
  expect(version?.["user_version"]).toBe(MIGRATIONS.length);
  expect(log).toEqual([]);
});

test.each<[string, (file: string) => void]>([
  ["no database", (file) => writeFileSync(file, "This is not a database. ".repeat(500))],
  [
    "of a newer version",
    (file) => {
      const db = new DatabaseSync(file);
      db.exec("PRAGMA user_version = 99");
      db.close();
    },
  ],
])("2. %s: set aside", (_name, spoil) => {
  const file = join(mkdtempSync(join(tmpdir(), "store-")), "telemetry.sqlite");
  spoil(file);
  const before = readFileSync(file);
  const { service, log, views } = setUp({ file });
  expect(service.write({ views: [view()] }).dropped).toBe(0);
  expect(views()).toBe(1);
  expect(log).toHaveLength(1);
  const kept = readdirSync(dirname(file)).find((name) => name.includes(".damaged-"));
  // Opening the file may have set its journal's mode, in the header.
  expect(readFileSync(join(dirname(file), kept ?? "")).subarray(100)).toEqual(before.subarray(100));
});

test("2. damaged while it is open", () => {
  const { service, file, log } = setUp();
  service.write({ events: Array.from({ length: 2000 }, (_, number) => event(number, undefined, 500)) });
  service.read((db) => db.exec("PRAGMA wal_checkpoint(TRUNCATE)"));
  const bytes = readFileSync(file);
  bytes.fill(0xaa, 4096);
  writeFileSync(file, bytes);
  service.read((db) => db.exec("PRAGMA shrink_memory"));
  expect(service.write({ events: [event(90_001)] })).toMatchObject({ dropped: 0, reason: null });
  expect(log.join("\n")).toContain("it is kept as");
  expect(service.write({ views: [view()] }).dropped).toBe(0);
});

test("3. a full disk drops rows and recovers", () => {
  const { service, log, count } = setUp({ onOpen: (db) => db.exec("PRAGMA max_page_count = 60") });
  const batch = (from: number) =>
    Array.from({ length: 100 }, (_, index) => event(from + index, undefined, 2000));
  const outcomes = [0, 100, 200, 300].map((from) => service.write({ events: batch(from) }));
  expect(outcomes.at(-1)).toEqual({
    dropped: 100,
    reason: expect.stringContaining("full"),
    isDiskFull: true,
  });
  const kept = count("events");
  expect(kept % 100).toBe(0);
  expect(log).toHaveLength(1);
  service.read((db) => db.exec("PRAGMA max_page_count = 5000"));
  expect(service.write({ events: batch(400) }).dropped).toBe(0);
  expect(count("events")).toBe(kept + 100);
});

test("3. a locked database drops rows and recovers", () => {
  const { service, file, log } = setUp({ onOpen: (db) => db.exec("PRAGMA busy_timeout = 20") });
  service.write({ views: [view()] });
  const other = new DatabaseSync(file);
  other.exec("BEGIN EXCLUSIVE");
  expect(service.write({ views: [view(), view()] })).toMatchObject({
    dropped: 2,
    isDiskFull: false,
    reason: expect.stringContaining("locked"),
  });
  other.exec("ROLLBACK");
  other.close();
  expect(service.write({ views: [view()] }).dropped).toBe(0);
  expect(log).toHaveLength(1);
});

test("3. a folder that is a file", () => {
  const blocked = join(mkdtempSync(join(tmpdir(), "store-")), "a-file");
  writeFileSync(blocked, "");
  const { service, log, state } = setUp({ file: join(blocked, "telemetry.sqlite") });
  expect(service.write({ views: [view()] }).dropped).toBe(1);
  expect(service.write({ views: [view()] }).dropped).toBe(1);
  state.now += 31_000;
  expect(service.write({ views: [view()] }).dropped).toBe(1);
  expect(() => service.read(() => 1)).toThrow("cannot be opened");
  expect(log).toEqual([expect.stringContaining("set DATA_DIR to another folder")]);
});

test("4. by age", () => {
  const { service, count, views, state } = setUp();
  const old = state.now - 31 * day;
  service.write({
    events: Array.from({ length: 1200 }, (_, number) => event(number, old)),
    views: [view(old), view()],
  });
  service.write({ events: [event(5000)] });
  let steps = 1;
  while (service.tidy()) steps += 1;
  expect([count("events"), views()]).toEqual([1, 1]);
  expect(steps).toBeGreaterThan(3);
});

test("4. by size", () => {
  const maxBytes = 10_000_000;
  const { service, file, state, count, log } = setUp({ retention: { retentionDays: 30, maxBytes } });
  for (let batch = 0; batch < 30; batch++)
    service.write({
      events: Array.from({ length: 100 }, (_, index) => event(batch * 100 + index, state.now + batch, 5000)),
    });
  service.read((db) => db.exec("PRAGMA wal_checkpoint(TRUNCATE)"));
  expect(statSync(file).size).toBeGreaterThan(maxBytes * 1.4);
  while (service.tidy());
  service.read((db) => db.exec("PRAGMA wal_checkpoint(TRUNCATE)"));
  expect(statSync(file).size).toBeLessThan(maxBytes * 1.25);
  const { used, oldest, newest } = service.read((db) => ({
    used: usedBytes(db),
    oldest: db.prepare("SELECT min(at) AS at FROM events").get()?.["at"],
    newest: db.prepare("SELECT max(at) AS at FROM events").get()?.["at"],
  }));
  expect(used).toBeLessThan(maxBytes);
  expect(used).toBeGreaterThan(maxBytes * 0.8);
  expect(Number(oldest)).toBeGreaterThan(state.now + 5);
  expect(newest).toBe(state.now + 29);
  // The owner sees the number, in the console and in the log.
  const evicted = 3000 - count("events");
  expect([service.evicted("events"), service.evicted("feedback")]).toEqual([evicted, 0]);
  expect(log).toEqual([
    `Telemetry: the oldest data was deleted, because all of it would take more than ${maxBytes} bytes. Rows: events ${evicted}.`,
  ]);
});

test("5. erased", () => {
  const { service, file, count, state } = setUp();
  service.write({ events: [1, 2, 3, 4].map((number) => event(number)) });
  service.forget(["reader-1"]);
  const counts = service.read((db) => eraseReader(db, { ids: ["reader-1"] }));
  expect(counts).toEqual({ events: 2, clickEvents: 0, recordings: 0, waiting: 0 });
  const bytes = Buffer.concat([readFileSync(file), readFileSync(`${file}-wal`)]);
  expect([bytes.includes("reader-1"), bytes.includes("reader-0")]).toEqual([false, true]);
  service.write({ events: [event(5), event(6)] });
  expect(count("events")).toBe(3);
  state.now += 61_000;
  service.write({ events: [event(7)] });
  expect(count("events")).toBe(4);
});
