/**
 * 1. A failing bundler's report is in the error; a bundler that has ended is not waited for.
 * 2. When the build is killed its bundler ends too: otherwise it would write into the next build.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { expect, test, vi } from "vitest";
import { root } from "#server/pages/build-folders.ts";
import { runBundler } from "./run-bundler.ts";

function script(code: string): [string] {
  const file = join(mkdtempSync(join(tmpdir(), "bundler-")), "bundler.mjs");
  writeFileSync(file, code);
  return [relative(join(root, "node_modules"), file)];
}

test("1. ends", async () => {
  await runBundler({ what: "Nothing", command: script("console.log('done')") });
  const failing = runBundler({
    what: "Nothing",
    command: script("console.error('no file x'); process.exit(2)"),
  });
  await expect(failing).rejects.toThrow(/^Nothing cannot be built; .*\n\nno file x$/);
});

test("2. killed", { timeout: 30_000 }, async () => {
  const said = join(mkdtempSync(join(tmpdir(), "bundler-")), "pid");
  const [path] = script(
    `import { renameSync, writeFileSync } from "node:fs";
     writeFileSync(${JSON.stringify(`${said}~`)}, String(process.pid));
     renameSync(${JSON.stringify(`${said}~`)}, ${JSON.stringify(said)});
     setInterval(() => {}, 1000);`,
  );
  const build = `const { runBundler } = await import(${JSON.stringify(new URL("run-bundler.ts", import.meta.url).href)});
     await runBundler({ what: "x", command: [${JSON.stringify(path)}] });`;
  const parent = spawn(process.execPath, ["--input-type=module", "-e", build], { stdio: "ignore" });
  await vi.waitUntil(() => existsSync(said), { timeout: 10_000, interval: 10 });
  const pid = Number(readFileSync(said, "utf8"));
  parent.kill("SIGKILL");
  await once(parent, "exit");
  await vi.waitUntil(() => !isRunning(pid), { timeout: 10_000, interval: 10 });
});

/** A zombie, whose exit code has not been read yet, is not running. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const stat = `/proc/${pid}/stat`;
  return !existsSync(stat) || !/\) Z /.test(readFileSync(stat, "utf8"));
}
