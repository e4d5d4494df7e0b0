/**
 * `npm start` and its processes: npm, usually a shell, the launcher, the server.
 * 1. Whichever of them gets a signal, or is killed, all of them end after finishing requests in flight; the exit code
 *    is 0 where npm can wait for it.
 * 2. The data folder is free for the next start immediately.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { get } from "node:http";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { origin as builtFor } from "./fixtures.ts";
import { expect, test } from "./worker.ts";

test.skip(process.platform === "win32", "signals");

interface Running {
  npm: ChildProcess;
  launcher: number;
  server: number;
  port: number;
  output: () => string;
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "localhost", resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

/** Running processes, by parent; a process that has ended but was not yet waited for does not count. */
function childrenOf(pid: number): number[] {
  return execFileSync("ps", ["-eo", "pid=,ppid=,stat="], { encoding: "utf8" })
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, parent, state]) => Number(parent) === pid && !state?.startsWith("Z"))
    .map(([child]) => Number(child));
}

function isRunning(pid: number): boolean {
  try {
    const state = execFileSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" });
    return !state.trim().startsWith("Z");
  } catch {
    // `ps` ends with 1 when there is no such process.
    return false;
  }
}

async function start(dataDir: string): Promise<Running> {
  const port = await freePort();
  const npm = spawn("npm", ["start"], {
    env: {
      ...process.env,
      PORT: String(port),
      HOST: "localhost",
      // The address that the build was made for: a different one would need a new build.
      SITE_ORIGIN: builtFor,
      BUILD_DIR: ".cache/test-build",
      DATA_DIR: dataDir,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [npm.stdout, npm.stderr]) stream.on("data", (chunk) => (output += chunk));
  await expect
    .poll(() => output.includes("Millrace is at") || npm.exitCode !== null, { timeout: 60_000 })
    .toBe(true);
  expect(output).toContain("Millrace is at");
  // Some shells replace themselves by the command that npm gives them.
  const [first = 0] = childrenOf(npm.pid!);
  const [second = 0] = childrenOf(first);
  const [third] = childrenOf(second);
  const [launcher, server] = third === undefined ? [first, second] : [second, third];
  expect(launcher && server, output).toBeGreaterThan(0);
  return { npm, launcher, server, port, output: () => output };
}

/** Requests a page, and reads its body when the returned function is called. */
function beginDownload(port: number): Promise<() => Promise<number>> {
  return new Promise((resolve, reject) => {
    get({ port, host: "localhost", path: "/docs", agent: false }, (response) => {
      const expected = Number(response.headers["content-length"]);
      const finish = async () => {
        let taken = 0;
        for await (const chunk of response) taken += (chunk as Buffer).length;
        expect(taken).toBe(expected);
        return taken;
      };
      resolve(finish);
    }).on("error", reject);
  });
}

const cases: [signal: NodeJS.Signals, to: "npm" | "launcher" | "server", isSuccess: boolean][] = [
  // npm ends its shell, and itself by the signal that ended the shell; the server finishes.
  ["SIGTERM", "npm", false],
  ["SIGINT", "launcher", true],
  ["SIGTERM", "server", true],
  ["SIGKILL", "npm", false],
  ["SIGKILL", "launcher", false],
];

test.describe("1. and 2.", () => {
  test.describe.configure({ mode: "serial", timeout: 120_000 });
  let dataDir = "";
  test.beforeAll(() => {
    dataDir = mkdtempSync(join(tmpdir(), "start-"));
  });
  test.afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

  for (const [signal, to, isSuccess] of cases)
    test(`${signal} to the ${to}`, async () => {
      const { npm, launcher, server, port, output } = await start(dataDir);
      const ended = new Promise<number | null>((resolve) => npm.once("exit", resolve));
      const finish = await beginDownload(port);
      process.kill({ npm: npm.pid!, launcher, server }[to], signal);
      expect(await finish()).toBeGreaterThan(1000);
      expect((await ended) === 0, output()).toBe(isSuccess);
      await expect.poll(() => [launcher, server].filter(isRunning), { timeout: 15_000 }).toEqual([]);
      expect(output()).not.toContain("    at ");
    });
});
