/**
 * What goes wrong is said in one sentence with what to do, the exit code is 1, and nothing is half-written:
 * 1. the port is in use; 2. a variable is wrong; 3. a page has a mistake; 4. the disk cannot be written;
 * 5. no network while packages are missing; 6. Node.js is too old.
 */
import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { copyRepository } from "./build/copy-repository.ts";
import { root } from "./build/folders.ts";

interface Outcome {
  code: number | null;
  output: string;
}

function run(command: string[], options: { cwd?: string; env?: NodeJS.ProcessEnv } = {}): Promise<Outcome> {
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", ...command], {
    cwd: options.cwd ?? root,
    env: { ...process.env, PORT: "0", ...options.env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  child.stdout.on("data", (chunk) => (output += chunk));
  child.stderr.on("data", (chunk) => (output += chunk));
  return new Promise((resolve) => child.on("exit", (code) => resolve({ code, output })));
}

test("1. a port in use", async () => {
  const holder = createServer();
  await new Promise<void>((resolve) => holder.listen(0, "localhost", resolve));
  const { port } = holder.address() as AddressInfo;
  const { code, output } = await run(["scripts/start.ts"], { env: { PORT: String(port) } });
  holder.close();
  expect(code).toBe(1);
  expect(output.trim()).toBe(
    `Port ${port} on localhost is in use: stop the program that has it, or choose another with PORT=${port + 1}.`,
  );
});

test("2. a wrong variable", async () => {
  const { code, output } = await run(["scripts/start.ts"], { env: { SITE_ORIGIN: "docs.example.com" } });
  expect(code).toBe(1);
  expect(output).toMatch(/^The environment is not right: SITE_ORIGIN: .+\.\n$/);
});

test(
  "3. a page with a mistake: file, line, the corrected snippet, and nothing is built",
  { timeout: 60_000 },
  async () => {
    const copy = copyRepository({ withPackages: true });
    const file = join(copy, "content/docs/faq.mdx");
    writeFileSync(file, readFileSync(file, "utf8").replace(/^title: .*$/m, "titel: FAQs"));
    const { code, output } = await run([join(copy, "scripts/start.ts")], { cwd: copy });
    expect(code).toBe(1);
    expect(output).toMatch(/content\/docs\/faq\.mdx:\d+ .*title/);
    expect(output).not.toMatch(/^\s+at /m);
    expect(existsSync(join(copy, "build/content"))).toBe(false);
  },
);

test.skipIf(process.platform !== "linux")(
  "4. a disk that cannot be written",
  { timeout: 60_000 },
  async () => {
    const { code, output } = await run(["scripts/start.ts"], { env: { BUILD_DIR: "/sys/millrace" } });
    expect(code).toBe(1);
    expect(output).toMatch(/\/sys\/millrace.* cannot be written: make it writable/);
  },
);

test("5. no network while packages are missing", { timeout: 60_000 }, async () => {
  const copy = copyRepository({ withPackages: false });
  const { code, output } = await run(["scripts/start.mjs"], {
    cwd: copy,
    env: { npm_config_registry: "http://127.0.0.1:9/", npm_config_cache: join(copy, "empty-cache") },
  });
  expect(code).toBe(1);
  expect(output).toContain("the npm registry cannot be reached: check the network");
  expect(existsSync(join(copy, "node_modules/.millrace-lock"))).toBe(false);
  expect(existsSync(join(copy, "build"))).toBe(false);
});

test("6. a Node.js that is too old", async () => {
  const old = "data:text/javascript,Object.defineProperty(process.versions,'node',{value:'18.20.0'})";
  const { code, output } = await run(["--import", old, "scripts/start.mjs"]);
  expect(code).toBe(1);
  expect(output.trim()).toBe(
    "Node.js 18.20.0 is too old: install Node.js 20.19 or newer and run the command again.",
  );
});
