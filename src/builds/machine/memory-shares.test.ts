/**
 * 1. Memory that the kernel does not release at once is requested again, until it is released, or the organization builds alone, or
 *    the server stops. The latest caller decides how much.
 * 2. A missing group is skipped; other failures are reported.
 * 3. A builder that ends while a build uses it leaves its share to the others.
 */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Log } from "#platform/log/log.ts";
import { CROWDED_MEMORY, SHARE_AGAIN_MS } from "./limits.ts";
import { type Machine, shareMemory, type Slot } from "./machine.ts";
import { createShares } from "./memory-shares.ts";
import { startSlot } from "./slot.ts";
import { wanted } from "../testing/machine.ts";

const MOST = 1_000;
const CROWDED = String(MOST * CROWDED_MEMORY);
const log: Log = { debug() {}, info() {}, warn() {}, error() {}, writes: () => true, flush() {} };

/** The files of two organizations. */
function openFiles() {
  const files = new Map<string, string>();
  const failing: { code: string | null } = { code: null };
  const writes: string[] = [];
  const shares = createShares({
    find: () => ["a", "b"].map((organizationId) => ({ organizationId, file: organizationId })),
    most: MOST,
    async write(file, text) {
      writes.push(`${file} ${text}`);
      // More than that is in use.
      if (file === "a" && failing.code !== null && text === CROWDED)
        throw Object.assign(new Error("refused"), { code: failing.code });
      files.set(file, text);
    },
  });
  return { files, failing, writes, shares };
}

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

test("1. again", async () => {
  const { files, failing, writes, shares } = openFiles();
  await shares.share(new Set(["a"]));
  expect(files.get("a")).toBe(String(MOST));
  failing.code = "EBUSY";
  await shares.share(new Set(["a", "b"]));
  await vi.advanceTimersByTimeAsync(3 * SHARE_AGAIN_MS);
  expect(files.get("a")).toBe(String(MOST));
  failing.code = null;
  await vi.advanceTimersByTimeAsync(SHARE_AGAIN_MS);
  expect([files.get("a"), files.get("b")]).toEqual([CROWDED, CROWDED]);
  expect(vi.getTimerCount()).toBe(0);

  failing.code = "EBUSY";
  await shares.share(new Set(["a", "b"]));
  expect(vi.getTimerCount()).toBe(1);
  await shares.share(new Set(["a"]));
  expect([files.get("a"), vi.getTimerCount()]).toEqual([String(MOST), 0]);

  const [crowded, alone] = [shares.share(new Set(["a", "b"])), shares.share(new Set(["a"]))];
  await Promise.all([crowded, alone]);
  expect([files.get("a"), vi.getTimerCount()]).toEqual([String(MOST), 0]);

  await shares.share(new Set(["a", "b"]));
  shares.close();
  const count = writes.length;
  await vi.advanceTimersByTimeAsync(3 * SHARE_AGAIN_MS);
  await shares.share(new Set(["a", "b"]));
  expect([writes.length, vi.getTimerCount()]).toEqual([count + 2, 0]);
});

test("2. what fails", async () => {
  const { files, failing, shares } = openFiles();
  failing.code = "ENOENT";
  await shares.share(new Set(["a", "b"]));
  expect([files.get("b"), vi.getTimerCount()]).toEqual([CROWDED, 0]);
  failing.code = "EACCES";
  await expect(shares.share(new Set(["a", "b"]))).rejects.toThrow("refused");
});

test("3. a builder that ends", async () => {
  const shared: string[][] = [];
  const share = async (atWork: ReadonlySet<string>) => void shared.push([...atWork]);
  const slots = new Map<string, Slot>();
  const machine = { options: { log, idleMs: 1_000 }, slots, groups: { share } } as unknown as Machine;
  const start = Promise.withResolvers<string>();
  const slot = startSlot(machine, "key", () => start.promise, wanted({ organizationId: "org_a" }));
  slots.set("key", slot);
  const taken = slot.take(wanted());
  await shareMemory(machine);
  start.reject(new Error("buildkitd has ended"));
  await expect(taken).rejects.toThrow("has ended");
  await slot.close();
  expect([slots.size, shared]).toEqual([0, [["org_a"], []]]);
});
