/**
 * 1. A thread that rests is used again, and ends when it has had no work for a while.
 * 2. Work that comes in time keeps it.
 * 3. A thread whose work has left it large ends at once, and the next work has another one.
 * 4. A thread that has ended by itself is replaced.
 */
import { once } from "node:events";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createRestingThread, ownHeapBytes, type RestingThread } from "./resting-thread.ts";

const FILE = new URL(
  "data:text/javascript,import { parentPort } from 'node:worker_threads'; parentPort.on('message', process.exit);",
);
const LARGE = 100 * 1024 * 1024;
const IDLE_MS = 10_000;

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
  expect(ownHeapBytes()).toBeGreaterThan(0);
});

test("4. a thread that ends by itself", async () => {
  const first = thread.take();
  const ended = once(first, "exit");
  first.postMessage(0, []);
  await ended;
  expect(thread.take()).not.toBe(first);
});
