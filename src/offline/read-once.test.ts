/**
 * A value is read again after a read that found nothing, failed, or was late, and when it is forgotten. A late
 * value is kept, unless it was forgotten in the meantime.
 */
import { expect, test, vi } from "vitest";
import { COPY_WAIT_MS } from "./limits.ts";
import { readOnce } from "./read-once.ts";

test("what was found is kept until it is forgotten", async () => {
  const read = vi.fn<() => Promise<string | null>>(async () => "found");
  const once = readOnce(read);
  expect(await Promise.all([once.get(), once.get()])).toEqual(["found", "found"]);
  expect(await once.get()).toBe("found");
  expect(read).toHaveBeenCalledOnce();
  once.forget();
  await once.get();
  expect(read).toHaveBeenCalledTimes(2);
});

test("nothing, and a disk that fails, are not kept", async () => {
  const read = vi.fn<() => Promise<string | null>>(async () => "found");
  read.mockRejectedValueOnce(new Error("Internal error")).mockResolvedValueOnce(null);
  const once = readOnce(read);
  await expect(once.get()).rejects.toThrow("Internal error");
  expect(await once.get()).toBeNull();
  expect(await once.get()).toBe("found");
});

test("a disk that does not answer is asked again", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const read = vi.fn<() => Promise<string | null>>(async () => "found");
    read.mockReturnValueOnce(new Promise(() => {}));
    const once = readOnce(read);
    void once.get();
    await vi.advanceTimersByTimeAsync(COPY_WAIT_MS);
    expect(await once.get()).toBe("found");
    await vi.advanceTimersByTimeAsync(COPY_WAIT_MS);
    await once.get();
    expect(read).toHaveBeenCalledTimes(2);
  } finally {
    vi.useRealTimers();
  }
});

test.each([
  ["kept", false, 1],
  ["not kept once forgotten", true, 2],
])("what comes late is %s", async (_, isForgotten, times) => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const { promise, resolve } = Promise.withResolvers<string>();
    const read = vi.fn<() => Promise<string | null>>(async () => "newer");
    read.mockReturnValueOnce(promise);
    const once = readOnce(read);
    const first = once.get();
    await vi.advanceTimersByTimeAsync(COPY_WAIT_MS);
    if (isForgotten) once.forget();
    resolve("late");
    expect(await first).toBe("late");
    expect(await once.get()).toBe(isForgotten ? "newer" : "late");
    expect(read).toHaveBeenCalledTimes(times);
  } finally {
    vi.useRealTimers();
  }
});
