/**
 * Gradle, as its page says:
 *
 * 1. A build fills the cache; with an emptied local cache the next one says `FROM-CACHE`.
 * 2. Without the server, with a wrong token and with a project's token it builds, and uses no remote cache in that build.
 * 3. An entry that may not be stored, is damaged or is cut off costs a build and never gives a wrong result.
 * 4. Jobs of a pull request take entries of the main branch and their own; no one else gets theirs.
 * 5. The reason for a miss names the task, although no request has its name.
 *
 * A task with 4.4.1 has its name on a line of its own, without the `> Task` of newer versions.
 */
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { makeText, TOO_LARGE_BYTES, TOOL_MS, useCacheStage } from "./cache-stage.ts";
import { pullRequestJob, readingJob, trustedJob } from "./job-tokens.ts";
import { testEvery } from "./every-case.ts";
import { findGradle } from "./tools.ts";

const gradle = await findGradle();
const HIT = /^:compileJava FROM-CACHE$/m;
const MISS = /^:compileJava *$/m;
const DISABLED = "The remote build cache was disabled during the build due to errors.";

const SOURCE = `class Shop { static final String DATA = "${makeText(40_000, "gradle")}"; }\n`;

/** A daemon keeps the environment in which it started, so the token comes as a property. */
const settingsFor = (origin: string) => `
rootProject.name = 'shop'
buildCache {
    local {
        enabled = true
    }
    remote(HttpBuildCache) {
        url = uri('${origin}/cache/gradle/')
        push = true
        credentials {
            username = 'x-token'
            password = startParameter.projectProperties['token']
        }
    }
}
`;

const LARGE_TASK = `
apply plugin: 'java'
@CacheableTask
class Large extends DefaultTask {
    @OutputFile File file
    @TaskAction void make() {
        def bytes = new byte[${TOO_LARGE_BYTES}]
        new Random(1).nextBytes(bytes)
        file.bytes = bytes
    }
}
task large(type: Large) { file = new File(buildDir, 'large.bin') }
compileJava.dependsOn large
`;

describe.skipIf(!gradle)("Gradle", { timeout: TOOL_MS }, () => {
  const stage = useCacheStage(({ write, origin }) =>
    write({
      "settings.gradle": settingsFor(origin),
      "gradle.properties": "org.gradle.caching=true\n",
    }),
  );
  const run = (...args: string[]) =>
    stage().run([gradle ?? "", "--console=plain", ...args], {
      env: { GRADLE_USER_HOME: join(stage().folder, ".gradle-home") },
    });
  const build = (token: string) => {
    stage().remove(".gradle", ".gradle-home/caches/build-cache-1");
    return run(`-Ptoken=${token}`, "clean", "compileJava");
  };
  beforeEach(() =>
    stage().write({ "build.gradle": "apply plugin: 'java'\n", "src/main/java/Shop.java": SOURCE }),
  );
  afterAll(async () => {
    if (gradle) await run("--stop");
  });

  test("the second build comes from the remote cache", async () => {
    const { organization } = stage().tokens;
    expect((await build(organization)).output).toMatch(MISS);
    const { code, output } = await build(organization);
    expect(output).toMatch(HIT);
    expect(output).toContain("1 from cache");
    expect(code).toBe(0);
  });

  testEvery("without the server it builds", async () => {
    await stage().proxy.goAway();
    const { code, output } = await build(stage().tokens.organization);
    expect(output).toMatch(MISS);
    expect(output).toContain("failed: Connection refused");
    expect(output).toContain(DISABLED);
    expect(code).toBe(0);
  });

  test("a wrong token and a project's switch the remote cache off for the build", async () => {
    const { wrong, project } = stage().tokens;
    for (const [token, status] of [
      [wrong, "401: Unauthorized"],
      [project, "403: Forbidden"],
    ] as const) {
      const { code, output } = await build(token);
      expect(output).toContain(`response status ${status}`);
      expect(output).toContain(DISABLED);
      expect(output).toMatch(MISS);
      expect(code).toBe(0);
    }
  });

  test("a pull request's jobs have an overlay; one that may read only stores nothing", async () => {
    const { startJob, write, tokens } = stage();
    const writeClass = (name: string) => write({ "src/main/java/Shop.java": `class Shop { ${name} it; }\n` });
    const pullRequest = await startJob(pullRequestJob(7));
    await writeClass("String");
    expect((await build(await startJob(trustedJob))).output).toMatch(MISS);
    expect((await build(pullRequest)).output).toMatch(HIT);

    await writeClass("Integer");
    expect((await build(pullRequest)).output).toMatch(MISS);
    expect((await build(await startJob(pullRequestJob(7)))).output).toMatch(HIT);
    expect((await build(await startJob(pullRequestJob(8)))).output).toMatch(MISS);
    const refused = await build(await startJob(readingJob));
    expect(refused.output).toContain("response status 403: Forbidden");
    expect(refused.output).toMatch(MISS);
    expect(refused.code).toBe(0);
    expect((await build(tokens.organization)).output).toMatch(MISS);
    expect((await build(await startJob(readingJob))).output).toMatch(HIT);
  });

  test("a miss is reported with its task", async () => {
    const { tokens, write, findMiss } = stage();
    for (const name of ["Long", "Short"]) {
      await write({ "src/main/java/Shop.java": `class Shop { ${name} it; }\n` });
      expect((await build(tokens.organization)).output).toMatch(MISS);
    }
    const miss = await findMiss("gradle", ({ reason }) => reason === "changed");
    expect(miss).toMatchObject({ target: ":compileJava", mnemonic: "JavaCompile" });
  });

  test("a damaged entry is a miss, and the build repairs it", async () => {
    const { tokens, damageEntries } = stage();
    expect(damageEntries()).toBeGreaterThan(0);
    const { code, output } = await build(tokens.organization);
    expect(output).toMatch(MISS);
    expect(code).toBe(0);
    expect((await build(tokens.organization)).output).toMatch(HIT);
  });

  testEvery("an answer that is cut off is a miss", async () => {
    const { tokens, proxy } = stage();
    proxy.cutAfter = 4000;
    const { code, output } = await build(tokens.organization);
    expect(proxy.cuts).toBeGreaterThan(0);
    expect(output).toContain("Premature end of Content-Length delimited message body");
    expect(output).toMatch(MISS);
    expect(code).toBe(0);
  });

  testEvery("what is too large is not stored, and switches the remote cache off for the build", async () => {
    await stage().write({ "build.gradle": LARGE_TASK });
    const { code, output } = await build(stage().tokens.organization);
    expect(output).toContain("response status 413: Payload Too Large");
    expect(output).toContain(DISABLED);
    expect(code).toBe(0);
  });
});
