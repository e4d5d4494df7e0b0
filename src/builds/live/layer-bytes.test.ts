/**
 * Sizes of layer caches for reports:
 * 1. A report has what is known in time; what takes longer is in a later report, without another question.
 * 2. A size that cannot be read counts as before, and is not read again immediately.
 * 3. After a stop, nothing more is read.
 * 4. Builders that cannot list their caches leave the last known sizes.
 */
import { afterEach, expect, test, vi } from "vitest";
import { consoleLog } from "#platform/log/log.ts";
import { openTestBuilds } from "../testing/builds.ts";
import { type Cache, disk, platform } from "../testing/disk.ts";
import { REPORT_WAIT_MS } from "../contract/limits.ts";
import { createLayerBytes } from "./layer-bytes.ts";

const MINUTE_MS = 60_000;

afterEach(() => void vi.useRealTimers());

function open(read: (projectId: string) => Promise<number>) {
  const time = { now: 0 };
  const log = { ...consoleLog, warn() {} };
  const asked: string[] = [];
  const sizes = createLayerBytes({ elapsed: () => time.now, log }, async (projectId) => {
    asked.push(projectId);
    return [{ bytes: await read(projectId) }];
  });
  return { ...sizes, time, asked };
}

test("1. slow", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const slow = Promise.withResolvers<number>();
  const sizes = open((id) => (id === "slow" ? slow.promise : Promise.resolve(5)));
  const first = sizes.sum(["quick", "slow"]);
  await vi.advanceTimersByTimeAsync(REPORT_WAIT_MS);
  expect(await first).toBe(5);
  slow.resolve(7);
  await vi.advanceTimersByTimeAsync(0);
  expect(await sizes.sum(["quick", "slow"])).toBe(12);
  expect(sizes.asked).toEqual(["quick", "slow"]);
});

test("2. errors", async () => {
  let isBroken = false;
  const sizes = open(() => (isBroken ? Promise.reject(new Error("No builder.")) : Promise.resolve(5)));
  expect(await sizes.sum(["web"])).toBe(5);
  isBroken = true;
  sizes.time.now += MINUTE_MS;
  expect(await sizes.sum(["web"])).toBe(5);
  expect(await sizes.sum(["web"])).toBe(5);
  expect(sizes.asked).toHaveLength(2);
});

test("3. a stop", async () => {
  const gate = Promise.withResolvers<number>();
  const sizes = open(() => gate.promise);
  const many = Array.from({ length: 100 }, (_, n) => `prj_${n}`);
  const sum = sizes.sum(many);
  const before = sizes.asked.length;
  sizes.stop();
  gate.resolve(1);
  expect(await sum).toBe(before);
  expect(sizes.asked).toHaveLength(before);
  expect(before).toBeLessThan(many.length);
});

test("4. no list", async () => {
  const caches = new Map<string, Cache>();
  let isBroken = false;
  const own = disk({ caches });
  const projects = () => (isBroken ? Promise.reject(new Error("No disk.")) : own.projects());
  await using place = await openTestBuilds("sqlite", { builders: { ...own, projects } });
  const { id } = await place.addProject("web");
  caches.set(id, { [platform]: 10 });
  expect(await place.builds.layerBytes(place.caller, "")).toBe(10);
  isBroken = true;
  expect(await place.builds.layerBytes(place.caller, "")).toBe(10);
});
