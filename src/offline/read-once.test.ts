/** What is read once is read again after it found nothing, failed, or did not come in time; and when it is forgotten. */
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
