/**
 * The CLI and Docker's command line, with real builders and as much of Docker's engine as takes an image:
 *
 * 1. `--load` hands the image to Docker; without a Docker that answers, it says so, and the build has failed.
 * 2. After `configure-docker`, `docker build` and `docker buildx build` build on the project's builder and load their
 *    image, other commands are Docker's own; without the CLI Docker builds as before, and `--uninstall` restores
 *    everything.
 * 3. `--lint` annotates what BuildKit and hadolint find, at its place in the file.
 */
import { mkdirSync, readFileSync, readlinkSync, renameSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { collect } from "../cli-process.ts";
import { type DockerEngine, startDockerEngine } from "../pages/docker-engine.ts";
import { findDocker, findHadolint } from "../registry/tools.ts";
import { BUILD_MS, idOf, openCliStage } from "./cli-stage.ts";

const [docker, hadolint] = [await findDocker(), await findHadolint()];
const stage = docker ? await openCliStage() : null;
const engine: DockerEngine | null = stage ? await startDockerEngine(stage.folder) : null;
afterAll(async () => {
  await engine?.close();
  await stage?.close();
}, BUILD_MS);

describe("Docker", { timeout: BUILD_MS }, () => {
  if (!stage || !engine) return void test.skip("without its programs");
  const { buildx, image, main, home, work, folder, write, dockerfile, millrace, read, nothingLeft } = stage;
  const { MILLRACE_BUILDX: _, ...env } = stage.env;
  const systemPath = process.env["PATH"] ?? "";

  const readIds = async () => (await millrace("builds list --output json")).stdout.match(/bld_[0-9a-z]{10}/g);

  test("1. --load", async () => {
    write("Dockerfile", dockerfile("RUN echo loaded"));
    const loaded = await millrace("build -t shop:1 --load --progress plain .", { DOCKER_HOST: engine.host });
    expect(loaded.code, loaded.stderr).toBe(0);
    expect(engine.loaded.splice(0)).toEqual(["docker.io/library/shop:1"]);
    const without = await millrace("build -t shop:1 --load .", { DOCKER_HOST: `unix://${folder}/none` });
    expect(without.code).toBe(1);
    expect(without.stderr).toContain(`Docker does not respond at unix://${folder}/none`);
    expect(await readIds()).toEqual([idOf(loaded.stderr)]);
    nothingLeft();
  });

  test("2. docker build", async () => {
    const plugins = join(home, ".docker/cli-plugins");
    mkdirSync(plugins);
    symlinkSync(buildx, join(plugins, "docker-buildx"));
    const withDocker = { ...env, DOCKER_HOST: engine.host, PATH: `${dirname(docker!)}:${systemPath}` };
    const run = (args: string) => collect(docker!, args.split(" "), { env: withDocker, cwd: work });
    const configured = await millrace("configure-docker", { MILLRACE_BUILDX: "" });
    expect(configured.stdout).toContain("Installed the Docker CLI plugin\n");
    for (const command of ["build", "buildx build", "buildx bake"]) {
      write("docker-bake.hcl", 'target "default" {\n  tags = ["shop:2"]\n}\n');
      const built = await run(
        `${command} --progress plain ${command === "buildx bake" ? "" : "-t shop:2 ."}`.trim(),
      );
      expect(built.code, built.stderr).toBe(0);
      expect(await read(idOf(built.stderr))).toMatchObject({ state: "succeeded", project: "hello" });
      expect(engine.loaded.splice(0)).toEqual(["docker.io/library/shop:2"]);
    }
    expect((await run("buildx version")).stdout).toMatch(/github\.com\/docker\/buildx/);
    // Docker's own builder runs, and there is no engine.
    renameSync(main, `${main}.gone`);
    withDocker.DOCKER_HOST = `unix://${folder}/none`;
    const gone = await run("build --progress plain .");
    renameSync(`${main}.gone`, main);
    expect([gone.code, gone.stderr]).toEqual([1, expect.stringMatching(/^(?!.*bld_).*Cannot connect/s)]);
    expect((await millrace("configure-docker --uninstall")).code).toBe(0);
    expect(readlinkSync(join(plugins, "docker-buildx"))).toBe(buildx);
    expect(JSON.parse(readFileSync(join(home, ".docker/config.json"), "utf8"))).toEqual({});
    nothingLeft();
  });

  test.skipIf(!hadolint)("3. --lint", async () => {
    // hadolint cannot read an image of localhost.
    const lines = ["FROM base:1", "ENV API_TOKEN=x", "ADD name.txt /name.txt", "RUN cd /tmp && ls"];
    write("service/Dockerfile", `${lines.join("\n")}\n`);
    write("service/name.txt", "");
    const base = `docker-image://${image}:base`;
    write(
      "lint.hcl",
      `target "default" {\n  context = "service"\n  contexts = { "base:1" = "${base}" }\n}\n`,
    );
    const more = { GITHUB_ACTIONS: "true", PATH: `${hadolint}:${systemPath}` };
    for (const command of [
      `build --lint --build-context base:1=${base} service`,
      "bake --lint -f lint.hcl",
    ]) {
      const found = await millrace(command, more);
      expect(found.code).toBe(1);
      expect(
        found.stdout
          .trim()
          .split("\n")
          .map((line) => line.replace(/::[^:]*$/, "")),
      ).toEqual([
        "::warning file=service/Dockerfile,line=2,title=SecretsUsedInArgOrEnv",
        "::warning file=service/Dockerfile,line=2,title=DL3064",
        "::warning file=service/Dockerfile,line=3,title=DL3020",
        "::warning file=service/Dockerfile,line=4,title=DL3003",
      ]);
      expect(found.stderr).toContain(
        "DL3003 - https://github.com/hadolint/hadolint/wiki/DL3003\nUse WORKDIR to switch",
      );
    }
    nothingLeft();
  });
});
