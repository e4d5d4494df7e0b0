/**
 * Dockerfiles of two languages, as shown on their pages, with real compilers in place of the official images:
 *
 * 1. Go: the command of the page builds static programs for two architectures on one machine, and the native one runs.
 * 2. Node.js: the final stage has the output and its runtime dependencies, and no build dependencies. After a change of
 *    the code both installations are CACHED, as the page shows; after a change of the lock file neither is.
 */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Page } from "#docs/content/types.ts";
import { compileContent } from "../../../scripts/steps/content-step.ts";
import { writeBaseImage } from "../builds/base-image.ts";
import { type Buildkitd, startBuildkitd } from "../builds/start-buildkitd.ts";
import { findBuildKit, findBuildx } from "../registry/tools.ts";
import { type DockerHub, startDockerHub } from "./docker-hub.ts";
import { writeGoImage, writeNodeImage } from "./language-images.ts";
import { noteRunsOf } from "./note-runs.ts";
import { type NpmPackages, serveNpmPackages } from "./npm-packages.ts";

const BUILD_MS = 240_000;
/** Layers need a disk whose files can be laid over each other. */
const disk = mkdtempSync("/var/tmp/language-files-");
const [programs, buildx] = [await findBuildKit(), await findBuildx()];
const canBuild = programs !== null && buildx !== null;
const [base, go, node] = canBuild
  ? [
      await writeBaseImage(join(disk, "base")),
      await writeGoImage(join(disk, "go"), ["runtime"]),
      await writeNodeImage(join(disk, "node")),
    ]
  : [null, null, null];
const { pages } = await compileContent();
afterAll(() => rmSync(disk, { recursive: true, force: true }), BUILD_MS);

describe.runIf(base)("Dockerfiles", { timeout: BUILD_MS }, () => {
  let hub: DockerHub;
  let buildkitd: Buildkitd;
  let npm: NpmPackages;

  beforeAll(async () => {
    const images = { "": base, "library/golang": go, "library/node": node };
    const found = Object.entries(images).flatMap(([name, image]) => (image ? [[name, image] as const] : []));
    hub = await startDockerHub(join(disk, "hub"), new Map(found));
    const { host } = new URL(hub.origin);
    const mirrors = ["docker.io", "gcr.io"].map((name) => `[registry."${name}"]\n  mirrors = ["${host}"]\n`);
    const config = `${mirrors.join("")}[registry."${host}"]\n  http = true\n`;
    buildkitd = await startBuildkitd(programs ?? "", disk, config);
    npm = await serveNpmPackages(join(disk, "npm"));
    await run(disk, `${buildx} create --name pages --driver remote ${buildkitd.address}`);
  }, BUILD_MS);
  afterAll(async () => {
    await buildkitd?.close();
    await hub?.close();
    await npm?.close();
  });

  test.runIf(go)("1. Go", async () => {
    const context = writeContext("go-dockerfile", {
      "go.mod": "module acme.example/server\n\ngo 1.24\n",
      "cmd/server/main.go": 'package main\n\nfunc main() { println("served") }\n',
    });
    await run(
      context,
      "docker buildx build --platform linux/amd64,linux/arm64 --output type=local,dest=out .",
    );
    const found = await run(context, "file out/linux_amd64/server out/linux_arm64/server");
    expect(found).toMatch(
      /amd64\/server: ELF 64-bit LSB executable, x86-64,.* statically linked,.* stripped$/m,
    );
    expect(found).toMatch(
      /arm64\/server: ELF 64-bit LSB executable, ARM aarch64,.* statically linked,.* stripped$/m,
    );
    expect(await run(context, `out/linux_${process.arch === "x64" ? "amd64" : "arm64"}/server 2>&1`)).toBe(
      "served\n",
    );
    noteRunsOf("tests/clients/pages/language-files.test.ts", pages);
  });

  test.runIf(node)("2. Node.js", async () => {
    const context = writeContext("node", { ...npm.manifests, "code/server.ts": "console.log('one');\n" });
    const build = "docker buildx build --progress plain";
    const listed = await run(
      context,
      `${build} --output type=tar,dest=- . 2> log.txt | tar -t | grep '^app/.' || cat log.txt`,
    );
    const files = listed.split("\n").filter((name) => !/\/$|\/\.package-lock\.json$|^$/.test(name));
    expect(files.toSorted()).toEqual([
      "app/dist/server.js",
      "app/node_modules/basket/package.json",
      "app/package.json",
    ]);
    writeFileSync(join(context, "code/server.ts"), "console.log('two');\n");
    const changed = await run(context, `${build} --output type=cacheonly . 2>&1`);
    expect(stateOf(changed, "npm ci")).toEqual(["CACHED", "CACHED"]);
    expect(stateOf(changed, "npm run build")).toEqual(["DONE"]);
    const lock = npm.manifests["package-lock.json"] ?? "";
    writeFileSync(join(context, "package-lock.json"), `${lock}\n`);
    expect(stateOf(await run(context, `${build} --output type=cacheonly . 2>&1`), "npm ci")).toEqual([
      "DONE",
      "DONE",
    ]);
  });

  /** The first Dockerfile of a page and its ignore file, with files of a reader. @returns the folder */
  function writeContext(page: string, files: { [name: string]: string }): string {
    const { samples } = pages.find(({ path }) => path.endsWith(`/optimal-dockerfiles/${page}`)) as Page;
    const shown = (name: string) => samples.find(({ title }) => title === name)?.code ?? "";
    // BuildKit has the reader of Dockerfiles in this image built in.
    const dockerfile = shown("Dockerfile").replace("# syntax=", "# ");
    const folder = join(disk, "contexts", page);
    for (const [name, text] of Object.entries({
      ...files,
      Dockerfile: dockerfile,
      ".dockerignore": shown(".dockerignore"),
    })) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    return folder;
  }

  /** @returns its output */
  function run(cwd: string, command: string): Promise<string> {
    const env = {
      PATH: process.env["PATH"],
      HOME: disk,
      BUILDX_CONFIG: join(disk, "buildx"),
      BUILDX_BUILDER: "pages",
    };
    return new Promise((resolve, reject) =>
      execFile(
        "sh",
        ["-ec", command.replaceAll("docker buildx", () => buildx ?? "")],
        { cwd, env, timeout: BUILD_MS },
        (error, out, told) => (error ? reject(new Error(`${error.message}\n${out}\n${told}`)) : resolve(out)),
      ),
    );
  }
});

/** How the steps with a command ended, by the plain log. */
function stateOf(log: string, command: string): (string | undefined)[] {
  const steps = [...log.matchAll(new RegExp(`^(#\\d+) \\[.*RUN .*${command}`, "gm"))];
  const numbers = [...new Set(steps.map(([, number]) => number))];
  return numbers.map((number) => new RegExp(`^${number} (CACHED|DONE)`, "m").exec(log)?.[1]);
}
