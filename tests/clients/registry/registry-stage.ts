/** A registry with projects and tokens of all kinds, an image to push, and a home in which a client finds nothing of this machine. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { createProject, createToken } from "#accounts/index.ts";
import { makePerson, type TestPerson } from "#accounts/testing/accounts.ts";
import { openTestRegistry, type TestRegistry, type TestRegistryOptions } from "#registry/testing/registry.ts";
import type { Log } from "#platform/log/log.ts";
import type { Ran } from "../cache/cache-stage.ts";
import { writeLayout } from "./image-layout.ts";

export const TOOL_MS = 180_000;

export interface RegistryStage {
  registry: TestRegistry;
  /** `localhost:4711`, with which clients speak plain HTTP. */
  host: string;
  /** The client's folder; removed at the end. */
  folder: string;
  /**
   * `organization` has all rights in `acme/web` and `acme/api`, `project` in `acme/web`; `readOnly` and `puller` only
   * pull there; `stranger` is of `evil`.
   */
  tokens: Readonly<Record<"organization" | "readOnly" | "project" | "puller" | "stranger" | "wrong", string>>;
  /** The owner of `acme`. */
  owner: TestPerson;
  /** The folder of an image in OCI's layout with the tag `v1`. */
  layout: string;
  /** The digest of its manifest. */
  digest: string;
  /** A folder for `DOCKER_CONFIG`, in which this token was used to log in. */
  makeConfig: (token?: string) => string;
  run: (
    command: readonly string[],
    options?: { env?: Readonly<Record<string, string>>; input?: string },
  ) => Promise<Ran>;
}

const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {}, writes: () => false, flush() {} };

/** For a test file. @returns it, once the tests run */
export function useRegistryStage(makeOptions: () => TestRegistryOptions = () => ({})): () => RegistryStage {
  let stage: RegistryStage | undefined;
  beforeAll(async () => void (stage = await openStage(makeOptions())), TOOL_MS);
  afterAll(async () => {
    await stage?.registry.close();
    if (stage) rmSync(stage.folder, { recursive: true, force: true });
  });
  return () => {
    if (!stage) throw new Error("There is a stage only while tests run.");
    return stage;
  };
}

async function openStage(options: TestRegistryOptions): Promise<RegistryStage> {
  const registry = await openTestRegistry("sqlite", { isReachable: true, log: silentLog, ...options });
  const folder = realpathSync(await mkdtemp(join(tmpdir(), "registry-client-")));
  const home = join(folder, "home");
  mkdirSync(home);
  const layout = join(folder, "layout");
  const host = `localhost:${new URL(registry.url).port}`;
  let configs = 0;
  return {
    registry,
    host,
    folder,
    ...(await makePeople(registry)),
    layout,
    digest: writeLayout(layout),
    makeConfig(token) {
      const config = join(folder, `config-${(configs += 1)}`);
      mkdirSync(config);
      const auth = Buffer.from(`x-token:${token}`).toString("base64");
      const auths = token === undefined ? {} : { [host]: { auth } };
      writeFileSync(join(config, "config.json"), JSON.stringify({ auths }));
      return config;
    },
    run: (command, options) => runClient(command, { folder, home, ...options }),
  };
}

async function makePeople({ accounts }: TestRegistry): Promise<Pick<RegistryStage, "owner" | "tokens">> {
  const owner = await makePerson({ accounts }, "ada", { organization: "acme" });
  const stranger = await makePerson({ accounts }, "eve", { organization: "evil" });
  const { id: projectId } = await createProject(accounts, owner.caller, { name: "web" });
  await createProject(accounts, owner.caller, { name: "api" });
  const make = async ({ caller }: TestPerson, more: object) =>
    (await createToken(accounts, caller, { name: "a token", type: "org", ...more })).secret;
  const tokens = {
    organization: await make(owner, {}),
    readOnly: await make(owner, { readOnly: true }),
    project: await make(owner, { type: "project", projectId }),
    puller: await make(owner, { type: "project", projectId, readOnly: true }),
    stranger: await make(stranger, {}),
    wrong: `mr_org_${"w".repeat(43)}`,
  };
  return { owner, tokens };
}

interface RunOptions {
  folder: string;
  home: string;
  env?: Readonly<Record<string, string>>;
  input?: string;
}

async function runClient(
  [command = "", ...args]: readonly string[],
  { folder, home, env, input = "" }: RunOptions,
): Promise<Ran> {
  const child = spawn(command, args, {
    cwd: folder,
    env: { PATH: process.env["PATH"] ?? "", HOME: home, LANG: "C.UTF-8", TERM: "dumb", ...env },
    stdio: ["pipe", "pipe", "pipe"],
    timeout: TOOL_MS,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  // A client that reads nothing may have closed it.
  child.stdin.on("error", () => {}).end(input);
  // `close`: with all that it has printed.
  const [code] = (await once(child, "close")) as [number | null];
  return { code, output };
}
