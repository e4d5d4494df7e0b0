/**
 * 1. A resting thread is reused, and ends when it has had no work for a while.
 * 2. Work that arrives in time keeps it.
 * 3. A thread whose work has left it large ends immediately, and the next work has another thread.
 * 4. A thread that has ended on its own is replaced.
 * 5. A thread that has checked a large body is such a thread; a thread that has checked a small one is not.
 */
import { once } from "node:events";
import type { Worker } from "node:worker_threads";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createPayloadChecker } from "./checker.ts";
import { createRestingThread, type RestingThread } from "./resting-thread.ts";

const FILE = new URL(
  "data:text/javascript,import { parentPort } from 'node:worker_threads'; parentPort.on('message', process.exit);",
);
const LARGE = 100 * 1024 * 1024;
const IDLE_MS = 10_000;
/** Half a million take 150 MB in the thread, whenever it collects. CSV records took from 66 to 76, and 67 make a thread large. */
const RECORD = '{"id":1,"a":{"b":[1.5,2.5,3.5,"x"]},"title":"a b c"}';

let thread: RestingThread;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  thread = createRestingThread(FILE);
});

afterEach(async () => {
  vi.useRealTimers();
  await thread.close();
});

test("1. a thread without work", async () => {
  const first = thread.take();
  thread.rest(0);
  expect(thread.take()).toBe(first);
  thread.rest(0);
  const ended = once(first, "exit");
  vi.advanceTimersByTime(IDLE_MS);
  await ended;
  expect(thread.take()).not.toBe(first);
});

test("2. work that comes in time", async () => {
  const first = thread.take();
  thread.rest(0);
  vi.advanceTimersByTime(IDLE_MS - 1);
  expect(thread.take()).toBe(first);
  vi.advanceTimersByTime(10 * IDLE_MS);
  await once(first, "online");
  expect(first.threadId).toBeGreaterThan(0);
  expect(thread.take()).toBe(first);
});

test("3. a large thread", async () => {
  const first = thread.take();
  const ended = once(first, "exit");
  thread.rest(LARGE);
  expect(thread.take()).not.toBe(first);
  await ended;
});

test("4. a thread that ends by itself", async () => {
  const first = thread.take();
  const ended = once(first, "exit");
  first.postMessage(0, []);
  await ended;
  expect(thread.take()).not.toBe(first);
});

test("5. of the checks", async () => {
  const started: Worker[] = [];
  const note = (worker: Worker) => void started.push(worker);
  process.on("worker", note);
  const checker = createPayloadChecker(1_000);
  const check = (records: number) =>
    checker.check(
      { kind: "documents", type: "application/json", delimiter: "," },
      { bytes: Buffer.from(`[${Array(records).fill(RECORD).join()}]`) },
    );
  try {
    // No timer runs: neither thread ends because it was idle.
    for (const records of [1, 2, 500_000])
      expect(await check(records)).toMatchObject({ receivedDocuments: records });
    expect(started).toHaveLength(1);
    await once(started[0]!, "exit");
    await check(1);
    expect(started).toHaveLength(2);
  } finally {
    process.off("worker", note);
    await checker.close();
  }
});
