/**
 * The programs of the API's tutorial, as the page has them, with a stock `buildctl`:
 *
 * 1. The first program builds, pushes and reports: the build has succeeded, with its five steps, its image and its digest.
 * 2. A second run finds every step in the layer cache.
 * 3. The second program prints the log, with the steps that were cached.
 * 4. A step that fails: the build has failed with its exit code, its error says which command it was, and the lines of the
 *    Dockerfile around it are kept.
 * 5. A stream of the build reports its beginning and its end; a build that is canceled while it runs ends its client.
 * 6. A build argument that looks like a secret is masked in the log that a step wrote it to, and in the build's
 *    sources.
 * 7. The layer cache has a size, and a reset frees it.
 */
import { execFile, spawn } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findBuildKit, findCrane } from "../registry/tools.ts";
import { type BaseImage, writeBaseImage } from "./base-image.ts";
import { type BuildServer, startBuildServer } from "./build-server.ts";
import { openTutorial, type Tutorial, TUTORIAL_PAGE } from "./tutorial-stage.ts";

const BUILD_MS = 180_000;

const programs = await findBuildKit();
const crane = await findCrane();
const work = await mkdtemp(join(tmpdir(), "tutorial-"));
const base: BaseImage | null = programs && crane ? await writeBaseImage(join(work, "base")) : null;

interface Ran {
  code: number;
  output: string;
}

afterAll(() => rm(work, { recursive: true, force: true }));

