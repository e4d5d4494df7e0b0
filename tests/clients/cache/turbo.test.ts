/**
 * Turborepo, as its page tells:
 *
 * 1. A build fills the cache; with an emptied local cache the next one replays every task from it.
 * 2. Without the server, with a wrong token and with a project's token it builds and says why nothing came.
 * 3. What may not be stored, is damaged or is cut off costs a build and never gives a wrong result.
 */
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { makeText, TOO_LARGE_BYTES, TOOL_MS, useCacheStage } from "./cache-stage.ts";
import { installFromNpm } from "./install-tool.ts";

const turbo = await installFromNpm("turbo-2.11.11", ["turbo@2.11.11"]);
const DATA = makeText(60_000, "turbo");
const HIT = /ui:build: cache hit, replaying logs [0-9a-f]{16}/;
const MISS = /ui:build: cache miss, executing [0-9a-f]{16}/;

describe.skipIf(!turbo)("Turborepo", { timeout: TOOL_MS }, () => {
  const stage = useCacheStage(({ write }) =>
    write({
      "package.json": JSON.stringify({
        name: "shop",
        private: true,
        packageManager: "npm@10.8.2",
        workspaces: ["packages/*"],
      }),
      "package-lock.json": JSON.stringify({ name: "shop", lockfileVersion: 3, packages: {} }),
      "turbo.json": JSON.stringify({ tasks: { build: { outputs: ["dist/**"] } } }),
      "packages/ui/package.json": JSON.stringify({
        name: "ui",
        version: "1.0.0",
        scripts: { build: "mkdir -p dist && cp data.txt dist/data.txt" },
      }),
      "packages/ui/data.txt": DATA,
    }),
  );
  const build = (token: string) => {
    const { run, remove, origin, organization } = stage();
    remove(".turbo", "node_modules", "packages/ui/dist", "packages/ui/.turbo");
    return run([join(turbo ?? "", "node_modules/.bin/turbo"), "run", "build"], {
      env: {
        TURBO_API: `${origin}/cache/turbo`,
        TURBO_TEAM: organization,
        TURBO_TOKEN: token,
        TURBO_TELEMETRY_DISABLED: "1",
      },
    });
  };
  const built = () => stage().read("packages/ui/dist/data.txt");
  beforeEach(() => stage().write({ "packages/ui/data.txt": DATA }));

  test("the second build replays from the remote cache", async () => {
    const { tokens } = stage();
    expect((await build(tokens.organization)).output).toMatch(MISS);
    const { code, output } = await build(tokens.organization);
    expect(output).toContain("Remote caching enabled");
    expect(output).toMatch(HIT);
    expect(output).toContain(">>> FULL TURBO");
    expect(code).toBe(0);
    expect(built()).toBe(DATA);
  });

  test("without the server it builds", async () => {
    await stage().proxy.goAway();
    const { code, output } = await build(stage().tokens.organization);
    expect(output).toContain("Remote caching unavailable (Could not connect to");
    expect(output).toMatch(MISS);
    expect(code).toBe(0);
  });

  test("a wrong token and a project's are named, and it builds", async () => {
    const { wrong, project } = stage().tokens;
    for (const [token, reason] of [
      [wrong, "401 Unauthorized"],
      [project, "permission_denied: project tokens may not use the cache"],
    ] as const) {
      // oxlint-disable-next-line no-await-in-loop -- in the same folder
      const { code, output } = await build(token);
      expect(output).toContain("Remote caching unavailable (Authentication failed");
      expect(output).toContain(reason);
      expect(output).toMatch(MISS);
      expect(code).toBe(0);
    }
  });

  test("a read-only token replays, and says that it stored nothing", async () => {
    const { tokens, write } = stage();
    expect((await build(tokens.readOnly)).output).toMatch(HIT);
    await write({ "packages/ui/data.txt": "new" });
    const { code, output } = await build(tokens.readOnly);
    expect(output).toContain("permission_denied: this token may read only");
    expect(code).toBe(0);
  });

  test("a damaged entry is a miss, and the build mends it", async () => {
    const { tokens, damageEntries } = stage();
    expect(damageEntries()).toBeGreaterThan(0);
    expect((await build(tokens.organization)).output).toMatch(MISS);
    expect(built()).toBe(DATA);
    expect((await build(tokens.organization)).output).toMatch(HIT);
    expect(built()).toBe(DATA);
  });

  test("an answer that is cut off is a miss", async () => {
    const { tokens, proxy } = stage();
    proxy.cutAfter = 8000;
    const { code, output } = await build(tokens.organization);
    expect(proxy.cuts).toBeGreaterThan(0);
    expect(output).toMatch(MISS);
    expect(code).toBe(0);
    expect(built()).toBe(DATA);
  });

  test("what is too large is not stored", async () => {
    await stage().write({ "packages/ui/data.txt": makeText(TOO_LARGE_BYTES, "large") });
    const { code, output } = await build(stage().tokens.organization);
    expect(output).toContain("413");
    expect(code).toBe(0);
    expect((await build(stage().tokens.organization)).output).toMatch(MISS);
  });
});
