/**
 * The built CLI with Docker's own buildx, real builders and a base image of this machine:
 *
 * 1. The quickstart, as written: three builds, of which the second is CACHED and the third runs one step. `builds`
 *    shows them, and their logs.
 * 2. `--save-tag` keeps the image, in addition to an output of the user; its digest is the build's.
 * 3. A secret reaches its step, and is not in any log; the context is not sent again.
 * 4. A step that fails: exit code 1, and the server's own words in the last line. The checks refuse before anything runs.
 * 5. Ctrl-C while a step runs: the build is canceled on the server, and nothing is left here.
 * 6. Bake builds every target in its project, from HCL and from Compose.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { collect, runOnTerminal } from "../cli-process.ts";
import { BUILD_MS, idOf, openCliStage } from "./cli-stage.ts";

const stage = await openCliStage();
afterAll(() => stage?.close(), BUILD_MS);

describe("millrace build", { timeout: BUILD_MS }, () => {
  if (!stage) return void test.skip("without its programs");
  const { server, main, env, work, image, projects, write, dockerfile, millrace, read, nothingLeft } = stage;

  test("1. the quickstart", async () => {
    write("requirements.txt", "flask==3.1.2\n");
    write("app.py", "one\n");
    const lines = [
      "WORKDIR /app",
      "COPY requirements.txt ./",
      "RUN echo Successfully installed",
      "COPY app.py ./",
    ];
    write("Dockerfile", dockerfile(...lines));
    const first = await millrace("build -t hello --progress plain .");
    expect(first.code, `${first.stderr}\n${server.logged.join("\n")}`).toBe(0);
    expect(first.stderr).toMatch(/^#\d+ \[4\/5\] RUN echo Successfully installed$/m);
    expect(first.stderr).toMatch(/\nbld_[0-9a-z]{10} succeeded\n$/);
    const second = await millrace("build -t hello --progress plain .");
    expect(second.stderr.match(/^#\d+ CACHED$/gm)).toHaveLength(4);
    write("app.py", "two\n");
    const third = await millrace("build -t hello --progress plain .");
    const [, number] = /^#(\d+) \[5\/5\] COPY app.py/m.exec(third.stderr) ?? [];
    expect(third.stderr).toMatch(new RegExp(`^#${number} DONE`, "m"));
    expect(third.stderr.match(/^#\d+ CACHED$/gm)).toHaveLength(3);
    const list = (await millrace("builds list")).stdout.trim().split("\n");
    expect(list.slice(1).map((line) => line.split(/ {2,}/).slice(0, 3))).toEqual([
      [idOf(third.stderr), "succeeded", "4/5"],
      [idOf(second.stderr), "succeeded", "5/5"],
      [idOf(first.stderr), "succeeded", expect.stringMatching(/^[01]\/5$/)],
    ]);
    const log = await millrace(`builds logs ${idOf(second.stderr)}`);
    expect(log).toMatchObject({ code: 0, stdout: expect.stringMatching(/^#\d+ CACHED$/m) });
    expect((await millrace(`builds show ${idOf(third.stderr)}`)).stdout).toContain("[5/5] COPY app.py ./");
    nothingLeft();
  });

  test("2. saved", async () => {
    const ended = await millrace(
      "build -t other:1 -o type=oci,dest=image.tar --save-tag first --metadata-file m.json .",
    );
    expect(ended.code, ended.stderr).toBe(0);
    const id = idOf(ended.stderr);
    const { stdout } = await millrace("images list --output json");
    const saved = (JSON.parse(stdout) as { tags: string[]; digest: string }[]).find(({ tags }) =>
      tags.includes("first"),
    );
    expect(saved?.tags.toSorted()).toEqual([id, "first"].toSorted());
    expect(JSON.parse(readFileSync(join(work, "m.json"), "utf8"))).toMatchObject({ "millrace.build": id });
    expect(await read(id)).toMatchObject({
      state: "succeeded",
      digest: saved?.digest,
      image: `${image}:${id}`,
    });
    const archive = await collect("tar", ["-xOf", join(work, "image.tar"), "index.json"], { env: {} });
    expect(archive.stdout).toContain("docker.io/library/other:1");
    rmSync(join(work, "image.tar"));
  });

  test("3. a secret, and a large context once", async () => {
    write(
      "Dockerfile",
      dockerfile(
        "COPY . /src",
        "RUN --mount=type=secret,id=t,env=T test \"$T\" = 'tell no one' && echo used",
      ),
    );
    write("large.bin", "x".repeat(3_000_000));
    const options = "build --secret id=t,env=TOKEN --progress plain .";
    const first = await millrace(options, { TOKEN: "tell no one" });
    expect(first.code, first.stderr).toBe(0);
    expect(first.stderr).toMatch(/transferring context: 3\.\d+MB/);
    expect(first.stderr).not.toContain("tell no one\n");
    expect((await millrace(`builds logs ${idOf(first.stderr)}`)).stdout).not.toContain("TOKEN=");
    write("small.txt", "x");
    const second = await millrace(options, { TOKEN: "tell no one" });
    expect(second.stderr).not.toMatch(/transferring context: \d+\.\d+MB/);
    rmSync(join(work, "large.bin"));
  });

  test("4. a failure, and findings", async () => {
    write("Dockerfile", dockerfile("RUN echo before && exit 7"));
    const failed = await millrace("build --progress plain .");
    expect(failed.code).toBe(1);
    expect(failed.stderr.trimEnd().split("\n").at(-1)).toMatch(/^bld_[0-9a-z]{10} failed: .*exit 7/);
    write("Dockerfile", dockerfile("ENV API_TOKEN=x", "RUN true"));
    const found = await millrace("build --lint .");
    expect(found.code).toBe(1);
    expect(found.stderr).toMatch(/WARNING: SecretsUsedInArgOrEnv - https:.*\n.*API_TOKEN.*\nDockerfile:2\n/);
    expect(await read(idOf(found.stderr))).toMatchObject({ state: "failed" });
    nothingLeft();
  });

  test("5. Ctrl-C", async () => {
    write("Dockerfile", dockerfile("RUN echo begun && sleep 1000"));
    const child = spawn(process.execPath, [main, "build", "--progress", "plain", "."], {
      env: { PATH: process.env["PATH"], ...env },
      cwd: work,
    });
    let output = "";
    await new Promise<void>((resolve) => {
      child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
        output += chunk;
        if (/^#\d+ [\d.]+ begun$/m.test(output)) resolve();
      });
      child.on("close", () => resolve());
    });
    child.kill("SIGINT");
    const [code] = (await once(child, "close")) as [number];
    expect([code, output.trimEnd().split("\n").at(-1)]).toEqual([
      130,
      expect.stringMatching(/^bld_[0-9a-z]{10} canceled/),
    ]);
    expect(
      await read(idOf(output.split("\n").findLast((line) => line.startsWith("bld_")) ?? "")),
    ).toMatchObject({ state: "canceled" });
    nothingLeft();
  });

  test("6. bake", async () => {
    for (const name of ["base", "api", "web"]) write(`${name}/name.txt`, name);
    write("base/Dockerfile", dockerfile("COPY name.txt /base.txt"));
    write("api/Dockerfile", "FROM base\nCOPY name.txt /name.txt\nRUN cat /base.txt /name.txt\n");
    write("web/Dockerfile", dockerfile("COPY name.txt /name.txt"));
    write(
      "docker-bake.hcl",
      `group "default" {
  targets = ["api", "web"]
}
target "base" {
  context = "base"
}
target "api" {
  context  = "api"
  contexts = { base = "target:base" }
}
target "web" {
  project = "large"
  context = "web"
}
`,
    );
    const baked = await millrace("bake --save-tag 1.4 --metadata-file bake.json --progress plain");
    expect(baked.code, baked.stderr).toBe(0);
    expect(baked.stderr).toMatch(
      /\napi {2}bld_[0-9a-z]{10} succeeded\n\S+\/hello:api-1\.4\nweb {2}bld_[0-9a-z]{10} succeeded\n\S+\/large:web-1\.4\n$/,
    );
    const metadata = JSON.parse(readFileSync(join(work, "bake.json"), "utf8")) as {
      [name: string]: { [name: string]: string };
    };
    const ids = ["api", "web"].map((name) => metadata[name]?.["millrace.build"] ?? "");
    expect(await read(ids[0]!)).toMatchObject({
      project: "hello",
      labels: { target: "api" },
      digest: metadata["api"]?.["containerimage.digest"],
    });
    expect(await read(ids[1]!)).toMatchObject({ project: "large" });
    const seen = await runOnTerminal([process.execPath, main, "bake"], { env, cwd: work, columns: 60 });
    expect(seen.stdout).toMatch(/\[\+\] Building \d+\.\ds \(\d+\/\d+\)/);
    expect(seen.stdout).toMatch(/ => CACHED \[api 1\/3\] COPY name\.txt \/name\.txt +0\.0s/);
    expect(seen.stdout).toMatch(/api {2}bld_\w+ succeeded\r\nweb {2}bld_\w+ succeeded\r\n$/);
    write(
      "compose.yaml",
      `services:
  web:
    image: shop-web
    build:
      context: web
    x-millrace:
      project: ${projects.get("large")}
  db:
    image: postgres:17
`,
    );
    const composed = await millrace("bake -f compose.yaml --progress plain");
    expect(composed.code, composed.stderr).toBe(0);
    expect(
      await read(idOf(composed.stderr.split("\n").findLast((line) => line.startsWith("web ")) ?? "")),
    ).toMatchObject({ project: "large" });
    nothingLeft();
  });
});
