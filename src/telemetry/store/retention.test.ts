/**
 * 1. If one kind has too much, its rows are deleted in the order of arrival, and none of the others, whichever kind it is and
 *    however old the others' rows are.
 * 2. A kind may use space that others leave free, and returns it when they need it.
 * 3. Senders' times and a clock that is set back do not decide what is deleted first.
 * 4. The bytes of each kind are right after inserting, erasing, a restart, and in a database of the former schema.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, expect, test } from "vitest";
import { budgetOf, KEPT_KINDS, type KeptKind } from "../contract/budgets.ts";
import { eraseReader } from "../queries/your-data.ts";
import { openDatabase } from "./open-database.ts";
import { keptByKind, retentionStep, usedBytes } from "./retention.ts";
import { MIGRATIONS } from "./schema.ts";
import { type Batch, createBatchWriter } from "./write-batch.ts";

const MAX_BYTES = 8_000_000;
const NOW = 1_795_000_000_000;
const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true })));

function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), "retention-"));
  folders.push(folder);
  return join(folder, "telemetry.sqlite");
}

const rowsOf: { [kind in KeptKind]: (name: string, at: number, size: number) => Partial<Batch> } = {
  recordings: (name, at, size) => ({
    snapshots: [
      {
        uuid: name,
        at,
        sessionId: name,
        windowId: "",
        distinctId: "reader",
        path: "/docs",
        startedAt: at,
        endedAt: at,
        events: new Uint8Array(size),
      },
    ],
  }),
  events: (name, at, size) => ({
    events: [
      {
        uuid: name,
        at,
        name: "search",
        source: "posthog",
        distinctId: "reader",
        sessionId: null,
        windowId: null,
        path: "/docs",
        properties: JSON.stringify("x".repeat(size)),
      },
    ],
  }),
  errors: (name, at, size) => ({
    errors: [
      {
        eventId: name,
        at,
        platform: "browser",
        fingerprint: "",
        type: "Error",
        value: "x",
        culprit: "",
        release: null,
        environment: null,
        path: null,
        browser: null,
        frames: JSON.stringify("x".repeat(size)),
      },
    ],
  }),
  feedback: (name, at, size) => ({
    feedback: [{ at, path: "/docs", answer: "yes", text: `${name} ${"x".repeat(size)}` }],
  }),
};
const names: { [kind in KeptKind]: string } = {
  recordings: "SELECT uuid AS name FROM snapshots",
  events: "SELECT uuid AS name FROM events",
  errors: "SELECT eventId AS name FROM errors",
  feedback: "SELECT substr(text, 1, instr(text, ' ') - 1) AS name FROM feedback",
};

function open(file = newFile()) {
  const { db } = openDatabase(file);
  const write = createBatchWriter(db);
  const evicted = new Map<KeptKind, number>();
  const tidy = (now = NOW) => {
    const note = (kind: KeptKind, rows: number) => void evicted.set(kind, (evicted.get(kind) ?? 0) + rows);
    while (retentionStep(db, { retentionDays: 30, maxBytes: MAX_BYTES }, now, note));
  };
  const kept = (kind: KeptKind) =>
    new Set(
      db
        .prepare(names[kind])
        .all()
        .map((row) => String(row["name"])),
    );
  const fill = (kind: KeptKind, bytes: number, { at = NOW, name = "flood", size = 1000 } = {}) => {
    for (let count = 0; count < bytes / size; count++) write(rowsOf[kind](`${name}-${count}`, at, size));
  };
  return { db, file, write, tidy, kept, fill, evicted };
}

test.each(KEPT_KINDS)("1. too many %s", (flooded) => {
  const { db, tidy, kept, fill, evicted } = open();
  // Nearly all that is reserved for the others, and older than the flood.
  for (const kind of KEPT_KINDS)
    if (kind !== flooded) fill(kind, budgetOf(kind, MAX_BYTES) * 0.6, { at: NOW - 1e9, name: "honest" });
  const before = KEPT_KINDS.map((kind) => kept(kind));
  for (let wave = 0; wave < 4; wave++) {
    fill(flooded, MAX_BYTES / 2, { name: `flood-${wave}` });
    tidy();
    expect(usedBytes(db)).toBeLessThan(MAX_BYTES);
  }
  for (const [at, kind] of KEPT_KINDS.entries()) if (kind !== flooded) expect(kept(kind)).toEqual(before[at]);
  expect([...evicted.keys()]).toEqual([flooded]);
  expect([kept(flooded).has("flood-0-0"), kept(flooded).has("flood-3-3999")]).toEqual([false, true]);
});

test("2. what others leave free", () => {
  const { tidy, kept, fill, evicted } = open();
  fill("events", MAX_BYTES * 0.6);
  tidy();
  expect(kept("events").size).toBe(4800);
  fill("recordings", budgetOf("recordings", MAX_BYTES) * 0.8, { size: 20_000 });
  tidy();
  expect(kept("recordings").size).toBe(192);
  expect([...evicted.keys()]).toEqual(["events"]);
});

test("3. times", () => {
  const { tidy, kept, fill } = open();
  fill("events", 2000, { at: NOW + 80_000_000, name: "ahead" });
  fill("events", MAX_BYTES);
  fill("events", 2000, { at: NOW - 3_600_000, name: "set-back" });
  tidy();
  expect([kept("events").has("ahead-0"), kept("events").has("set-back-0")]).toEqual([false, true]);
});

test("4. bytes", () => {
  const { db, file, fill } = open();
  const size = { recordings: 900_000, events: 400_000, errors: 300_000, feedback: 200_000 };
  for (const kind of KEPT_KINDS) fill(kind, size[kind]);
  // Rows that are sent again are not stored twice.
  fill("events", 400_000);
  const ratios = keptByKind(db).map(({ kind, bytes }) => bytes / size[kind]);
  expect(ratios.every((ratio) => ratio >= 1 && ratio < 1.5)).toBe(true);
  const total = keptByKind(db).reduce((sum, { bytes }) => sum + bytes, 0);
  expect(total / usedBytes(db)).toBeGreaterThan(0.7);
  expect(total / usedBytes(db)).toBeLessThan(1.3);
  const before = keptByKind(db);
  db.close();
  const again = open(file);
  expect(keptByKind(again.db)).toEqual(before);
  eraseReader(again.db, { ids: ["reader"] });
  expect(keptByKind(again.db).map(({ bytes }) => bytes > 0)).toEqual([false, false, true, true]);
  again.db.close();
});

test("4. bytes of a former database", () => {
  const made = open();
  for (const kind of KEPT_KINDS) made.fill(kind, 100_000);
  const expected = keptByKind(made.db);
  const file = newFile();
  const former = new DatabaseSync(file);
  former.exec(MIGRATIONS.slice(0, 2).join(";"));
  former.exec(`PRAGMA user_version = 2; ATTACH '${made.file}' AS made`);
  for (const table of ["events", "snapshots", "errors", "feedback"])
    former.exec(`INSERT INTO ${table} SELECT * FROM made.${table}`);
  former.close();
  made.db.close();
  const { db } = open(file);
  expect(keptByKind(db)).toEqual(expected);
  db.close();
});