describe.runIf(base)("the tutorial", () => {
  let server: BuildServer;
  let project: Tutorial["project"];
  let env: NodeJS.ProcessEnv;
  let image: string;

  beforeAll(async () => {
    if (!programs || !crane || !base) return;
    server = await startBuildServer();
    ({ project, env, image } = await openTutorial(server, { work, programs, crane, base }));
    const page = await readFile(TUTORIAL_PAGE, "utf8");
    for (const name of ["build.mjs", "logs.mjs"]) await writeFile(join(work, name), programOf(page, name));
    await writeContext();
  }, BUILD_MS);
  afterAll(() => server?.close());

  async function writeContext(command = "echo installed", before: readonly string[] = []) {
    await mkdir(join(work, "context"), { recursive: true });
    const lines = [
      `FROM ${image}`,
      "WORKDIR /app",
      "COPY requirements.txt ./",
      ...before,
      `RUN ${command}`,
      "COPY app.py ./",
    ];
    await writeFile(join(work, "context/Dockerfile"), `${lines.join("\n")}\n`);
    await writeFile(join(work, "context/requirements.txt"), "flask==3.1.2\n");
    await writeFile(join(work, "context/app.py"), "print('hi')\n");
  }
  const build = () => run(process.execPath, [join(work, "build.mjs"), join(work, "context")], env);
  const idOf = ({ output }: Ran) => /bld_[0-9a-z]{10}/.exec(output)?.[0] ?? output;
  const read = async (id: string) =>
    (await server.call("BuildService/GetBuild", { build_id: id }, project.token)).body.build;

  test(
    "1. to 3. build, build again, read the log",
    async () => {
      const first = await build();
      expect(`${first.output}\n${server.logged.join("\n")}`).toContain("succeeded");
      const built = await read(idOf(first));
      expect(built).toMatchObject({
        state: "succeeded",
        steps_total: 5,
        steps_cached: 0,
        steps_done: 5,
        image: `${image.replace(":base", "")}:${built.id}`,
        digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
        labels: { program: "build.mjs" },
        platforms: ["linux/amd64"],
      });
      const second = await build();
      expect(await read(idOf(second))).toMatchObject({ state: "succeeded", steps_total: 5, steps_cached: 5 });
      const log = await run(process.execPath, [join(work, "logs.mjs"), idOf(second)], env);
      expect(log.output).toMatch(/^#\d+ \[2\/5\] WORKDIR \/app$/m);
      expect(log.output).toMatch(/^#\d+ CACHED$/m);
      expect(log.code).toBe(0);
    },
    BUILD_MS,
  );

  test(
    "4. a step that fails",
    async () => {
      await writeContext("echo broken && exit 3");
      const ran = await build();
      expect(ran.code).toBe(1);
      const failed = await read(idOf(ran));
      expect(failed).toMatchObject({ state: "failed", error: expect.stringContaining("exit 3") });
      expect(failed.steps.find(({ state }: { state: string }) => state === "failed")).toMatchObject({
        exit_code: 3,
        name: expect.stringContaining("RUN echo broken"),
      });
      expect(failed.source).toEqual({
        file: "Dockerfile",
        first_line: 2,
        lines: ["WORKDIR /app", "COPY requirements.txt ./", "RUN echo broken && exit 3", "COPY app.py ./"],
        failed_from: 4,
        failed_to: 4,
      });
    },
    BUILD_MS,
  );

  test(
    "5. canceled while it runs",
    async () => {
      await writeContext("echo it-runs && sleep 300");
      const child = spawn(process.execPath, [join(work, "build.mjs"), join(work, "context")], { env });
      let output = "";
      const ended = new Promise((resolve) => child.once("exit", resolve));
      const begun = new Promise<void>((resolve) => {
        const hear = (chunk: Buffer) => {
          output += chunk.toString();
          if (/it-runs$/m.test(output)) resolve();
        };
        child.stdout.on("data", hear);
        child.stderr.on("data", hear);
      });
      await Promise.race([begun, ended]);
      const id = idOf({ output, code: 0 });
      const { body } = await server.call("BuildService/CancelBuild", { build_id: id });
      expect(body.build).toMatchObject({ state: "canceled", canceled_by: expect.any(String) });
      expect(await ended).toBe(1);
      const states = body.build.steps.map(({ state }: { state: string }) => state);
      expect(states).not.toContain("running");
    },
    BUILD_MS,
  );

  test(
    "6. a build argument that is secret",
    async () => {
      const secret = "npm-value-0123456789";
      await writeContext("echo got $NPM_TOKEN for $NODE_ENV", ["ARG NPM_TOKEN", "ARG NODE_ENV"]);
      const page = await readFile(join(work, "build.mjs"), "utf8");
      const options = [`NPM_TOKEN=${secret}`, "NODE_ENV=test"].map((each) => `"--opt=build-arg:${each}", `);
      const last = '"--progress=plain"';
      await writeFile(join(work, "arguments.mjs"), page.replace(last, `${options.join("")}${last}`));
      const ran = await run(process.execPath, [join(work, "arguments.mjs"), join(work, "context")], env);
      // The client prints what its step printed.
      expect(ran.output).toContain(`got ${secret} for test`);
      const built = await read(idOf(ran));
      expect(built).toMatchObject({
        state: "succeeded",
        inputs: { frontend: "dockerfile.v0", arguments: { NPM_TOKEN: "***", NODE_ENV: "test" } },
      });
      const log = await run(process.execPath, [join(work, "logs.mjs"), idOf(ran)], env);
      expect(log.output).toContain("got *** for test");
      expect(log.output + JSON.stringify(built)).not.toContain(secret);
    },
    BUILD_MS,
  );

  test(
    "7. the layer cache",
    async () => {
      const { body } = await server.call(
        "ProjectService/GetCacheUsage",
        { project_id: project.id },
        project.token,
      );
      expect(Number(body.caches[0].size_bytes)).toBeGreaterThan(100_000);
      const reset = await server.call("ProjectService/ResetCache", { project_id: project.id }, project.token);
      expect(Number(reset.body.freed_bytes)).toBeGreaterThan(100_000);
    },
    BUILD_MS,
  );
});

function programOf(page: string, name: string): string {
  const fence = "```";
  const [, text] = new RegExp(`${fence}js title="${name}"\\n([\\s\\S]*?)\\n${fence}`).exec(page) ?? [];
  if (text === undefined) throw new Error(`The tutorial has no ${name}.`);
  return text;
}

function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<Ran> {
  return new Promise((resolve) =>
    execFile(program, args, { env, timeout: BUILD_MS }, (error, out, told) =>
      resolve({ code: error ? Number(error.code) || 1 : 0, output: `${out}${told}` }),
    ),
  );
}
