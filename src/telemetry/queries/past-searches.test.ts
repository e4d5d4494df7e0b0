/**
 * 1. A click, or a page that was opened, belongs to the searches of the last five minutes of its session; it needs three readers.
 * 2. A click on the search's own hit, a later one, one of another session, and a path outside the documentation do not count.
 * 3. Past searches are those that may be shown, most frequent first; fifty thousand are counted, and ten thousand returned.
 */
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { MIGRATIONS } from "../store/schema.ts";
import { readNextSteps, readPastSearches } from "./past-searches.ts";

const MINUTE = 60_000;

function open() {
  const db = new DatabaseSync(":memory:");
  for (const migration of MIGRATIONS) db.exec(migration);
  const insert = db.prepare(
    "INSERT INTO events (uuid, at, name, source, distinctId, sessionId, path, properties) VALUES (?, ?, ?, 'posthog', ?, ?, ?, ?)",
  );
  let id = 0;
  const add = (reader: number, minute: number, name: string, properties: object, path = "/docs") =>
    insert.run(
      `e${(id += 1)}`,
      minute * MINUTE,
      name,
      `reader ${reader}`,
      `session ${reader}`,
      path,
      JSON.stringify(properties),
    );
  const steps = () => readNextSteps(db, { from: 0, to: 1000 * MINUTE });
  return { db, add, steps };
}

test("1. next steps", () => {
  const { add, steps } = open();
  for (const reader of [1, 2, 3, 4]) {
    add(reader, 1, "search", { query: " Kubernets" });
    add(reader, 2, "search", { query: "kubernetes" });
    if (reader < 4) add(reader, 3, "search_click", { query: "kubernetes", url: "/docs/k" });
    add(reader, 20, "search", { query: "invoices" });
    add(reader, 21, "$pageview", {}, "/docs/faq");
    add(reader, 22, "$pageview", {}, "/docs/cache");
  }
  expect(steps()).toEqual([
    { query: "invoices", next: null, path: "/docs/faq", readers: 4 },
    { query: "kubernets", next: "kubernetes", path: "/docs/k", readers: 3 },
  ]);
});

test("2. no next step", () => {
  const { add, steps } = open();
  for (const reader of [1, 2, 3]) {
    add(reader, 1, "search", { query: "own" });
    add(reader, 2, "search_click", { query: "own", url: "/docs/own" });
    add(reader, 30, "search", { query: "late" });
    add(reader, 36, "$pageview", {}, "/docs/late");
    add(reader, 60, "search", { query: "elsewhere" });
    add(reader, 61, "$pageview", {}, "/pricing");
    add(10 + reader, 70, "search", { query: "someone" });
    add(20 + reader, 71, "$pageview", {}, "/docs/someone");
  }
  // One reader, three times.
  for (const minute of [100, 110, 120]) {
    add(1, minute, "search", { query: "alone" });
    add(1, minute + 1, "$pageview", {}, "/docs/alone");
  }
  expect(steps()).toEqual([]);
});

test("3. past searches", () => {
  const { db } = open();
  const insert = db.prepare("INSERT INTO counts (kind, day, name, count) VALUES ('search', ?, ?, ?)");
  expect(readPastSearches(db)).toEqual({ kept: 0, searches: [] });
  db.exec("BEGIN");
  for (let index = 0; index < 50_000; index++) insert.run(1, `search ${index}`, 3);
  insert.run(1, "often", 2);
  insert.run(2, "often", 2);
  insert.run(1, "rare", 2);
  insert.run(1, "", 900);
  db.exec("COMMIT");
  const { kept, searches } = readPastSearches(db);
  expect(kept).toBe(50_001);
  expect(searches).toHaveLength(10_000);
  expect(searches[0]).toEqual({ query: "often", count: 4 });
});
