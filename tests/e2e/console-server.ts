import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test as base } from "@playwright/test";
import { origin as builtFor } from "./fixtures.ts";

export { expect } from "@playwright/test";
export const token = "correct-horse-battery";

interface Server {
  origin: string;
}

/** A second server over the same build, with an empty database and a token; one for each worker that needs it. */
export const test = base.extend<{ expectedErrors: RegExp | null }, { server: Server }>({
  expectedErrors: [null, { option: true }],
  server: [
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const dataDir = mkdtempSync(join(tmpdir(), "console-"));
      const port = await freePort();
      const stop = await start(port, dataDir);
      await use({ origin: `http://localhost:${port}` });
      await stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
    { scope: "worker", timeout: 60_000 },
  ],
  page: async ({ page, expectedErrors }, use) => {
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    page.on("console", (message) => {
      if (message.type() === "error") errors.push(message.text());
    });
    await use(page);
    base.expect(errors.filter((error) => !expectedErrors?.test(error))).toEqual([]);
  },
});

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "localhost", resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

/** Resolves when the server says where it is; with what it printed when it ends before that. */
async function start(port: number, dataDir: string): Promise<() => Promise<unknown>> {
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", "scripts/start.ts"], {
    // The address that the build was made for: with another one pages would be built anew.
    env: {
      ...process.env,
      PORT: String(port),
      HOST: "localhost",
      SITE_ORIGIN: builtFor,
      BUILD_DIR: ".cache/test-build",
      DATA_DIR: dataDir,
      CONSOLE_TOKEN: token,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const ended = new Promise((resolve) => child.once("exit", resolve));
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk) => {
        output += chunk;
        if (output.includes("Millrace is at")) resolve();
      });
    void ended.then(() => reject(new Error(`The server ended before it listened:\n${output}`)));
  });
  return () => {
    child.kill();
    return ended;
  };
}
