/**
 * 1. A folder whose name could not be synced is synced by the next caller that needs it, although it already exists.
 * 2. An existing, synced folder is not synced again.
 */
import { mkdtempSync } from "node:fs";
import type * as Files from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { makeFolder, makeFolderNow } from "./durable.ts";

const disk = vi.hoisted(() => ({ isBroken: false, opened: [] as string[] }));
vi.mock("node:fs/promises", async (load) => {
  const files = await load<typeof Files>();
  const open: typeof files.open = async (path, ...rest) => {
    disk.opened.push(String(path));
    if (disk.isBroken) throw new Error("input/output error");
    return files.open(path, ...rest);
  };
  return { ...files, open };
});

test("1. and 2. a disk that fails once", async () => {
  const top = mkdtempSync(join(tmpdir(), "durable-"));
  const folder = join(top, "one", "two");
  disk.isBroken = true;
  await expect(makeFolder(folder)).rejects.toThrow("input/output");
  disk.isBroken = false;
  disk.opened.length = 0;
  await makeFolder(join(top, "one"));
  await makeFolder(folder);
  expect(disk.opened).toEqual([top, join(top, "one")]);
  makeFolderNow(folder);
  await makeFolder(folder);
  expect(disk.opened).toHaveLength(2);
});
