/**
 * 1. A layer cache as buildkitd made it stays, whatever is in it, even after a start of the current release.
 * 2. A cache whose modes an earlier start has changed is reported, with the time of the first such start, and moved away; its
 *    neighbors stay, and the next start reports nothing.
 * 3. So is a cache that was only changed halfway, one that `chmod -R` has narrowed, and one whose folders pass their group on:
 *    since it was made.
 * 4. For a copy, the time is unknown: since it was made.
 * 5. A cache that could not be reported stays, and the next start reports it.
 * 6. A cache that was moved away is removed, even after a start that ended before the removal.
 */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { openDataFolder } from "#platform/locks/data-folder.ts";
import type { Builders } from "./machine.ts";
import type { SpoiledCache } from "./spoiled-caches.ts";
import { makeAllPrivate, openTestMachine } from "../testing/machine.ts";

const WEB = "prj_0123456789";
const API = "prj_9876543210";
const platform = "linux/amd64";

const opened: Pick<Builders, "close">[] = [];
afterEach(async () => void (await Promise.all(opened.splice(0).map(({ close }) => close()))));

const makeData = () => realpathSync(mkdtempSync(join(tmpdir(), "spoiled-")));

/** As buildkitd 0.33 makes it. @returns its worker's folder */
function makeCache(data: string, projectId = WEB, worker = "runc-overlayfs"): string {
  const folder = join(data, "builders", projectId, "linux-amd64", "cache", worker);
  const layer = join(folder, "snapshots/snapshots/1/fs");
  mkdirSync(layer, { recursive: true, mode: 0o700 });
  mkdirSync(join(folder, "executor"));
  chmodSync(join(folder, "executor"), 0o711);
  chmodSync(layer, 0o755);
  for (const [name, mode] of [
    ["workerid", 0o400],
    ["snapshots/snapshots/1/fs/sh", 0o755],
  ] as const) {
    writeFileSync(join(folder, name), "");
    chmodSync(join(folder, name), mode);
  }
  return folder;
}

/** A start of builders. @returns the caches that it reported */
async function start(data: string, note?: () => Promise<void>): Promise<readonly SpoiledCache[]> {
  let told: readonly SpoiledCache[] = [];
  const { close } = await openTestMachine(
    { programs: "/nowhere" },
    {
      dataFolder: data,
      noteSpoiled: async (caches) => {
        told = caches;
        await note?.();
      },
    },
  );
  opened.push({ close });
  return told;
}

/** File times have a limited resolution. */
async function nextTick(path: string): Promise<void> {
  const before = statSync(path).ctimeMs;
  const probe = join(path, "..", "probe");
  await vi.waitFor(() => {
    writeFileSync(probe, "");
    expect(statSync(probe).ctimeMs).toBeGreaterThan(before);
  });
}

const isThere = (data: string, projectId = WEB) =>
  existsSync(join(data, "builders", projectId, "linux-amd64"));
const movedIn = (data: string) =>
  readdirSync(join(data, "builders")).filter((name) => name.startsWith("removed-"));

test("1. as it was made", async () => {
  const data = makeData();
  const folder = makeCache(data);
  mkdirSync(join(data, "builders", API, "linux-arm64"), { recursive: true });
  chmodSync(join(folder, "snapshots/snapshots/1/fs/sh"), 0o600);
  for (const _ of [1, 2]) {
    openDataFolder(data, "here").close();
    expect(await start(data)).toEqual([]);
  }
  expect(isThere(data)).toBe(true);
  expect(movedIn(data)).toEqual([]);
});

test("2. two starts of a former release", async () => {
  const data = makeData();
  const folder = makeCache(data);
  await nextTick(join(folder, "workerid"));
  makeAllPrivate(data);
  const first = Math.floor(statSync(join(folder, "workerid")).ctimeMs);
  await nextTick(join(folder, "workerid"));
  writeFileSync(join(folder, "snapshots/snapshots/1/fs/later"), "");
  chmodSync(join(folder, "snapshots/snapshots/1/fs/later"), 0o755);
  makeAllPrivate(data);
  makeCache(data, API);
  expect(await start(data)).toEqual([{ projectId: WEB, platform, since: first }]);
  expect([isThere(data), isThere(data, API)]).toEqual([false, true]);
  expect(await start(data)).toEqual([]);
});

test.each<[string, (folder: string) => void]>([
  ["a walk in the middle", (folder) => chmodSync(join(folder, "executor"), 0o700)],
  ["chmod -R go-rwx", (folder) => void execFileSync("chmod", ["-R", "go-rwx", folder])],
  ["a group for all below", (folder) => void execFileSync("chmod", ["g+s", join(folder, "executor")])],
])("3. %s", async (_, spoil) => {
  const data = makeData();
  const folder = makeCache(data);
  const made = Math.floor(statSync(join(folder, "workerid")).mtimeMs);
  spoil(folder);
  expect(await start(data)).toEqual([{ projectId: WEB, platform, since: made }]);
  expect(isThere(data)).toBe(false);
});

test("4. a copy", async () => {
  const data = makeData();
  const made = new Date("2026-11-21T10:00:00Z");
  const folder = makeCache(data, WEB, "runc-native");
  makeAllPrivate(data);
  utimesSync(join(folder, "workerid"), made, made);
  expect(await start(data)).toEqual([{ projectId: WEB, platform, since: made.getTime() }]);
});

test("5. not told", async () => {
  const data = makeData();
  makeCache(data);
  makeAllPrivate(data);
  await expect(start(data, () => Promise.reject(new Error("no records")))).rejects.toThrow("no records");
  expect(isThere(data)).toBe(true);
  expect(await start(data)).toMatchObject([{ projectId: WEB }]);
  expect(isThere(data)).toBe(false);
});

test("6. removed", async () => {
  const data = makeData();
  makeCache(data);
  makeAllPrivate(data);
  // Left by a killed server.
  mkdirSync(join(data, "builders", `removed-${API}-linux-amd64-1`, "cache"), { recursive: true });
  expect(await start(data)).toHaveLength(1);
  await vi.waitFor(() => expect(movedIn(data)).toEqual([]));
});
