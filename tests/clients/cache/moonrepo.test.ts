/**
 * moon, as its page says:
 *
 * 1. A run fills the cache; with an emptied local cache the next one takes every task from there.
 * 2. Without the server, with a wrong token and with a project's token it runs the tasks, and says why nothing came.
 * 3. An entry that may not be stored, is damaged or is cut off costs a run and never gives a wrong result.
 */
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { makeText, TOO_LARGE_BYTES, TOOL_MS, useCacheStage } from "./cache-stage.ts";
import { findMoon } from "./tools.ts";

const moon = await findMoon();
const DATA = makeText(60_000, "moon");
/** It prints the time only when it is not zero. */
const HIT = /web:build \(cached from remote, (?:\d+ms, )?[0-9a-f]{8}\)/;
const MISS = /web:build \(\d+ms, [0-9a-f]{8}\)/;

const workspaceFor = (host: string) => `
projects:
  - 'apps/*'
vcs:
  defaultBranch: 'main'
remote:
  host: 'grpc://${host}'
  auth:
    token: 'MILLRACE_TOKEN'
  cache:
    instanceName: 'moonrepo'
    compression: 'zstd'
`;

const TASKS = `
tasks:
  build:
    script: 'mkdir -p dist && cp src/data.txt dist/data.txt'
    inputs:
      - 'src/**/*'
    outputs:
      - 'dist'
`;

describe.skipIf(!moon)("moon", { timeout: TOOL_MS }, () => {
  const stage = useCacheStage(async ({ write, host, run }) => {
    await write({ ".moon/workspace.yml": workspaceFor(host), "apps/web/moon.yml": TASKS });
    await run(["git", "init", "--quiet", "--initial-branch=main"]);
    // It asks git for the changes since the last commit.
    const author = ["-c", "user.name=ada", "-c", "user.email=ada@acme.example"];
    await run(["git", ...author, "commit", "--quiet", "--allow-empty", "--message=Begin"]);
  });
  const build = (token: string) => {
    stage().remove(".moon/cache", "apps/web/dist");
    return stage().run([join(moon ?? "", "moon"), "run", ":build"], {
      env: { MILLRACE_TOKEN: token },
    });
  };
  const built = () => stage().read("apps/web/dist/data.txt");
  beforeEach(() => stage().write({ "apps/web/src/data.txt": DATA }));

  test("the second run comes from the remote cache", async () => {
    const { organization } = stage().tokens;
    expect((await build(organization)).output).toMatch(MISS);
    const { code, output } = await build(organization);
    expect(output).toMatch(HIT);
    expect(code).toBe(0);
    expect(built()).toBe(DATA);
  });

  test("without the server it runs the tasks", async () => {
    await stage().proxy.goAway();
    const { code, output } = await build(stage().tokens.organization);
    expect(output).toContain("Failed to connect to storage backend, disabling it");
    expect(output).toMatch(MISS);
    expect(code).toBe(0);
  });

  test("a wrong token and a project's are named, and it runs the tasks", async () => {
    const { wrong, project } = stage().tokens;
    for (const [token, reason] of [
      [wrong, "The request does not have valid authentication credentials"],
      [project, "project tokens may not use the cache"],
    ] as const) {
      const { code, output } = await build(token);
      expect(output).toContain(reason);
      expect(output).toMatch(MISS);
      expect(code).toBe(0);
    }
  });

  test("a damaged entry is a miss, and the run repairs it", async () => {
    const { tokens, damageEntries } = stage();
    expect(damageEntries()).toBeGreaterThan(0);
    const { code, output } = await build(tokens.organization);
    expect(output).toMatch(MISS);
    expect(code).toBe(0);
    expect(built()).toBe(DATA);
    expect((await build(tokens.organization)).output).toMatch(HIT);
    expect(built()).toBe(DATA);
  });

  test("an answer that is cut off is a miss", async () => {
    const { tokens, proxy } = stage();
    proxy.cutAfter = 4000;
    const { code, output } = await build(tokens.organization);
    expect(proxy.cuts).toBeGreaterThan(0);
    expect(output).toContain("Failed to retrieve blobs");
    expect(output).toMatch(MISS);
    expect(code).toBe(0);
    expect(built()).toBe(DATA);
  });

  test("what is too large is not stored", async () => {
    const { organization } = stage().tokens;
    await stage().write({ "apps/web/src/data.txt": makeText(TOO_LARGE_BYTES, "large") });
    const { code, output } = await build(organization);
    expect(output).toContain("Failed to store blobs, will skip caching the manifest");
    expect(output).toContain("an entry can have at most");
    expect(code).toBe(0);
    expect((await build(organization)).output).toMatch(MISS);
  });
});
