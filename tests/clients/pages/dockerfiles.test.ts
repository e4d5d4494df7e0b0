/**
 * Dockerfiles on pages, and BuildKit's own checks:
 *
 * 1. A finding is reported.
 * 2. No Dockerfile has a finding: with its page's ignore file, and with stand-ins for its base images, of which the
 *    checks only read the settings. An excerpt gets a stage of its own.
 */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compileContent } from "../../../scripts/steps/content-step.ts";
import { fillPlaceholders } from "#docs/content/page/placeholders.ts";
import type { Sample } from "#docs/content/types.ts";
import { writeImage } from "../builds/base-image.ts";
import { type Buildkitd, startBuildkitd } from "../builds/start-buildkitd.ts";
import { findBuildKit, findBuildx } from "../registry/tools.ts";
import { type DockerHub, startDockerHub } from "./docker-hub.ts";

const CHECK_MS = 60_000;
/** Layers need a disk whose files can be laid over each other. */
const ON_DISK = "/var/tmp";
/** Registries of the pages' base images. */
const REGISTRIES = ["docker.io", "gcr.io", "ghcr.io", "mcr.microsoft.com"];

const [programs, buildx] = [await findBuildKit(), await findBuildx()];
const { pages } = await compileContent();
const dockerfiles = pages.flatMap((page) =>
  page.samples.filter(({ language }) => language === "dockerfile").map((sample) => ({ page, sample })),
);

describe.skipIf(!programs || !buildx)("Dockerfiles", { timeout: CHECK_MS }, () => {
  const folder = mkdtempSync(join(ON_DISK, "dockerfiles-"));
  let hub: DockerHub;
  let buildkitd: Buildkitd;

  beforeAll(async () => {
    // .NET's images set their user like this.
    mkdirSync(join(folder, "base", "root"), { recursive: true });
    const base = await writeImage(join(folder, "base"), join(folder, "base", "root"), {
      Env: ["APP_UID=1654"],
    });
    hub = await startDockerHub(join(folder, "hub"), new Map([["", base]]));
    const { host } = new URL(hub.origin);
    const mirrors = REGISTRIES.map((name) => `[registry."${name}"]\n  mirrors = ["${host}"]\n`);
    const config = `${mirrors.join("")}[registry."${host}"]\n  http = true\n`;
    buildkitd = await startBuildkitd(programs ?? "", folder, config);
    await run(["create", "--name", "pages", "--driver", "remote", buildkitd.address]);
  }, CHECK_MS);
  afterAll(async () => {
    await buildkitd?.close();
    await hub?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test("1. a finding", async () => {
    const stale = {
      language: "dockerfile",
      title: null,
      diff: false,
      line: 1,
      code: "ENV API_TOKEN=x\nCOPY a.log /\n",
    };
    const found = await check("stale", stale, "*.log\n");
    expect(found).toContain("SecretsUsedInArgOrEnv");
    expect(found).toContain("CopyIgnoredFile");
  });

  test.concurrent.each(
    dockerfiles.map(({ page, sample }) => [`${page.file}:${sample.line}`, page, sample] as const),
  )("2. %s", async (place, page, sample) => {
    const ignore = page.samples.find(({ title }) => title === ".dockerignore")?.code ?? "";
    expect(await check(place.replaceAll(/\W/g, "-"), sample, ignore)).toBe(
      "Check complete, no warnings found.",
    );
  });

  /** @returns the findings, or why the check failed */
  function check(name: string, sample: Sample, ignore: string): Promise<string> {
    const context = join(folder, name);
    mkdirSync(context);
    writeFileSync(join(context, ".dockerignore"), ignore);
    writeFileSync(join(context, "Dockerfile"), wholeFile(sample));
    return run(["build", "--builder", "pages", "--check", context]);
  }

  /** Runs Docker's own client, as a plugin is called. @returns its output */
  function run(args: readonly string[]): Promise<string> {
    const env = { PATH: process.env["PATH"], HOME: folder, BUILDX_CONFIG: join(folder, "buildx") };
    return new Promise((resolve) =>
      execFile(buildx ?? "", args, { env, timeout: CHECK_MS }, (error, out, told) =>
        resolve(error ? `${out}\n${told}` : out.trim()),
      ),
    );
  }
});

/** The file as a reader would have it: with the stage of an excerpt, and after the change that a diff shows. */
function wholeFile({ code, diff }: Sample): string {
  const lines = fillPlaceholders(code, "https://ghcr.io").split("\n");
  const changed = diff ? lines.filter((line) => !line.startsWith("-")).map((line) => line.slice(1)) : lines;
  // BuildKit has the reader of Dockerfiles in this image built in.
  const text = changed.join("\n").replace(/^# syntax=(docker\/dockerfile:1(?:-labs)?)$/m, "# $1");
  const isWhole = /^(?:(?:#.*|ARG .*)?\n)*FROM /.test(text);
  return isWhole ? text : `FROM base\nWORKDIR /src\n${text}`;
}
