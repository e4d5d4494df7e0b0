/**
 * Why steps of real builds were not cached, as the server derives it from the records of a real `buildkitd`:
 *
 * 1. The first build has nothing before it. Steps from the cache are not misses.
 * 2. An edited instruction is named, and so is the default of an argument, also for the steps that build on it.
 * 3. A changed file is named, and so are a file whose permissions changed and a file that was added. Different times
 *    alone, as in a new checkout, change nothing.
 * 4. After a reset the layer of the first step that ran is known to be lost: no file differs.
 * 5. The critical path is a chain of steps that ran.
 */
import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findBuildKit, findCrane } from "../registry/tools.ts";
import { writeBaseImage } from "./base-image.ts";
import { type BuildServer, startBuildServer } from "./build-server.ts";
import { openTutorial, type Tutorial, TUTORIAL_PAGE } from "./tutorial-stage.ts";

const BUILD_MS = 180_000;

const [programs, crane] = [await findBuildKit(), await findCrane()];
const work = await mkdtemp(join(tmpdir(), "explain-"));
const base = programs && crane ? await writeBaseImage(join(work, "base")) : null;
afterAll(() => rm(work, { recursive: true, force: true }));

interface Step {
  id: string;
  name: string;
  cached?: boolean;
}

describe.runIf(base)("explanations", { timeout: BUILD_MS }, () => {
  let server: BuildServer;
  let env: NodeJS.ProcessEnv;
  let image = "";
  let project: Tutorial["project"];
  const context = join(work, "context");

  beforeAll(async () => {
    if (!programs || !crane || !base) return;
    server = await startBuildServer();
    ({ project, env, image } = await openTutorial(server, { work, programs, crane, base }));
    const page = await readFile(TUTORIAL_PAGE, "utf8");
    const program = /```js title="build.mjs"\n([\s\S]*?)\n```/.exec(page)?.[1] ?? "";
    await writeFile(join(work, "build.mjs"), program);
    await mkdir(join(context, "src"), { recursive: true });
    await writeFile(join(context, "list.txt"), "a");
    await writeFile(join(context, "src/a.txt"), "a");
  }, BUILD_MS);
  afterAll(() => server?.close());

  const run = (program: string, args: readonly string[]) =>
    new Promise<string>((resolve) =>
      execFile(program, args, { env, timeout: BUILD_MS }, (_, out, told) => resolve(`${out}${told}`)),
    );
  async function build({ install = "echo install", level = "1" } = {}) {
    const lines = [
      `FROM ${image}`,
      "COPY list.txt ./",
      `RUN ${install}`,
      `ARG LEVEL=${level}`,
      "RUN echo level $LEVEL",
      "COPY src ./src",
    ];
    await writeFile(join(context, "Dockerfile"), `${lines.join("\n")}\n`);
    const output = await run(process.execPath, [join(work, "build.mjs"), context]);
    const id = /bld_[0-9a-z]{10}/.exec(output)?.[0] ?? output;
    const { body } = await server.call("BuildService/GetBuild", { build_id: id });
    expect(body.build?.state, `${output}\n${server.logged.join("\n")}`).toBe("succeeded");
    const steps: Step[] = body.build.steps;
    const explain = async (named: string) => {
      const step = steps.find(({ name }) => name.includes(named));
      const request = { build_id: id, step_id: step?.id };
      return (await server.call("BuildService/ExplainStep", request)).body;
    };
    return { id, steps, path: body.build.critical_path as string[], explain };
  }

  test("1., 2. and 5. first, again, edited", async () => {
    const first = await build();
    expect((await first.explain("RUN echo install")).causes).toMatchObject([{ kind: "first" }]);
    const ran = first.steps.filter(({ cached }) => !cached).map(({ id }) => id);
    expect(first.path.length).toBeGreaterThan(2);
    expect(ran).toEqual(expect.arrayContaining(first.path));
    const again = await build();
    expect((await again.explain("RUN echo install")).summary).toBe("It came from the layer cache.");
    const edited = await build({ install: "echo install --all" });
    const { summary, compared_build_id: compared } = await edited.explain("RUN echo install");
    expect(summary).toBe("The instruction changed from `RUN echo install` to `RUN echo install --all`.");
    expect(compared).toBe(again.id);
    expect((await edited.explain("RUN echo level")).summary).toBe(
      "The instruction changed from `RUN echo install` to `RUN echo install --all` (it builds on `RUN echo install --all`).",
    );
    const raised = await build({ install: "echo install --all", level: "2" });
    expect((await raised.explain("RUN echo level")).causes).toMatchObject([
      { kind: "instruction", name: "LEVEL", before: "1", after: "2" },
    ]);
  });

  test("3. and 4. a file, a reset", async () => {
    await build();
    await writeFile(join(context, "src/a.txt"), "b");
    const changed = await build();
    expect((await changed.explain("RUN echo level")).summary).toBe("It came from the layer cache.");
    expect((await changed.explain("COPY src")).summary).toBe("The file `src/a.txt` changed.");
    const later = new Date(Date.now() + 60_000);
    for (const name of ["src/a.txt", "list.txt"]) await utimes(join(context, name), later, later);
    const touched = await build();
    expect((await touched.explain("COPY src")).summary).toBe("It came from the layer cache.");
    await chmod(join(context, "src/a.txt"), 0o755);
    const made = await build();
    expect((await made.explain("COPY src")).summary).toBe(
      "The permissions of `src/a.txt` changed from 0644 to 0755.",
    );
    await writeFile(join(context, "src/b.txt"), "new");
    const added = await build();
    expect((await added.explain("COPY src")).causes).toMatchObject([
      { kind: "file", name: "src/b.txt", before: "", after: "3 bytes" },
    ]);
    const reset = await server.call("ProjectService/ResetCache", { project_id: project.id });
    expect(Number(reset.body.freed_bytes)).toBeGreaterThan(0);
    const cold = await build();
    expect((await cold.explain("RUN echo install")).causes).toMatchObject([
      { kind: "lost", name: "COPY list.txt ./", after: expect.stringMatching(/^reset 2/) },
    ]);
  });
});
