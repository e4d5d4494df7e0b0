/**
 * 1. Processes that start, count and end in any order lose no count.
 * 2. They leave no files. 3. An old lock of a dead process blocks no one.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";

const PROCESSES = 8;
const ROUNDS = 3;
const folder = mkdtempSync(join(tmpdir(), "lock-file-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const program = `
import { readFileSync, writeFileSync } from "node:fs";
const { withLock } = await import(process.argv[1]);
await withLock("lock", async () => {
  const count = Number(readFileSync("count", "utf8"));
  await new Promise((resolve) => setImmediate(resolve));
  writeFileSync("count", String(count + 1));
});
`;

/** Resolves when the process has ended successfully. */
async function count(): Promise<void> {
  const module = join(import.meta.dirname, "lock-file.ts");
  const args = ["--disable-warning=ExperimentalWarning", "--input-type=module", "-e", program, module];
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ["ignore", "inherit", "inherit"] });
  expect(await once(child, "close")).toEqual([0, null]);
}

test("1. to 3.", async () => {
  writeFileSync(join(folder, "count"), "0");
  // No system has such a high process id.
  writeFileSync(join(folder, "lock"), "4999999 left");
  utimesSync(join(folder, "lock"), 0, 0);
  // Each line starts its next process when the former has just released the lock and is about to end.
  const line = async () => {
    for (let round = 0; round < ROUNDS; round++) await count();
  };
  await Promise.all(Array.from({ length: PROCESSES }, line));
  expect(readFileSync(join(folder, "count"), "utf8")).toBe(String(PROCESSES * ROUNDS));
  expect(readdirSync(folder)).toEqual(["count"]);
}, 60_000);
