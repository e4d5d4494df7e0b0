/**
 * A failing command says in one sentence what is wrong and what to do, exits with 1, and leaves nothing half-written:
 * 1. the port is in use; 2. a variable is wrong; 3. a page has a mistake; 4. the disk is not writable;
 * 5. no network while packages are missing; 6. Node.js is too old.
 * An older Node.js hands over to a newer Node.js, which only a lock file can provide:
 * 7. it is fetched once, and no package script is run; 8. one with a wrong checksum stops the command and is not
 * run; 9. on a machine without an entry, the message says what to install; 10. a new Node.js fetches nothing.
 * 11. The lock files name a Node.js for each common machine, all of the same major or newer, and nothing else.
 */
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { copyRepository } from "./steps/copy-repository.ts";
import { root } from "#server/pages/build-folders.ts";

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
    `Port ${port} on localhost is in use: stop the program that uses it, or choose another with PORT=${port + 1}.`,
  );
});

test("2. a wrong variable", async () => {
  const { code, output } = await run(["scripts/start.ts"], { env: { SITE_ORIGIN: "docs.example.com" } });
  expect(code).toBe(1);
  expect(output).toMatch(/^The environment is invalid: SITE_ORIGIN: .+\.\n$/);
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
  const { code, output } = await run(["scripts/launch.mjs", "scripts/start.ts"], {
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
  const { code, output } = await run(["--import", old, "scripts/launch.mjs", "scripts/start.ts"]);
  expect(code).toBe(1);
  expect(output.trim()).toBe(
    "Node.js 18.20.0 is too old: install Node.js 20.19 or newer and run the command again.",
  );
});

/** For `--import`: makes a process believe that it is another Node.js on another machine. */
const pretend = (version: string, arch: string = process.arch) =>
  `data:text/javascript,Object.defineProperty(process.versions,'node',{value:'${version}'});` +
  `Object.defineProperty(process,'arch',{value:'${arch}'})`;

interface Registry {
  url: string;
  /** Integrity of the served package, in the lock file's form. */
  integrity: string;
  /** Integrity that the registry claims instead; a compromised registry claims the lock file's. */
  claimed: string;
  /** Requested paths. */
  asked: string[];
  close(): void;
}

/** A registry on this machine with one package, whose `bin/node` prints that it runs. */
async function startRegistry(name: string, version: string): Promise<Registry> {
  const folder = mkdtempSync(join(tmpdir(), "registry-"));
  mkdirSync(join(folder, "package/bin"), { recursive: true });
  const manifest = { name, version, bin: { node: "bin/node" }, scripts: { postinstall: "touch ran" } };
  writeFileSync(join(folder, "package/package.json"), JSON.stringify(manifest));
  writeFileSync(join(folder, "package/bin/node"), '#!/bin/sh\necho "handed over: $@"\n', { mode: 0o755 });
  spawnSync("tar", ["-czf", "package.tgz", "package"], { cwd: folder });
  const archive = readFileSync(join(folder, "package.tgz"));
  rmSync(folder, { recursive: true });
  const integrity = `sha512-${createHash("sha512").update(archive).digest("base64")}`;
  const registry: Registry = {
    url: "",
    integrity,
    claimed: integrity,
    asked: [],
    close: () => void server.close(),
  };
  const server = createHttpServer((request, response) => {
    registry.asked.push(request.url ?? "");
    if (request.url?.endsWith(".tgz")) return response.end(archive);
    const dist = {
      tarball: `http://${request.headers.host}/${name}/-/package.tgz`,
      integrity: registry.claimed,
    };
    return response.end(JSON.stringify({ name, versions: { [version]: { ...manifest, dist } } }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(registry, { url: `http://127.0.0.1:${port}/` });
}

/** A copy of the repository with its packages, and a function that runs its launcher with that registry. */
async function setUpRuntime(arch: string) {
  const copy = copyRepository({ withPackages: false });
  const lock = createHash("sha256").update(readFileSync(join(copy, "package-lock.json")));
  mkdirSync(join(copy, "node_modules"));
  writeFileSync(join(copy, "node_modules/.millrace-lock"), lock.digest("hex"));
  const folder = join(copy, `runtime/${process.platform}-${arch}`);
  const lockFile = join(folder, "package-lock.json");
  const [[name, version] = ["none", "0.0.0"]] = existsSync(folder)
    ? Object.entries(
        (
          JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
            dependencies: Record<string, string>;
          }
        ).dependencies,
      )
    : [];
  const registry = await startRegistry(name, version);
  return {
    folder,
    registry,
    /** The checksum in the lock file. */
    pinned: existsSync(lockFile) ? (/sha512-[\w+/=]+/.exec(readFileSync(lockFile, "utf8"))?.[0] ?? "") : "",
    /** Puts the registry's package into the lock file. */
    trust() {
      const text = readFileSync(lockFile, "utf8");
      writeFileSync(lockFile, text.replace(/sha512-[\w+/=]+/, registry.integrity));
    },
    start: (nodeVersion: string) =>
      run(["--import", pretend(nodeVersion, arch), "scripts/launch.mjs", "scripts/start.ts", "--flag"], {
        cwd: copy,
        env: { npm_config_registry: registry.url, npm_config_cache: join(copy, "empty-cache") },
      }),
  };
}

const isCommonLinux = process.platform === "linux" && ["x64", "arm64"].includes(process.arch);

test.skipIf(!isCommonLinux)("7. an older Node.js fetches a newer one once", { timeout: 60_000 }, async () => {
  const { folder, registry, trust, start } = await setUpRuntime(process.arch);
  trust();
  const first = await start("20.19.0");
  expect(first.output).toMatch(/node +installed in/);
  expect(first.output).toMatch(/handed over: .*scripts\/start\.ts --flag\n$/);
  expect(first.code).toBe(0);
  const requests = registry.asked.length;
  const second = await start("22.11.0");
  registry.close();
  expect([second.code, registry.asked.length]).toEqual([0, requests]);
  expect(second.output).toMatch(/^handed over: [^\n]+\n$/);
  const files = readdirSync(folder, { recursive: true }).map(String);
  expect(files.some((file) => file.endsWith("bin/node"))).toBe(true);
  expect(files.filter((file) => file.endsWith("ran"))).toEqual([]);
});

for (const isHidden of [false, true])
  test.skipIf(!isCommonLinux)(
    `8. another checksum stops the command${isHidden ? ", when the registry hides it, too" : ""}`,
    { timeout: 60_000 },
    async () => {
      const { folder, registry, pinned, start } = await setUpRuntime(process.arch);
      if (isHidden) registry.claimed = pinned;
      const { code, output } = await start("20.19.0");
      registry.close();
      expect(registry.asked.some((path) => path.endsWith(".tgz"))).toBe(isHidden);
      expect(code).toBe(1);
      expect(output).toContain(`does not match ${join(folder, "package-lock.json")}`);
      expect(output).toContain("its checksum is different. None of its code was run.");
      expect(output).not.toContain("handed over");
      expect(existsSync(join(folder, "node_modules/.millrace-lock"))).toBe(false);
    },
  );

test("9. a machine without a Node.js of its own in the lock files", async () => {
  const { registry, start } = await setUpRuntime("riscv64");
  const { code, output } = await start("20.19.0");
  registry.close();
  expect([code, registry.asked]).toEqual([1, []]);
  expect(output.trim()).toBe(
    `The project needs Node.js 24, this is 20.19.0, and the project cannot install one for ${process.platform}-riscv64: install Node.js 24 or newer and run the command again.`,
  );
});

test("10. a new Node.js fetches nothing and runs itself", async () => {
  const { folder, registry, start } = await setUpRuntime(process.arch);
  const { output } = await start("25.0.0");
  registry.close();
  // This Node.js itself ran the script, which does not find packages in the copy.
  expect(output).toContain("ERR_MODULE_NOT_FOUND");
  expect(registry.asked).toEqual([]);
  expect(existsSync(join(folder, "node_modules"))).toBe(false);
});

test("11. the lock files name one Node.js each, by its checksum", () => {
  const machines = ["darwin-arm64", "darwin-x64", "linux-arm64", "linux-x64", "win32-x64"];
  expect(readdirSync(join(root, "runtime")).sort()).toEqual(machines);
  for (const machine of machines) {
    const read = (name: string) =>
      JSON.parse(readFileSync(join(root, "runtime", machine, name), "utf8")) as Record<string, unknown>;
    const { dependencies } = read("package.json") as { dependencies: Record<string, string> };
    const [[name, version] = []] = Object.entries(dependencies);
    expect(Number(version?.split(".")[0]), machine).toBeGreaterThanOrEqual(24);
    const [, , ...rest] = Object.entries(read("package-lock.json")["packages"] as object);
    expect(rest).toEqual([]);
    const [os, cpu] = machine.split("-");
    expect(
      (read("package-lock.json")["packages"] as Record<string, object>)[`node_modules/${name}`],
    ).toMatchObject({
      version,
      integrity: expect.stringMatching(/^sha512-.{88}$/) as string,
      os,
      cpu,
    });
  }
  const lock = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Record<string, unknown>;
  expect(lock).not.toHaveProperty("allowScripts");
  expect(readFileSync(join(root, ".npmrc"), "utf8")).toContain("ignore-scripts=true");
});
