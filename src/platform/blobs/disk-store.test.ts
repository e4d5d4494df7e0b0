/**
 * 1. However many files an organization finishes at the same time, no more of them wait for the disk than the system has threads,
 *    and another organization's file is next.
 */
import { fstatSync, mkdtempSync, rmSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { currentRequest, noteHolder, runForRequest } from "../log/request-context.ts";
import { openDiskStore } from "./disk-store.ts";
import { SYSTEM_THREADS } from "./limits.ts";

const folder = mkdtempSync(join(tmpdir(), "disk-store-"));
afterAll(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

interface Syncing {
  holder: string | undefined;
  go: () => void;
}

/** A disk that syncs a file when the test tells it to. @returns syncs that have begun, added as they begin */
async function holdSyncs(): Promise<Syncing[]> {
  const file = await open(folder, "r");
  // The prototype of all file handles: Node.js does not export their class.
  const handles = Object.getPrototypeOf(file) as FileHandle;
  await file.close();
  const { sync } = handles;
  const begun: Syncing[] = [];
  vi.spyOn(handles, "sync").mockImplementation(async function held(this: FileHandle) {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (fstatSync(this.fd).isFile()) begun.push({ holder: currentRequest()?.holder, go: resolve });
    else resolve();
    await promise;
    return sync.call(this);
  });
  return begun;
}

test("1. threads", async () => {
  const store = await openDiskStore(folder);
  const begun = await holdSyncs();
  const finish = async (holder: string) => {
    const writer = await store.create();
    await writer.write([Buffer.from(holder)]);
    return () =>
      runForRequest(holder, () => {
        noteHolder(holder);
        return writer.finish();
      });
  };
  const many = await Promise.all(Array.from({ length: 2 * SYSTEM_THREADS }, () => finish("many")));
  const one = await finish("one");
  const finished = Promise.all([...many, one].map((run) => run()));
  const holders = () => begun.map(({ holder }) => holder);
  const first = Array.from({ length: SYSTEM_THREADS }, () => "many");
  expect(holders()).toEqual(first);
  begun[0]!.go();
  await expect.poll(holders).toEqual([...first, "one"]);
  for (let at = 1; at < many.length + 1; at += 1) {
    await expect.poll(() => begun.length).toBeGreaterThan(at);
    begun[at]!.go();
  }
  await finished;
});
