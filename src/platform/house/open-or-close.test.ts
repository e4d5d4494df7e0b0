/**
 * 1. Open parts are closed in reverse order, once each, even after one fails to close; its error is thrown.
 * 2. When a step fails, the parts opened before it are closed before its error is thrown, whatever closing throws.
 * 3. A part that does not close does not delay the error forever.
 */
import { afterEach, expect, test, vi } from "vitest";
import { CLOSE_MS, type Opened, openOrClose } from "./open-or-close.ts";

afterEach(() => void vi.useRealTimers());

const failing = () => Promise.reject(new Error("of the step"));

function addAll(opened: Opened, closed: string[]): void {
  opened.add(() => void closed.push("first"));
  opened.add(() => Promise.reject(new Error("of the close")));
  opened.add(async () => {
    await Promise.resolve();
    closed.push("third");
  });
}

test("1. the opposite order", async () => {
  const closed: string[] = [];
  const close = await openOrClose(async (opened) => (addAll(opened, closed), opened.close));
  expect(closed).toEqual([]);
  await expect(close()).rejects.toThrow("of the close");
  expect(closed).toEqual(["third", "first"]);
  await close();
  expect(closed).toEqual(["third", "first"]);
});

test("2. a step that fails", async () => {
  const closed: string[] = [];
  const opening = openOrClose((opened) => (addAll(opened, closed), failing()));
  await expect(opening).rejects.toThrow("of the step");
  expect(closed).toEqual(["third", "first"]);
});

test("3. a close that hangs", async () => {
  vi.useFakeTimers();
  const opening = openOrClose((opened) => {
    opened.add(() => new Promise(() => {}));
    return failing();
  });
  const told = expect(opening).rejects.toThrow("of the step");
  await vi.advanceTimersByTimeAsync(CLOSE_MS);
  await told;
});
