/**
 * 1. While one process builds, another waits and says so once; then it has the lock.
 * 2. A process that is killed leaves no lock behind.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { lockBuild } from "./build-lock.ts";

const newFolder = () => mkdtempSync(join(tmpdir(), "lock-"));

test("1. one after the other", async () => {
  const folder = newFolder();
  const order: string[] = [];
  const release = await lockBuild(folder, () => order.push("never"));
  const second = lockBuild(folder, () => {
    order.push("waits");
    setTimeout(() => {
      order.push("released");
      release();
    }, 300);
  });
  const releaseSecond = await second;
  expect(order).toEqual(["waits", "released"]);
  releaseSecond();
});

test("2. killed", async () => {
  const folder = newFolder();
  const script = `
    import { lockBuild } from ${JSON.stringify(new URL("./build-lock.ts", import.meta.url).href)};
    await lockBuild(${JSON.stringify(folder)}, () => {});
    console.log("locked");
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  const waited: string[] = [];
  const next = lockBuild(folder, () => {
    waited.push("waits");
    child.kill("SIGKILL");
  });
  (await next)();
  expect(waited).toEqual(["waits"]);
});
