/** 1. A layer cache that another user has made is removed: its files would have wrong owners in images. The user's own cache stays. */
import { chownSync, existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeFiles } from "./builder-files.ts";

const OTHER = 1234;

/** @returns a layer in a cache that belongs to this user */
function writeInto(folder: string): string {
  const layer = join(folder, "builder/cache/layer");
  mkdirSync(join(folder, "builder/cache"), { recursive: true });
  writeFileSync(layer, "");
  return layer;
}

const start = (folder: string) =>
  writeFiles({
    buildkitd: "/usr/local/bin/buildkitd",
    folder: join(folder, "builder"),
    runFolder: join(folder, "run"),
    groupFolders: [],
    registryHost: "localhost:3000",
    mirrored: [],
    cache: { maxBytes: 1000, unusedSeconds: 60 },
    parallelism: 4,
    entitlements: [],
    listen() {},
  });

test.skipIf(process.getuid?.() !== 0)("1. whose cache (skipped where the test is not root)", async () => {
  const folder = mkdtempSync(join(tmpdir(), "files-"));
  const layer = writeInto(folder);
  await start(folder);
  expect(existsSync(layer)).toBe(true);
  chownSync(join(folder, "builder/cache"), OTHER, OTHER);
  await start(folder);
  expect(existsSync(layer)).toBe(false);
});
