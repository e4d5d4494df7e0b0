/**
 * Pages are correct: their commands are run unchanged, from top to bottom, with the CLI that a real server provides, against that
 * server, which has the records of the samples. Each command ends as a reader expects, and prints the output below it.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ADMIN_KEY, startServer, type RunningServer } from "../../attack/server-process.ts";
import { collect, makePlace } from "../cli-process.ts";
import { writeLayout } from "../registry/image-layout.ts";
import { findBuildKit, findBuildx } from "../registry/tools.ts";
import { startTlsFront, type TlsFront } from "../registry/tls-front.ts";
import { type DockerEngine, startDockerEngine } from "./docker-engine.ts";
import { type DockerHub, startDockerHub } from "./docker-hub.ts";
import { escapePattern, findMissingLine } from "./expected-output.ts";
import { approveLogins } from "./approve-logins.ts";
import { noteRuns } from "./note-runs.ts";
import { applyChanges, type PagePlan, type StepPlan, type Trouble } from "./page-plan.ts";
import { PLANS } from "./page-plans.ts";
import { type PageStep, readProvedPages } from "./page-samples.ts";
import { resetSampleRecords, SAMPLE } from "./sample-records.ts";
import { writeStandIns } from "./stand-in-images.ts";
import { networkSettings, openShellSession } from "../shell-session.ts";

/** A tool's first build fetches what it needs. */
const COMMAND_MS = 180_000;
const PAGE_MS = 900_000;
const METRICS_TOKEN = "of-these-pages-0123456789";

const pages = await readProvedPages();
const place = makePlace();
/** Layers need a disk whose files can be laid over each other. */
const disk = mkdtempSync("/var/tmp/millrace-pages-");
const [buildKit, buildx] = [await findBuildKit(), await findBuildx()];
/** null where images cannot be built. */
const standIns = buildKit && buildx ? await writeStandIns(join(disk, "images")) : null;
let server: RunningServer;
/** Another registry, for pages that push to one. */
let elsewhere: RunningServer;
let hub: DockerHub;
let engine: DockerEngine;
let front: TlsFront;
let origin: string;
let bin: string;

beforeAll(async () => {
  bin = join(place.path, "cli", "bin");
  mkdirSync(bin, { recursive: true });
  // There is no browser here.
  writeFileSync(join(bin, "xdg-open"), "#!/bin/sh\n", { mode: 0o755 });
  hub = await startDockerHub(join(place.path, "hub"), standIns ?? undefined);
  engine = await startDockerEngine(place.path);
  const mirror = { MILLRACE_MIRROR_HOSTS: `docker.io=${hub.origin},ghcr.io,quay.io` };
  const builders = {
    MILLRACE_BUILD_CONTEXT_LIMIT: "32MB",
    ...(buildKit && { BUILDKITD: join(buildKit, "buildkitd") }),
  };
  server = await startServer({
    dataDir: join(disk, "data"),
    env: { SITE_ORIGIN: undefined, METRICS_TOKEN, ...mirror, ...builders },
  });
  elsewhere = await startServer({ env: { SITE_ORIGIN: undefined } });
  origin = `http://127.0.0.1:${server.port}`;
  const install = ["install", "-g", "--prefix", dirname(bin), `${origin}/cli/millrace.tgz`];
  expect((await collect("npm", install, { env: networkSettings() })).code).toBe(0);
  front = await startTlsFront(origin, place.path);
}, 300_000);
afterAll(async () => {
  await front.close();
  await server.stop();
  await elsewhere.stop();
  await hub.close();
  await engine.close();
  place.remove();
  rmSync(disk, { recursive: true, force: true });
});

/** Makes a test of each page whose part is chosen. */
export function provePages(isChosen: (part: string) => boolean): void {
  const chosen = [...pages].filter(([, { part }]) => isChosen(part));
  test.each(chosen.map(([path]) => path))("%s", { timeout: PAGE_MS }, provePage);
}

async function provePage(path: string): Promise<void> {
  const { page, part, steps } = pages.get(path)!;
  if (part === "container-builds" && standIns === null) return;
  const plan = PLANS[path] ?? {};
  const programs = plan.tool ? await plan.tool() : "";
  if (programs === null) return;
  for (const { dataDir } of [server, elsewhere])
    resetSampleRecords(join(dataDir, "millrace.db"), plan.projects);
  const home = makeHome(path);
  const folder = writeFiles(home, path, plan);
  const env = environment(home, programs);
  for (const [name, value] of Object.entries(plan.env ?? {}))
    env[name] = value.replace("$ENGINE", engine.host);
  const shell = openShellSession({ folder, env, commandMs: COMMAND_MS });
  const approver = approveLogins({
    origin,
    databaseFile: join(server.dataDir, "millrace.db"),
    cookie: SAMPLE.cookie,
  });
  try {
    if (plan.before) expect(await shell.run(plan.before)).toMatchObject({ exitCode: 0 });
    for (const step of steps) {
      const exception = plan.steps?.find(({ starts }) => step.command.startsWith(starts));
      if (exception?.isLeftOut === undefined) await runStep({ shell, home, step, plan: exception });
    }
    if (plan.proof) expect(await shell.run(fill(plan.proof, home))).toMatchObject({ exitCode: 0 });
    for (const [heading, trouble] of Object.entries(plan.troubles ?? {}))
      await meet(heading, trouble, { shell, home });
    noteRuns(
      page,
      steps.map(({ block }) => block),
    );
  } finally {
    if (plan.after) await shell.run(fill(plan.after, home));
    approver.stop();
    await shell.end();
  }
}

