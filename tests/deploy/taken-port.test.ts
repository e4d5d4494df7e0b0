/**
 * A port that is taken while the server starts, after it was found free:
 * 1. `npm start` ends with exit code 1, says what to free or to set, and does not report that it runs. Nothing of it is
 *    left: no process, and the next start gets `DATA_DIR`.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, watch } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { root } from "#server/pages/build-folders.ts";
import { descendants } from "../attack/processes.ts";
import {
  freePort,
  newDataDir,
  prepareBuild,
  serverEnvironment,
  startServer,
} from "../attack/server-process.ts";

let end = () => {};
afterEach(() => end());

/** The server has taken the folder: it checks the port before that, and listens after the build is loaded. */
async function untilTaken(dataDir: string): Promise<void> {
  const watcher = watch(dataDir);
  try {
    while (!existsSync(join(dataDir, "server.lock"))) await once(watcher, "change");
  } finally {
    watcher.close();
  }
}

test("1. taken while it starts", { timeout: 600_000 }, async () => {
  await prepareBuild();
  const [port, dataDir] = [await freePort(), newDataDir()];
  const child = spawn("npm", ["start"], {
    cwd: root,
    env: serverEnvironment(port, dataDir),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let started: number[] = [];
  end = () => {
    for (const pid of [child.pid!, ...started])
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It has ended.
      }
  };
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += String(chunk)));
  await untilTaken(dataDir);
  started = descendants(child.pid!);
  const other = createServer().listen(port, "127.0.0.1");
  await once(other, "listening");
  const [code] = (await once(child, "close")) as [number | null];
  other.close();
  expect([code, output]).toEqual([
    1,
    expect.stringContaining(
      `Port ${port} on 127.0.0.1 is in use: stop the program that uses it, or choose another with PORT=${port + 1}.`,
    ),
  ]);
  expect(output).not.toContain("Millrace is at");
  expect(started.length).toBeGreaterThan(0);
  expect(started.filter((pid) => existsSync(`/proc/${pid}`))).toEqual([]);
  const next = await startServer({ dataDir });
  expect(await next.stop()).toBe(0);
});
