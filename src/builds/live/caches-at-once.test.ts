/**
 * Many simultaneous callers that ask for layer caches:
 *
 * 1. Their sizes take one request to the builders, and all callers are answered.
 * 2. For all resets that arrive during a reset, one more is made, for what was written since the first began; also after a reset
 *    that fails.
 */
import { expect, test, vi } from "vitest";
import type { Builders } from "../machine/machine.ts";
import { openTestBuilds } from "../testing/builds.ts";
import { arm, type Cache, disk, platform } from "../testing/disk.ts";

test("1. usage", async () => {
  const caches = new Map<string, Cache>();
  const gate = Promise.withResolvers<void>();
  const askedFor: string[] = [];
  const own = disk({ caches });
  const builders: Builders = {
    ...own,
    async usage(projectId) {
      askedFor.push(projectId);
      await gate.promise;
      return own.usage(projectId);
    },
  };
  await using place = await openTestBuilds("sqlite", { builders });
  const { builds, caller } = place;
  const { id: projectId } = await place.addProject("web");
  caches.set(projectId, { [platform]: 10 });
  const ask = (times: number, question: () => Promise<unknown>) =>
    Promise.all(Array.from({ length: times }, question));
  const api = await place.addProject("api");
  const usages = ask(50, () => builds.cacheUsage(caller, projectId));
  // This call comes after all others: when it has reached the builders, so have they.
  const last = builds.cacheUsage(caller, api.id);
  await vi.waitFor(() => expect(askedFor).toContain(api.id));
  expect(askedFor.toSorted()).toEqual([api.id, projectId].toSorted());
  gate.resolve();
  await last;
  expect(await usages).toHaveLength(50);
  // A later call asks again.
  await builds.cacheUsage(caller, projectId);
  expect(askedFor).toHaveLength(3);
});

test("2. resets", async () => {
  const caches = new Map<string, Cache>();
  const begun: { platform: unknown; end: () => void; fail: (error: Error) => void }[] = [];
  const own = disk({ caches });
  const builders: Builders = {
    ...own,
    async reset(projectId, only) {
      const freed = await own.reset(projectId, only);
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      begun.push({ platform: only, end: resolve, fail: reject });
      await promise;
      return freed;
    },
  };
  await using place = await openTestBuilds("sqlite", { builders });
  const { builds, caller } = place;
  const { id: projectId } = await place.addProject("web");
  const write = (bytes: number) => caches.set(projectId, { [platform]: bytes });
  const reset = (of = platform) =>
    builds.resetCache(caller, { projectId, platform: of }).catch((error: Error) => error.message);
  const runs = (count: number) => vi.waitFor(() => expect(begun).toHaveLength(count), { timeout: 10_000 });
  write(10);
  const first = reset();
  await runs(1);
  write(7);
  const meanwhile = Array.from({ length: 50 }, () => reset());
  // After all of them: when it has begun, they have arrived.
  const another = reset(arm);
  await runs(2);
  expect(begun.map((run) => run.platform)).toEqual([platform, arm]);
  for (const { end } of begun) end();
  expect([await first, await another]).toEqual([10, 0]);
  await runs(3);
  write(5);
  const late = reset();
  begun[2]?.fail(new Error("The disk of /data is read-only."));
  expect(new Set(await Promise.all(meanwhile))).toEqual(new Set(["The disk of /data is read-only."]));
  await runs(4);
  begun[3]?.end();
  expect(await late).toBe(5);
  expect(begun).toHaveLength(4);
});
