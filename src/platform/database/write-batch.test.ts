/**
 * 1. Writes of one turn of the event loop share transactions of a few writes each, in order, and other work gets turns between
 *    them.
 * 2. If one write fails, the others of its transaction are still written.
 * 3. Transactions are the server's own work, whoever asked first.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { currentRequestId, runForRequest } from "../log/request-context.ts";
import { openDatabase } from "./database.ts";
import { openTestDatabase, testDatabaseKinds } from "../testing/database.ts";
import { createWriteBatch } from "./write-batch.ts";

const MOST = 16;

async function open(kind: (typeof testDatabaseKinds)[number]) {
  const place = await openTestDatabase(kind);
  const database = await openDatabase({ at: place.at, migrations: [] });
  onTestFinished(async () => {
    await database.close();
    await place.remove();
  });
  const written: number[][] = [];
  const requests: unknown[] = [];
  const write = createWriteBatch<unknown, number>(database, (_transaction, items) => {
    if (items.includes(-1)) throw new Error("no");
    written.push([...items]);
    requests.push(currentRequestId());
    return Promise.resolve();
  });
  return { write, written, requests };
}

test.each(testDatabaseKinds)("1. together, and in turns: %s", async (kind) => {
  const { write, written } = await open(kind);
  const items = Array.from({ length: 3 * MOST }, (_, at) => at);
  let turns = 0;
  const all = Promise.all(items.map(async (item) => write(item).then(() => turns)));
  const isDone = all.then(() => true);
  while (!(await Promise.race([isDone, nextTurn(false)]))) turns += 1;
  expect(written).toEqual([items.slice(0, MOST), items.slice(MOST, 2 * MOST), items.slice(2 * MOST)]);
  const turnsOf = await all;
  expect(new Set(turnsOf).size).toBe(3);
});

test.each(testDatabaseKinds)("2. one fails: %s", async (kind) => {
  const { write, written } = await open(kind);
  const outcomes = await Promise.allSettled([write(1), write(-1), write(2)]);
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(written).toEqual([[1], [2]]);
});

test.each(testDatabaseKinds)("3. no one's transactions: %s", async (kind) => {
  const { write, requests } = await open(kind);
  await runForRequest("first", () => write(1));
  expect(requests).toEqual([undefined]);
});
