/**
 * Builds that do not succeed, by the built CLI with Docker's own buildx and real builders:
 *
 * 1. One target of a Bake file fails: the others are canceled, on the server too, and the command ends with 1.
 * 2. A target fails that another target builds on: both builds have failed, in the words of the step that did.
 * 3. A target's image is its own, whatever it builds on: its digest is that of the pushed image.
 * 4. The server is killed while a step runs: the command ends with 1 and says what happened; it leaves nothing behind.
 * 5. The Dockerfile of a base target is refused while another target runs: the build has failed, in the words of the
 *    refusal, and with the line of the file.
 * 6. Refusals of buildx itself are in the record as well.
 * 7. With `--quiet`, only a failure is reported: no note that the image stays where it is.
 * 8. Repeated Ctrl-C with many targets under way: buildx is not taken for a rapid reset, and the next build succeeds.
 */
import { fork, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { comesTrue } from "../../attack/processes.ts";
import { collect } from "../cli-process.ts";
import { findPort, OWNER_TOKEN } from "./build-server.ts";
import { BUILD_MS, idOf, openCliStage } from "./cli-stage.ts";

const stage = await openCliStage();
afterAll(() => stage?.close(), BUILD_MS);

describe("an end", { timeout: BUILD_MS }, () => {
  if (!stage) return void test.skip("without its programs");
  const { main, env, work, image, write, dockerfile, millrace, read, nothingLeft } = stage;
  const lineOf = (text: string, target: string) =>
    text.split("\n").findLast((line) => line.startsWith(`${target} `)) ?? "";

  test("1. one target fails", async () => {
    write("fails/Dockerfile", dockerfile("RUN echo broken && exit 3"));
    write("sleeps/Dockerfile", dockerfile("RUN echo begun && sleep 1000"));
    write("docker-bake.hcl", target("fails") + target("sleeps"));
    const baked = await millrace("bake --progress plain fails sleeps");
    expect(baked.code, baked.stderr).toBe(1);
    expect(baked.stderr).toMatch(/^#\d+ [\d.]+ broken$/m);
    expect(lineOf(baked.stderr, "fails ")).toMatch(/^fails +bld_\w+ failed: .*exit 3/);
    expect(lineOf(baked.stderr, "sleeps")).toMatch(/^sleeps +bld_\w+ canceled/);
    expect(await read(idOf(lineOf(baked.stderr, "fails ")))).toMatchObject({ state: "failed" });
    expect(await read(idOf(lineOf(baked.stderr, "sleeps")))).toMatchObject({ state: "canceled" });
    nothingLeft();
  });

  test("2. what others build on fails", async () => {
    write("base/Dockerfile", dockerfile("RUN echo base && exit 4"));
    write("web/Dockerfile", "FROM base\nRUN echo never\n");
    write("docker-bake.hcl", target("base") + target("web", 'contexts = { base = "target:base" }'));
    const baked = await millrace("bake --progress plain web");
    expect(baked.code).toBe(1);
    const last = baked.stderr.trimEnd().split("\n").at(-1) ?? "";
    expect(last).toMatch(/^web +bld_\w+ failed: .*exit 4/);
    expect(await read(idOf(last))).toMatchObject({ state: "failed", error: expect.stringMatching(/exit 4/) });
    nothingLeft();
  });

  test("3. what is pushed", async () => {
    write("base/Dockerfile", dockerfile("RUN echo base > /base.txt"));
    write("web/Dockerfile", dockerfile("COPY --from=base /base.txt /"));
    write("docker-bake.hcl", target("base") + target("web", 'contexts = { base = "target:base" }'));
    const config = join(work, "../crane");
    const { host } = new URL(env["MILLRACE_URL"]!);
    const login = ["auth", "login", host, "-u", "x-token", "-p", OWNER_TOKEN];
    await collect(stage.crane, login, { env: { DOCKER_CONFIG: config } });
    for (const flags of ["--save-tag one", "--save-tag two", "--no-cache --save-tag three"]) {
      const baked = await millrace(`bake --progress plain ${flags} web`);
      expect(baked.code, baked.stderr).toBe(0);
      const id = idOf(lineOf(baked.stderr, "web"));
      const pushed = await collect(stage.crane, ["digest", "--insecure", `${image}:${id}`], {
        env: { DOCKER_CONFIG: config },
      });
      expect(pushed.code, pushed.stderr).toBe(0);
      expect(await read(id)).toMatchObject({ digest: pushed.stdout.trim(), image: `${image}:${id}` });
    }
    nothingLeft();
  });

  test("5. what others build on is refused", async () => {
    write("refused/Dockerfile", dockerfile("BLUB x"));
    write("slow/Dockerfile", dockerfile("RUN sleep 1000"));
    write("web/Dockerfile", "FROM slow\nCOPY --from=refused / /refused\n");
    const contexts = 'contexts = { slow = "target:slow", refused = "target:refused" }';
    write("docker-bake.hcl", target("refused") + target("slow") + target("web", contexts));
    const baked = await millrace("bake --progress plain web");
    expect(baked.code).toBe(1);
    const error = "dockerfile parse error on line 2: unknown instruction: BLUB";
    const last = lineOf(baked.stderr, "web");
    expect(last).toBe(`web  ${idOf(last)} failed: ${error}`);
    expect(await read(idOf(last))).toMatchObject({
      state: "failed",
      error,
      source: { file: "Dockerfile", failed_from: 2 },
    });
    nothingLeft();
  });

  test("6. what is not there", async () => {
    write("docker-bake.hcl", target("nowhere"));
    const error = 'unable to prepare context: path "nowhere" not found';
    for (const command of ["bake --progress plain nowhere", "build --progress plain nowhere"]) {
      const ended = await millrace(command);
      expect(ended.code).toBe(1);
      expect(ended.stderr.trimEnd()).toMatch(new RegExp(`bld_\\w+ failed: ${error}$`));
      expect(await read(idOf(ended.stderr))).toMatchObject({ state: "failed", error });
    }
    nothingLeft();
  });

  test("7. quiet", async () => {
    write("works/Dockerfile", dockerfile("RUN echo works"));
    write("fails/Dockerfile", dockerfile("RUN echo broken && exit 3"));
    write("docker-bake.hcl", target("works") + target("fails"));
    for (const command of ["build --quiet works", "bake --progress quiet works"])
      expect(await millrace(command)).toMatchObject({ code: 0, stderr: "" });
    const told = await millrace("build --progress plain works");
    expect(told.stderr).toContain("No output specified with remote driver");
    const failed = await millrace("bake --progress quiet fails works");
    expect(lineOf(failed.stderr, "fails")).toMatch(/^fails +bld_\w+ failed: .*exit 3/);
    nothingLeft();
  });

  test("8. Ctrl-C, again and again", async () => {
    const names = Array.from({ length: 6 }, (_, at) => `stopped${at}`);
    for (const name of names) write(`${name}/Dockerfile`, dockerfile("RUN echo begun && sleep 1000"));
    write("works/Dockerfile", dockerfile("RUN echo works"));
    write("docker-bake.hcl", [...names, "works"].map((name) => target(name)).join(""));
    for (let time = 0; time < 3; time += 1) {
      const child = spawn(process.execPath, [main, "bake", "--progress", "plain", ...names], {
        env: { PATH: process.env["PATH"], ...env },
        cwd: work,
      });
      let output = "";
      child.stderr.setEncoding("utf8").on("data", (chunk: string) => (output += chunk));
      const ended = once(child, "close");
      const begun = () => /^#\d+ [\d.]+ begun$/m.test(output);
      expect(await comesTrue(begun, BUILD_MS / 4), output).toBe(true);
      child.kill("SIGINT");
      expect((await ended)[0], output).toBe(130);
      expect(output).not.toMatch(/goaway|enhance_your_calm|internal_error|rst_stream/i);
    }
    expect(await millrace("build --progress plain works")).toMatchObject({ code: 0 });
    nothingLeft();
  });

  test("4. the server is killed", async () => {
    const folder = mkdtempSync("/var/tmp/millrace-cli-killed-");
    const server = fork(join(import.meta.dirname, "build-process.ts"), [folder, String(await findPort())], {
      execArgv: ["--disable-warning=ExperimentalWarning"],
    });
    try {
      const [origin] = (await once(server, "message")) as [string];
      const own = { ...env, MILLRACE_URL: origin };
      const created = await millrace("projects create killed --output json", own);
      // Its registry has no base image: the context has a static program that sleeps.
      const { id } = JSON.parse(created.stdout) as { id: string };
      write(
        "killed/Dockerfile",
        'FROM scratch\nCOPY busybox /bin/busybox\nRUN ["/bin/busybox", "sleep", "1000"]\n',
      );
      const { stdout } = await collect("sh", ["-c", "cp $(command -v busybox) killed/busybox"], {
        cwd: work,
      });
      expect(stdout).toBe("");
      const child = spawn(process.execPath, [main, "build", "--progress", "plain", "killed"], {
        env: { PATH: process.env["PATH"], ...own, MILLRACE_PROJECT: id },
        cwd: work,
      });
      let output = "";
      const runs = new Promise<void>((resolve) =>
        child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
          output += chunk;
          if (/\] RUN \[.*sleep/.test(output)) resolve();
        }),
      );
      const ended = once(child, "close");
      await Promise.race([runs, ended]);
      server.kill("SIGKILL");
      const [code] = (await ended) as [number];
      expect([code, output]).toEqual([
        1,
        expect.stringMatching(/bld_\w+: could not report the result of the build to the server: /),
      ]);
      nothingLeft();
    } finally {
      server.kill("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

const target = (name: string, more = ""): string =>
  `target "${name}" {\n  context = "${name}"\n  ${more}\n}\n`;