/** Has a folder for the reader's own programs, and images that no other page has. */
function makeHome(path: string): string {
  const home = place.home();
  mkdirSync(join(home, ".local", "bin"), { recursive: true });
  for (const image of ["one", "two"]) writeLayout(join(home, "images", image), `${image} of ${path}\n`);
  return home;
}

/** @returns the folder in which a reader would be */
function writeFiles(home: string, path: string, { pageFiles, files }: PagePlan): string {
  if (!pageFiles && !files) return home;
  const folder = join(home, "shop");
  const shown = Object.entries(pageFiles ?? {}).map(([title, changes]) => [
    title,
    fill(applyChanges(pages.get(path)?.files.get(title) ?? "", changes), home),
  ]);
  for (const [name = "", text = ""] of [...Object.entries(files ?? {}), ...shown]) {
    const file = name.startsWith("~/") ? join(home, name.slice(2)) : join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { mode: text.startsWith("#!") ? 0o755 : 0o644 });
  }
  return folder;
}

function environment(home: string, programs: string): { [name: string]: string } {
  return {
    ...networkSettings(),
    HOME: home,
    // Packages for npx are in the project already, or may be downloaded.
    npm_config_yes: "true",
    npm_config_prefix: join(home, ".local"),
    PATH: [`${home}/.local/bin`, programs, bin, process.env["PATH"]].filter(Boolean).join(":"),
    ORIGIN: origin,
    MILLRACE_URL: origin,
    REGISTRY: new URL(origin).host,
    ELSEWHERE: `127.0.0.1:${elsewhere.port}`,
    TLS_REGISTRY: front.host,
    ...(buildx && { MILLRACE_BUILDX: buildx }),
    SEARCH_ADMIN_KEY: ADMIN_KEY,
    METRICS_TOKEN,
    CERTIFICATE: front.certificate,
    USER_TOKEN: SAMPLE.userToken,
    ORGANIZATION_TOKEN: SAMPLE.organizationToken,
    LANG: "C.UTF-8",
  };
}

interface Run {
  shell: ReturnType<typeof openShellSession>;
  home: string;
  step: PageStep;
  plan: StepPlan | undefined;
}

async function runStep({ shell, home, step, plan = { starts: "" } }: Run): Promise<void> {
  if (plan.before) expect(await shell.run(plan.before), step.place).toMatchObject({ exitCode: 0 });
  const command = fill(plan.as ?? applyChanges(step.command, plan.names), home);
  // A script of its own must not end the reader's shell.
  const isScript = command.includes("set -e");
  const { output, exitCode } = await shell.run(isScript ? `( ${command}\n)` : command);
  const shown = `${step.place}\n$ ${command}\n${output}`;
  expect(exitCode, shown).toBe(plan.exitCode ?? 0);
  const lines = plan.prints ?? applyChanges(step.output.join("\n"), plan.differs).split("\n");
  const expected = lines.map((line) => fill(line, home));
  expect(findMissingLine(expected, output), shown).toBe(null);
}

/** Causes a trouble that a page explains. */
async function meet(heading: string, trouble: Trouble, { shell, home }: Pick<Run, "shell" | "home">) {
  if ("isLeftOut" in trouble) return;
  const { output, exitCode } = await shell.run(fill(trouble.run, home));
  expect(exitCode, `${heading}\n${output}`).toBe(trouble.exitCode ?? 1);
  const words = (trouble.says ?? heading).split(/\W+/).filter(Boolean);
  expect(output, heading).toMatch(new RegExp(words.map(escapePattern).join("\\b.*?\\b"), "i"));
}

/** The server's addresses, the reader's home, and a folder of its own for temporary files. */
function fill(text: string, home: string): string {
  return text
    .replaceAll("{{origin}}", origin)
    .replaceAll("{{host}}", new URL(origin).host)
    .replaceAll(/(?<=^|[ "=(])\/(?:home\/ada|tmp)(?=\/)/gm, home);
}
