/**
 * 1. Hashing works with more files than a process may have open.
 * 2. A step's imports, direct or indirect, the lock file and its data change its key; a test and a type do not.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "#server/pages/build-folders.ts";
import { readSourceFiles } from "../imports/source-files.ts";
import { hashAlone } from "./hash-inputs.ts";

const { reachable } = readSourceFiles();

test.skipIf(process.platform === "win32")("1. few open files", { timeout: 60_000 }, async () => {
  const script = `
    const { hashAlone } = await import(${JSON.stringify(join(root, "scripts/steps/hash-inputs.ts"))});
    console.log(await hashAlone({ code: ["src"], data: ["content"] }));`;
  const limited = spawnSync(
    "bash",
    [
      "-c",
      'ulimit -n 100; exec "$0" --disable-warning=ExperimentalWarning --input-type=module -e "$1"',
      process.execPath,
      script,
    ],
    { encoding: "utf8", cwd: root },
  );
  expect(limited.stderr).toBe("");
  expect(limited.stdout.trim()).toBe(await hashAlone({ code: ["src"], data: ["content"] }));
});

test("2. what is really read", async () => {
  const content = reachable(["scripts/steps/content-step.ts"]);
  for (const file of ["src/docs/content/blocks/highlight.ts", "src/docs/components/diagram-layout.ts"])
    expect(content).toContain(file);
  expect(content.filter((file) => file.endsWith(".test.ts"))).toEqual([]);
  // The content step does not depend on the engine or the client.
  expect(content.filter((file) => /^src\/(?:search|telemetry|app|server\/app)/.test(file))).toEqual([]);

  const index = reachable(["scripts/steps/index-step.ts"]);
  expect(index).toContain("src/search/file/container.ts");
  expect(index).not.toContain("src/docs/content/blocks/highlight.ts");
});
