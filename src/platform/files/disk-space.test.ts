/**
 * 1. Levels drop at the marks, and rise only well above them; a small disk has smaller marks.
 * 2. A watched disk reports each change once, in a sentence with figures, and refuses large writes until there is room.
 * 3. The figures match content/facts/limits.yaml.
 * 4. On every disk, a reserve that grows once uploads have stopped leaves room for the records: the disk is not full.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { consoleLog } from "../log/log.ts";
import {
  DiskFullError,
  type DiskLevel,
  fullMarkOf,
  levelOf,
  LOW_BYTES,
  LOW_SHARE,
  lowMarkOf,
  watchDisk,
} from "./disk-space.ts";
import { reserveOf } from "./reserve.ts";

const MB = 1e6;
const GB = 1e9;

test("1. levels", () => {
  const cases: [freeBytes: number, totalBytes: number, former: DiskLevel, level: DiskLevel][] = [
    [1.1 * GB, 500 * GB, "roomy", "roomy"],
    [1.1 * GB, 500 * GB, "low", "low"],
    [1.3 * GB, 500 * GB, "low", "roomy"],
    [0.9 * GB, 500 * GB, "roomy", "low"],
    [15 * MB, 500 * GB, "roomy", "full"],
    [17 * MB, 500 * GB, "full", "full"],
    [21 * MB, 500 * GB, "full", "low"],
    [GB, 2 * GB, "full", "roomy"],
    [5 * MB, 100 * MB, "roomy", "roomy"],
    [3.9 * MB, 100 * MB, "roomy", "low"],
    [0, 100 * MB, "low", "full"],
  ];
  for (const [freeBytes, totalBytes, former, level] of cases)
    expect([freeBytes, totalBytes, former, levelOf({ freeBytes, totalBytes }, former)]).toEqual([
      freeBytes,
      totalBytes,
      former,
      level,
    ]);
});

test("2. a watched disk", async () => {
  const lines: string[] = [];
  const keep = (line: string) => void lines.push(line);
  const log = { ...consoleLog, info: keep, error: keep };
  let freeBytes = 100 * GB;
  let looks = 0;
  const watch = await watchDisk({
    folder: "/nowhere",
    what: "DATA_DIR",
    log,
    onLooked: () => (looks += 1),
    read: () => Promise.resolve({ freeBytes, totalBytes: 500 * GB }),
  });
  expect([watch.level, watch.describe()]).toEqual(["roomy", null]);
  watch.requireRoom();
  for (const [free, level, refusal] of [
    [
      300.5 * MB,
      "low",
      /^the disk of this server is almost full \(300 MB of 500 GB are free\), .* free space$/,
    ],
    [299 * MB, "low", /299 MB/],
    [1.5 * MB, "full", /^the disk of this server is full \(1\.5 MB of 500 GB are free\)/],
  ] as const) {
    freeBytes = free;
    await watch.look();
    expect(watch.level).toBe(level);
    expect(() => watch.requireRoom()).toThrow(DiskFullError);
    expect(() => watch.requireRoom()).toThrow(refusal);
  }
  expect(watch.describe()).toMatch(
    /^The disk of DATA_DIR is full: 1\.5 MB of 500 GB are free\. .*Free some space/,
  );
  freeBytes = 100 * GB;
  await watch.look();
  watch.requireRoom();
  expect([watch.describe(), looks]).toEqual([null, 4]);
  expect(lines).toEqual([
    expect.stringMatching(/^The disk of DATA_DIR is almost full: 300 MB/),
    expect.stringMatching(/^The disk of DATA_DIR is full: 1\.5 MB/),
    "The disk of DATA_DIR has room again: 100 GB of 500 GB are free.",
  ]);
  await watch.stop();
});

test("3. facts", () => {
  const file = join(import.meta.dirname, "../../../content/facts/limits.yaml");
  const { limits } = parse(readFileSync(file, "utf8")) as {
    limits: { id: string; value: string; description?: string }[];
  };
  const find = (id: string) => limits.find((limit) => limit.id === id);
  expect(find("disk.low")?.value).toBe(`${LOW_BYTES / GB} GB`);
  expect(find("disk.low")?.description).toContain(`${LOW_SHARE * 100} %`);
  expect(find("disk.reserve")?.value).toBe(`${reserveOf(500 * GB) / MB} MB`);
  expect(find("disk.reserve")?.description).toContain("On a disk below 2 GB, 3.2 % of it.");
  expect([reserveOf(2 * GB) / MB, reserveOf(GB) / GB]).toEqual([64, 0.032]);
});

test("4. the reserve beside the marks", () => {
  for (let totalBytes = 1; totalBytes < 1e15; totalBytes = Math.ceil(totalBytes * 1.01)) {
    const freeBytes = lowMarkOf(totalBytes) - reserveOf(totalBytes);
    expect([totalBytes, freeBytes > fullMarkOf(totalBytes)]).toEqual([totalBytes, true]);
    expect([totalBytes, levelOf({ freeBytes, totalBytes }, "low")]).toEqual([totalBytes, "low"]);
  }
});
