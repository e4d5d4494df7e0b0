import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test as base } from "@playwright/test";
import { origin as builtFor } from "./fixtures.ts";

export { expect } from "@playwright/test";

interface Server {
  origin: string;
  /** Made by the server when it started. */
  token: string;
  /** The path of the link that it printed, with the code. */
  link: string;
  /** Everything that it has printed. */
  output: () => string;
  /** Its data folder. */
  dataDir: string;
}

/**
 * A second server over the same build, with an empty folder and no CONSOLE_TOKEN, for each worker that needs
 * it.
 */
export const test = base.extend<{ expectedErrors: RegExp | null }, { server: Server }>({
  expectedErrors: [null, { option: true }],
  server: [
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const dataDir = mkdtempSync(join(tmpdir(), "console-"));
      const port = await freePort();
      const { stop, output } = await start(port, dataDir);
      const token = readFileSync(join(dataDir, "console-token"), "utf8").trim();
      const link = /\/console#code=[\w-]+/.exec(output())?.[0] ?? "";
      await use({ origin: `http://localhost:${port}`, token, link, output, dataDir });
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

/**
 * Resolves when the server has printed its address and how to sign in; fails with its output if it ends
 * before.
 */
async function start(port: number, dataDir: string) {
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", "scripts/start.ts"], {
    // The address that the build was made for: with another one pages would be built anew.
    env: {
      ...process.env,
      PORT: String(port),
      HOST: "localhost",
      SITE_ORIGIN: builtFor,
      BUILD_DIR: ".cache/test-build",
      DATA_DIR: dataDir,
      CONSOLE_TOKEN: "",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const ended = new Promise((resolve) => child.once("exit", resolve));
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk) => {
        output += chunk;
        if (output.includes("/console#code=")) resolve();
      });
    void ended.then(() => reject(new Error(`The server ended before it listened:\n${output}`)));
  });
  const stop = () => {
    child.kill();
    return ended;
  };
  return { stop, output: () => output };
}
