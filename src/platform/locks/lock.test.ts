/**
 * 1. While one process has the lock, another waits and reports it once; then it gets the lock. Two never have it.
 * 2. A process that is killed leaves no lock behind.
 * 3. A waiting process can be aborted.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tryLock, waitForLock } from "./lock.ts";

const newFile = () => join(mkdtempSync(join(tmpdir(), "lock-")), "lock");

test("1. one after the other", async () => {
  const file = newFile();
  const order: string[] = [];
  const first = await waitForLock(file, { onWait: () => order.push("never") });
  expect(tryLock(file)).toBeNull();
  const second = await waitForLock(file, {
    onWait: () => {
      order.push("waits");
      setImmediate(() => {
        order.push("released");
        first.release();
        first.release();
      });
    },
  });
  expect(order).toEqual(["waits", "released"]);
  second.release();
  tryLock(file)?.release();
});

test("2. killed", async () => {
  const file = newFile();
  const script = `
    import { waitForLock } from ${JSON.stringify(new URL("./lock.ts", import.meta.url).href)};
    await waitForLock(${JSON.stringify(file)});
    gc();
    console.log("locked");
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--expose-gc", "--input-type=module", "--eval", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  const waited: string[] = [];
  const next = await waitForLock(file, {
    onWait: () => {
      waited.push("waits");
      child.kill("SIGKILL");
    },
  });
  next.release();
  expect(waited).toEqual(["waits"]);
});

test("3. told to stop", async () => {
  const file = newFile();
  const lock = await waitForLock(file);
  const ending = new AbortController();
  const waiting = waitForLock(file, { signal: ending.signal, onWait: () => ending.abort() });
  await expect(waiting).rejects.toThrow(/abort/i);
  lock.release();
});
