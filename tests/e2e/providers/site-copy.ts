/**
 * The site with another configuration or other content, in its own process: a copy of the project with edited files,
 * as an operator or an author would edit them. Everything that they do not affect comes from the tests' own build.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, rename, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const COPIED = [
  "src",
  "scripts",
  "cli",
  "content",
  "public",
  "site.config.ts",
  "LICENSE",
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  "vite.config.ts",
  "react-router.config.ts",
];

export interface SiteCopy {
  origin: string;
  /** The output of the process. */
  output: () => string;
  close: () => Promise<void>;
}

/** Changes of `site.config.ts`: keys of `search`, and whole other values. */
interface ConfigChanges {
  search?: object;
  community?: object;
}

export interface SiteChanges extends ConfigChanges {
  /** Changes files of the copy before it is built. */
  edit?: (folder: string) => Promise<unknown>;
  /** The script to start. Default: `scripts/start.ts`. */
  script?: string;
}

export async function startSiteCopy(changes: SiteChanges, env: NodeJS.ProcessEnv = {}): Promise<SiteCopy> {
  const { edit, script = "scripts/start.ts", ...config } = changes;
  const folder = await mkdtemp(join(tmpdir(), "millrace-site-"));
  await copyProject(folder);
  if (Object.keys(config).length > 0) await configure(folder, config);
  await edit?.(folder);
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const site = startProcess(join(folder, script), {
    ...env,
    PORT: String(port),
    HOST: "localhost",
    SITE_ORIGIN: origin,
    BUILD_DIR: "build",
    DATA_DIR: join(folder, "data"),
  });
  await site.printed(/Millrace is at/);
  return {
    origin,
    output: site.output,
    async close() {
      await site.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function copyProject(folder: string): Promise<void> {
  await Promise.all(COPIED.map((name) => cp(join(root, name), join(folder, name), { recursive: true })));
  await cp(join(root, ".cache/test-build"), join(folder, "build"), { recursive: true });
  for (const name of ["node_modules", ".cache"]) await symlink(join(root, name), join(folder, name));
}

async function configure(folder: string, { search = {}, ...others }: ConfigChanges): Promise<void> {
  await rename(join(folder, "site.config.ts"), join(folder, "site.config.original.ts"));
  await writeFile(
    join(folder, "site.config.ts"),
    `import { siteConfig as original } from "./site.config.original.ts";
export const siteConfig: typeof original = {
  ...original,
  ...${JSON.stringify(others)},
  search: { ...original.search, ...${JSON.stringify(search)} },
};
`,
  );
}

export interface StartedProcess {
  output: () => string;
  /** Resolves when its output matches. @throws with its output when it ends before. */
  printed: (pattern: RegExp) => Promise<string>;
  stop: () => Promise<void>;
}

/** Runs a TypeScript file with this Node.js. */
export function startProcess(file: string, env: NodeJS.ProcessEnv): StartedProcess {
  const child: ChildProcess = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", file], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (output += String(chunk)));
  const exited = once(child, "exit");
  return {
    output: () => output,
    async printed(pattern) {
      for (;;) {
        const found = pattern.exec(output);
        if (found) return found[0];
        if (child.exitCode !== null || child.signalCode !== null)
          throw new Error(`${file} ended with code ${child.exitCode}:\n${output}`);
        await Promise.race([once(child.stdout!, "data"), exited]);
      }
    },
    async stop() {
      if (child.exitCode === null && child.signalCode === null) child.kill();
      await exited;
    },
  };
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "localhost");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("No port is free.");
  return address.port;
}
