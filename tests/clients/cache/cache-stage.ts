/** The real server, tokens of all kinds, a proxy in front, and a folder in which a tool finds nothing of this machine. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createHash } from "node:crypto";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { startTestIssuer, type TestIssuer } from "#accounts/testing/issuer.ts";
import { OWNER_TOKEN, type RunningServer, startServer } from "../../attack/server-process.ts";
import { type CuttingProxy, startCuttingProxy } from "./cutting-proxy.ts";
import { type Call, type Job, startJob, trustIssuer } from "./job-tokens.ts";

const STAGE_MS = 300_000;
export const TOOL_MS = 180_000;

/** Limits the wait for a miss that never comes. */
const MISS_ROUNDS = 300;
const MISS_PAUSE_MS = 100;
const SMALLEST_QUOTA = "10MB";
/** An entry is never larger than its namespace may be. */
export const TOO_LARGE_BYTES = 14_000_000;

export interface Ran {
  code: number | null;
  /** Both streams, as a terminal shows them, without colours. */
  output: string;
}

export interface RunOptions {
  cwd?: string;
  env?: Readonly<Record<string, string>>;
  /** When it resolves, the command gets the signal of Ctrl-C. */
  stop?: Promise<unknown>;
}

export interface CacheStage extends AsyncDisposable {
  /** `127.0.0.1:4711`, the proxy's host. */
  host: string;
  origin: string;
  proxy: CuttingProxy;
  /** Empty at first. */
  folder: string;
  organization: string;
  tokens: { organization: string; readOnly: string; project: string; wrong: string };
  /** @returns the token of a new job, in exchange for the CI system's claims about it */
  startJob: (job: Job) => Promise<string>;
  /** Writes files below the folder. */
  write: (files: Readonly<Record<string, string>>) => Promise<void>;
  /** The content of a file below the folder. */
  read: (path: string) => string;
  /** Runs in the folder, with an empty home and hardly anything of this machine's environment. */
  run: (command: readonly string[], options?: RunOptions) => Promise<Ran>;
  /** Removes paths below the folder. */
  remove: (...paths: readonly string[]) => void;
  /** Changes a byte in every file of the blob store. @returns how many there were */
  damageEntries: () => number;
  /** The latest miss that fits, once there is one: they are written every few seconds. */
  findMiss: (tool: string, fits: (miss: Miss) => boolean) => Promise<Miss>;
  /** Empties a tool's namespace. */
  reset: (tool: string) => Promise<void>;
}

export async function openCacheStage(quota = SMALLEST_QUOTA): Promise<CacheStage> {
  const issuer = await startTestIssuer();
  const env = { MILLRACE_CACHE_QUOTA: quota, MILLRACE_OIDC_PRIVATE_ISSUERS: issuer.host };
  const server = await startServer({ env });
  return openStage(server, issuer).catch(async (error: unknown) => {
    await Promise.all([server.stop(), issuer.close()]);
    throw error;
  });
}

async function openStage(server: RunningServer, issuer: TestIssuer): Promise<CacheStage> {
  const proxy = await startCuttingProxy(server.port);
  const place = realpathSync(await mkdtemp(join(tmpdir(), "cache-client-")));
  const [folder, home] = [join(place, "shop"), join(place, "home")];
  for (const path of [folder, home]) mkdirSync(path);
  const call = createCaller(server);
  const { organization } = await call<{ organization: { name: string } }>("OrganizationService/Get", {});
  const { project } = await call<{ project: { id: string } }>("ProjectService/Create", { name: "shop" });
  await trustIssuer(call, issuer, project.id);
  const running = new Set<number>();
  return {
    host: `127.0.0.1:${proxy.port}`,
    origin: `http://127.0.0.1:${proxy.port}`,
    proxy,
    folder,
    organization: organization.name,
    tokens: await createTokens(call, project.id),
    startJob: (job) => startJob(call, { issuer, projectId: project.id, job }),
    async write(files) {
      for (const [path, text] of Object.entries(files)) {
        await mkdir(dirname(join(folder, path)), { recursive: true });
        await writeFile(join(folder, path), text);
      }
    },
    read: (path) => readFileSync(join(folder, path), "utf8"),
    run: (command, options = {}) => runTool(command, { folder, home, running, options }),
    remove(...paths) {
      for (const path of paths) rmSync(join(folder, path), { recursive: true, force: true });
    },
    damageEntries: () => damageFiles(join(server.dataDir, "blobs")),
    findMiss: (tool, fits) => findMiss(call, tool, fits),
    reset: async (tool) => void (await call("CacheService/Reset", { tool })),
    async [Symbol.asyncDispose]() {
      await proxy.goAway();
      for (const pid of running) killGroup(pid);
      await Promise.all([server.stop(), issuer.close()]);
      rmSync(place, { recursive: true, force: true });
    },
  };
}

