/**
 * Turborepo, as its page says:
 *
 * 1. A build fills the cache; with an emptied local cache the next one replays every task from it.
 * 2. Without the server, with a wrong token and with a project's token it builds and says why nothing came.
 * 3. An entry that may not be stored, is damaged or is cut off costs a build and never gives a wrong result.
 * 4. Jobs of a pull request replay entries of the main branch and their own; no one else gets theirs.
 * 5. The reason for a miss names the task, although no request has its name.
 */
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { makeText, TOO_LARGE_BYTES, TOOL_MS, useCacheStage } from "./cache-stage.ts";
import { type Job, pullRequestJob, readingJob, trustedJob } from "./job-tokens.ts";
import { findTurbo } from "./tools.ts";

const turbo = await findTurbo();
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
    return run([join(turbo ?? "", "turbo"), "run", "build"], {
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

  test("a damaged entry is a miss, and the build repairs it", async () => {
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

  test("a pull request's jobs have an overlay, which no one else reads", async () => {
    const { startJob, write, tokens } = stage();
    const buildIn = async (job: Job) => (await build(await startJob(job))).output;
    await write({ "packages/ui/data.txt": "of main" });
    expect(await buildIn(trustedJob)).toMatch(MISS);
    expect(await buildIn(pullRequestJob(7))).toMatch(HIT);
    expect(built()).toBe("of main");

    await write({ "packages/ui/data.txt": "of the pull request" });
    expect(await buildIn(pullRequestJob(7))).toMatch(MISS);
    expect(await buildIn(pullRequestJob(7))).toMatch(HIT);
    expect(built()).toBe("of the pull request");
    expect((await build(tokens.readOnly)).output).toMatch(MISS);
    expect(await buildIn(readingJob)).toMatch(MISS);
    expect(await buildIn(pullRequestJob(8))).toMatch(MISS);
    expect(await buildIn(trustedJob)).toMatch(MISS);
    expect(await buildIn(readingJob)).toMatch(HIT);
  });

  test("a job that may read only replays, and says that it stored nothing", async () => {
    const { startJob, write } = stage();
    await write({ "packages/ui/data.txt": "of main" });
    await build(await startJob(trustedJob));
    expect((await build(await startJob(readingJob))).output).toMatch(HIT);
    await write({ "packages/ui/data.txt": "of a job that reads" });
    for (const _ of [1, 2]) {
      const { code, output } = await build(await startJob(readingJob));
      expect(output).toContain(
        "this token may read only: the trust relationship of this job has the cache right",
      );
      expect(output).toMatch(MISS);
      expect(code).toBe(0);
    }
  });

  test("a miss is reported with its task, with the commit that had a result", async () => {
    const { startJob, write, findMiss } = stage();
    const [one, other] = ["1".repeat(40), "2".repeat(40)];
    for (const sha of [one, other]) {
      await write({ "packages/ui/data.txt": sha });
      expect((await build(await startJob({ ...trustedJob, sha }))).output).toMatch(MISS);
    }
    const commits = [{ kind: "commit", name: "", before: one.slice(0, 12), after: other.slice(0, 12) }];
    const miss = await findMiss("turbo", ({ differences }) => differences[0]?.after === commits[0]?.after);
    expect(miss).toMatchObject({ reason: "changed", target: "packages/ui", mnemonic: "build" });
    expect(miss).toMatchObject({
      nearest_key: expect.stringMatching(/^turbo\/[0-9a-f]{16}$/),
      differences: commits,
    });
  });

  test("what is too large is not stored", async () => {
    await stage().write({ "packages/ui/data.txt": makeText(TOO_LARGE_BYTES, "large") });
    const { code, output } = await build(stage().tokens.organization);
    expect(output).toContain("413");
    expect(code).toBe(0);
    expect((await build(stage().tokens.organization)).output).toMatch(MISS);
  });
});
