/**
 * Maven with the build cache extension, as its page says:
 *
 * 1. A build fills the cache; with an emptied local cache the next one restores the module instead of building it.
 * 2. Without the server, with a wrong token and with a project's token it builds.
 * 3. An entry that may not be stored, is damaged or is cut off costs a build and never gives a wrong result.
 */
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { makeText, TOO_LARGE_BYTES, TOOL_MS, useCacheStage } from "./cache-stage.ts";
import { testEvery } from "./every-case.ts";
import { findMaven, MAVEN_REPOSITORY, testedVersion } from "./tools.ts";

const EXTENSION = `<extensions>
  <extension>
    <groupId>org.apache.maven.extensions</groupId>
    <artifactId>maven-build-cache-extension</artifactId>
    <version>${testedVersion("maven", 1)}</version>
  </extension>
</extensions>`;
const SETTINGS = `<settings>
  <servers>
    <server>
      <id>millrace</id>
      <configuration>
        <httpHeaders>
          <property>
            <name>Authorization</name>
            <value>Bearer \${env.MILLRACE_TOKEN}</value>
          </property>
        </httpHeaders>
      </configuration>
    </server>
  </servers>
</settings>`;
const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>com.acme</groupId>
  <artifactId>basket</artifactId>
  <version>1.0</version>
  <properties>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
</project>`;

const configurationFor = (origin: string) => `<cache xmlns="http://maven.apache.org/BUILD-CACHE-CONFIG/1.2.0">
  <configuration>
    <enabled>true</enabled>
    <remote enabled="true" saveToRemote="false" id="millrace">
      <url>${origin}/cache/maven</url>
    </remote>
  </configuration>
  <input>
    <global>
      <glob>{*.java,*.xml,*.txt}</glob>
      <includes>
        <include>src/</include>
      </includes>
    </global>
  </input>
</cache>`;

const maven = await findMaven();

const DATA = makeText(60_000, "maven");
const HIT = /Found cached build, restoring com.acme:basket from cache by checksum [0-9a-f]+/;
const MISS = /Local build was not found by checksum [0-9a-f]+ for com.acme:basket/;
const PLAIN_MISS = "Cache item not found: ";
const ERROR = "[ERROR] Error downloading cache item: ";

describe.skipIf(!maven)("Maven", { timeout: TOOL_MS }, () => {
  const stage = useCacheStage(({ write, origin }) =>
    write({
      ".mvn/extensions.xml": EXTENSION,
      ".mvn/maven-build-cache-config.xml": configurationFor(origin),
      "settings.xml": SETTINGS,
      "pom.xml": POM,
    }),
  );
  const build = (token: string) => {
    const { run, remove, folder } = stage();
    remove("target", "build-cache");
    const options = [
      `-Dmaven.repo.local=${MAVEN_REPOSITORY}`,
      `-Dmaven.build.cache.location=${join(folder, "build-cache")}`,
      "-Dmaven.build.cache.remote.save.enabled=true",
      "-Dmaven.test.skip=true",
    ];
    return run([join(maven ?? "", "mvn"), "-B", "-ntp", "-s", "settings.xml", ...options, "package"], {
      // It starts faster.
      env: { MILLRACE_TOKEN: token, MAVEN_OPTS: "-XX:TieredStopAtLevel=1" },
    });
  };
  beforeEach(() => stage().write({ "src/main/resources/data.txt": DATA }));

  test("the second build comes from the remote cache", async () => {
    const { organization } = stage().tokens;
    const first = await build(organization);
    expect(first.output).toContain(PLAIN_MISS);
    expect(first.output).toMatch(MISS);
    expect(first.output).toMatch(/Saved to remote cache \S+\/basket\.jar/);
    const { code, output } = await build(organization);
    expect(output).toContain("Build info downloaded from remote repo");
    expect(output).toMatch(HIT);
    expect(output).toContain("Skipping plugin execution (cached): resources:resources");
    expect(code).toBe(0);
  });

  testEvery("without the server it builds", async () => {
    await stage().proxy.goAway();
    const { code, output } = await build(stage().tokens.organization);
    expect(output).toContain(ERROR);
    expect(output).toContain("Unable to save to remote cache");
    expect(output).toContain("failed: Connection refused");
    expect(output).toContain("BUILD SUCCESS");
    expect(code).toBe(0);
  });

  testEvery("a wrong token and a project's cost the cache and not the build", async () => {
    const { wrong, project } = stage().tokens;
    for (const [token, status] of [
      [wrong, "status code: 401"],
      [project, "status code: 403"],
    ] as const) {
      const { code, output } = await build(token);
      expect(output).toContain(ERROR);
      expect(output).toContain(status);
      expect(output).toContain("BUILD SUCCESS");
      expect(code).toBe(0);
    }
  });

  test("a damaged entry is a miss, and the build repairs it", async () => {
    const { tokens, damageEntries } = stage();
    expect(damageEntries()).toBeGreaterThan(0);
    const { code, output } = await build(tokens.organization);
    expect(output).toContain("BUILD SUCCESS");
    expect(output).not.toContain("Skipping plugin execution (cached): resources:resources");
    expect(code).toBe(0);
    expect((await build(tokens.organization)).output).toMatch(HIT);
  });

  testEvery("an answer that is cut off is a miss", async () => {
    const { tokens, proxy } = stage();
    proxy.cutAfter = 8000;
    const { code, output } = await build(tokens.organization);
    expect(proxy.cuts).toBeGreaterThan(0);
    expect(output).toContain(ERROR);
    expect(output).toContain("BUILD SUCCESS");
    expect(code).toBe(0);
  });

  testEvery("what is too large is not stored", async () => {
    await stage().write({ "src/main/resources/data.txt": makeText(TOO_LARGE_BYTES, "large") });
    const { code, output } = await build(stage().tokens.organization);
    expect(output).toContain("Unable to save to remote cache");
    expect(output).toContain("status code: 413");
    expect(output).toContain("BUILD SUCCESS");
    expect(code).toBe(0);
  });
});