/** For a test file: a stage with a project, whole again before each test. @returns it, once the tests run */
export function useCacheStage(
  prepare: (stage: CacheStage) => Promise<void>,
  quota?: string,
): () => CacheStage {
  let stage: CacheStage | undefined;
  const current = () => {
    if (!stage) throw new Error("There is a stage only while tests run.");
    return stage;
  };
  beforeAll(async () => {
    stage = await openCacheStage(quota);
    await prepare(stage);
  }, STAGE_MS);
  afterAll(() => stage?.[Symbol.asyncDispose]());
  beforeEach(async () => {
    current().proxy.cutAfter = null;
    await current().proxy.comeBack();
  });
  return current;
}

function createCaller({ port }: RunningServer): Call {
  return async (method, body) => {
    const response = await fetch(`http://127.0.0.1:${port}/api/millrace.v1.${method}`, {
      method: "POST",
      headers: { authorization: `Bearer ${OWNER_TOKEN}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${method}: ${response.status} ${await response.text()}`);
    return response.json();
  };
}

export interface Miss {
  key: string;
  reason: string;
  target: string;
  mnemonic: string;
  nearest_key: string;
  differences: { kind: string; name: string; before: string; after: string }[];
}

/** @throws Error when none comes */
async function findMiss(call: Call, tool: string, fits: (miss: Miss) => boolean): Promise<Miss> {
  for (let round = 0; round < MISS_ROUNDS; round += 1) {
    const { misses } = await call<{ misses: Miss[] }>("CacheService/ListMisses", { tool });
    const found = misses.find(fits);
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, MISS_PAUSE_MS));
  }
  throw new Error(`No miss of ${tool} fits.`);
}

async function createTokens(call: Call, projectId: string): Promise<CacheStage["tokens"]> {
  const create = async (body: object) =>
    (await call<{ secret: string }>("TokenService/Create", { name: "cache", type: "org", ...body })).secret;
  return {
    organization: await create({}),
    readOnly: await create({ read_only: true }),
    project: await create({ type: "project", project_id: projectId }),
    wrong: `mr_org_${"w".repeat(43)}`,
  };
}

/** A daemon that outlives its command keeps its group, so that the stage can end it. */
async function runTool(
  [command = "", ...args]: readonly string[],
  {
    folder,
    home,
    running,
    options,
  }: { folder: string; home: string; running: Set<number>; options: RunOptions },
): Promise<Ran> {
  const child = spawn(command, args, {
    cwd: options.cwd ?? folder,
    env: { PATH: process.env["PATH"] ?? "", HOME: home, LANG: "C.UTF-8", TERM: "dumb", ...options.env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  if (child.pid !== undefined) running.add(child.pid);
  void options.stop?.then(() => child.kill("SIGINT"));
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  // Daemons hold the streams open, so their end means nothing.
  const [code] = (await once(child, "exit")) as [number | null];
  await new Promise((resolve) => setImmediate(resolve));
  return { code, output: withoutColours(output) };
}

// oxlint-disable-next-line no-control-regex -- what terminals are told begins with one
const withoutColours = (text: string) => text.replaceAll(/\u001b\[[\d;?]*[A-Za-z]/g, "");

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // No process is left in it.
  }
}

function damageFiles(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  for (const { parentPath, name } of files) {
    const path = join(parentPath, name);
    const bytes = readFileSync(path);
    const middle = Math.floor(bytes.length / 2);
    bytes[middle] = (bytes[middle] ?? 0) ^ 0xff;
    writeFileSync(path, bytes);
  }
  return files.length;
}

/** Text that no compression makes small; always the same. */
export function makeText(bytes: number, seed: string): string {
  const parts: string[] = [];
  for (let length = 0; length < bytes;) {
    const part = createHash("sha512").update(`${seed} ${parts.length}`).digest("base64url");
    parts.push(part);
    length += part.length;
  }
  return parts.join("").slice(0, bytes);
}
