/**
 * 1. The hash of many files needs no more than a process may have open: 800 files where 100 may be.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "./folders.ts";
import { hashInputs } from "./stamps.ts";

test.skipIf(process.platform === "win32")("1. few open files", { timeout: 60_000 }, async () => {
  const script = `
    const { hashInputs } = await import(${JSON.stringify(join(root, "scripts/build/stamps.ts"))});
    console.log(await hashInputs(["src"]));`;
  const limited = spawnSync(
    "bash",
    ["-c", 'ulimit -n 100; exec "$0" --disable-warning=ExperimentalWarning --input-type=module -e "$1"', process.execPath, script],
    { encoding: "utf8" },
  );
  expect(limited.stderr).toBe("");
  expect(limited.stdout.trim()).toBe(await hashInputs(["src"]));
});
