/**
 * The files of CI providers on the pages of container builds: a shell runs their scripts with the variables of the
 * provider's machine, against a real server and a real builder.
 *
 * 1. Every script succeeds, every build of it succeeded, and its images are in the registry under their tags.
 * 2. No page with such a file is left out.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readShell } from "#docs/content/checks/shell-commands.ts";
import { shellSources } from "#docs/content/checks/shell-sources.ts";
import { restorePlaceholders } from "#docs/content/page/placeholders.ts";
import type { Sample } from "#docs/content/types.ts";
import { compileContent } from "../../../scripts/steps/content-step.ts";
import { type BaseImage, writeBaseImage } from "../builds/base-image.ts";
import { type BuildServer, OWNER_TOKEN, startBuildServer } from "../builds/build-server.ts";
import { buildCli, collect, makePlace } from "../cli-process.ts";
import { findBuildKit, findBuildx, findCrane } from "../registry/tools.ts";
import { noteRunsOf } from "./note-runs.ts";
import type { Change } from "./page-plan.ts";
import { PIPELINE_JOBS, type PipelineJob, PROGRAMS, RUN_WITH_PAGES } from "./pipeline-jobs.ts";

const JOB_MS = 180_000;
const PART = "/docs/container-builds/";
/** In the provider's own language, or as a script that a pipeline calls. */
const LANGUAGES = new Set(["yaml", "groovy", "bash"]);

const [programs, buildx, crane] = [await findBuildKit(), await findBuildx(), await findCrane()];
const place = makePlace();
// Layers need a disk whose files can be laid over each other.
const disk = mkdtempSync("/var/tmp/millrace-pipelines-");
const base: BaseImage | null = programs && crane && buildx ? await writeBaseImage(join(disk, "base")) : null;
const { pages } = await compileContent();
afterAll(() => {
  place.remove();
  rmSync(disk, { recursive: true, force: true });
});

/** By the page's path below `PART`. */
const scripts = new Map(
  pages
    .filter(({ path }) => path.startsWith(PART))
    .map(({ path, samples }) => [path.slice(PART.length), samples.filter(isPipeline)] as const)
    .filter(([, samples]) => samples.length > 0),
);

describe.runIf(base)("1. jobs", { timeout: JOB_MS }, () => {
  let server: BuildServer;
  let main: string;
  let repository: string;
  let project: string;
  /** The home of someone with a login for the registry. */
  let owner: string;

  beforeAll(async () => {
    process.env["BUILDKITD"] = join(programs!, "buildkitd");
    main = await buildCli(join(place.path, "package"));
    server = await startBuildServer({ folder: disk });
    ({ id: project } = (await server.call("ProjectService/Create", { name: "shop" })).body.project);
    const { organization } = (await server.call("AccountService/WhoAmI", {})).body;
    repository = `${new URL(server.origin).host}/${organization}/shop`;
    owner = place.home();
    await shell(owner, `crane auth login ${new URL(server.origin).host} -u x-token -p ${OWNER_TOKEN}`);
    await shell(owner, `crane push ${base!.folder} ${repository}:base`);
  }, JOB_MS);
  afterAll(() => server?.close(), JOB_MS);

  test.each(Object.entries(PIPELINE_JOBS))("%s", async (page, job) => {
    const home = place.home();
    const work = makeRepository(home);
    await shell(
      work,
      "git init -q && git -c user.name=a -c user.email=a@acme.example commit -q --allow-empty -m A",
      home,
    );
    const bin = join(home, "bin");
    mkdirSync(bin);
    const own = { ...PROGRAMS, millrace: `exec "${process.execPath}" "${main}" "$@"`, ...job.programs };
    for (const [name, text] of Object.entries(own))
      writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    const { body: before } = await listBuilds();
    let builds = -(job.leftOut ?? 0);
    const env = Object.fromEntries(Object.entries(job.env).map(([name, value]) => [name, fill(value)]));
    for (const script of scriptsOf(page, job)) {
      builds += readShell(script).commands.filter(isBuild).length;
      await shell(work, script, home, env);
    }
    const { body: after } = await listBuilds();
    const made = after.builds.slice(0, after.builds.length - before.builds.length);
    expect(made.map(({ state }: { state: string }) => state)).toEqual(Array(builds).fill("succeeded"));
    const tags = await shell(owner, `crane ls ${repository}`);
    expect(tags.split("\n")).toEqual(expect.arrayContaining([...job.tags]));
    noteRunsOf(
      "tests/clients/pages/pipelines.test.ts",
      pages.filter(({ path }) => path === PART + page),
    );
  });

  const listBuilds = () => server.call("BuildService/ListBuilds", { project_id: project, page_size: 100 });

  /** @returns the folder in which a job begins */
  function makeRepository(home: string): string {
    const work = join(home, "shop");
    for (const folder of [".", "api", "web", ".devcontainer"]) {
      mkdirSync(join(work, folder));
      writeFileSync(
        join(work, folder, "Dockerfile"),
        `FROM ${repository}:base\nCOPY Dockerfile /\nRUN cat /Dockerfile\n`,
      );
    }
    writeFileSync(join(work, "millrace.json"), JSON.stringify({ project }));
    return work;
  }

  /** @throws Error when there is nothing to change, so that no change outlives its text */
  function scriptsOf(page: string, { changes = [] }: PipelineJob): string[] {
    const found = new Set<Change>();
    const changed = (scripts.get(page) ?? []).map((sample) =>
      changes.reduce(
        (text, change) => {
          const [from, to] = change;
          const result = text.replaceAll(typeof from === "string" ? from : new RegExp(from, "gm"), () => to);
          if (result !== text) found.add(change);
          return result;
        },
        shellSources(sample)
          .map(({ text }) => text)
          .join("\n"),
      ),
    );
    expect([...found]).toEqual(changes);
    return changed.map(fill);
  }

  /** The content checks replace these placeholders with an address of their own. */
  function fill(text: string): string {
    const { host } = new URL(server.origin);
    return text
      .replaceAll(/localhost:3000|\{\{host\}\}/g, () => host)
      .replaceAll(`${host}/acme`, () => repository.slice(0, -"/shop".length))
      .replaceAll("{{token}}", () => OWNER_TOKEN);
  }

  /** @returns its output */
  async function shell(
    cwd: string,
    script: string,
    home = cwd,
    more: { [name: string]: string } = {},
  ): Promise<string> {
    const env = {
      PATH: [join(home, "bin"), join(crane!, ".."), process.env["PATH"]].join(":"),
      HOME: home,
      TMPDIR: home,
      MILLRACE_URL: server.origin,
      MILLRACE_TOKEN: OWNER_TOKEN,
      MILLRACE_BUILDX: buildx!,
      ...more,
    };
    const { code, stdout, stderr } = await collect("bash", ["--norc", "-euo", "pipefail", "-c", script], {
      env,
      cwd,
    });
    expect(code, `${script}\n${stdout}${stderr}\n${server.logged.join("\n")}`).toBe(0);
    return stdout;
  }
});

test("2. pages", () => {
  expect([...Object.keys(PIPELINE_JOBS), ...RUN_WITH_PAGES].toSorted()).toEqual(
    [...scripts.keys()].toSorted(),
  );
});

function isPipeline(sample: Sample): boolean {
  if (!LANGUAGES.has(sample.language) || sample.title === null) return false;
  return shellSources(sample).some(({ text }) => readShell(restorePlaceholders(text)).commands.some(isBuild));
}

function isBuild({ words }: { words: string[] }): boolean {
  const at = words.indexOf("millrace");
  return at >= 0 && /^(?:build|bake)$/.test(words[at + 1] ?? "");
}
