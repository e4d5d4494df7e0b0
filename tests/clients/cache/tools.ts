/** The build tools in the versions that `content/facts/cache.yaml` calls tested. Null, with a message: it cannot be had here. */
import { execFile } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import {
  askProgram,
  cannotHave,
  findDebianTool,
  installFromNpm,
  installFromPip,
  installOnce,
  toolFolder,
} from "./install-tool.ts";

/** All versions that the facts name, in their order. Go is the machine's own. */
export const TESTED = {
  bazel: ["4.2.3"],
  gradle: ["4.4.1"],
  maven: ["3.9.11", "1.2.2"],
  moonrepo: ["2.5.5"],
  pants: ["2.17.1"],
  sccache: ["0.16.0"],
  turbo: ["2.11.11"],
} as const;

/** @returns the program */
export const findBazel = () =>
  findDebianTool("bazel", { package: "bazel-bootstrap", version: TESTED.bazel[0] });

/** @returns the program */
export const findGradle = () => findDebianTool("gradle", { package: "gradle", version: TESTED.gradle[0] });

/** @returns the program */
export async function findGo(): Promise<string | null> {
  const version = /go1\.(\d+)/.exec((await askProgram("go", "version")) ?? "")?.[1];
  return Number(version) >= 24 ? "go" : cannotHave("Go 1.24", `this machine has ${version ?? "none"}`);
}

/** Libraries and plugins, for every Maven. */
export const MAVEN_REPOSITORY = toolFolder("maven-repository");

/** The machine's own Maven fetches the version that the page asks for. @returns its folder of programs */
export async function findMaven(): Promise<string | null> {
  const [version] = TESTED.maven;
  const folder = await installOnce(`maven-${version}`, async (into) => {
    const run = promisify(execFile);
    const artifact = `org.apache.maven:apache-maven:${version}:tar.gz:bin`;
    const copy = [
      `-Dartifact=${artifact}`,
      `-DoutputDirectory=${into}`,
      `-Dmaven.repo.local=${MAVEN_REPOSITORY}`,
    ];
    await run("mvn", ["-q", "-B", "dependency:copy", ...copy]);
    const archive = join(into, `apache-maven-${version}-bin.tar.gz`);
    await run("tar", ["-xzf", archive, "-C", into, "--strip-components=1"]);
  });
  return folder && join(folder, "bin");
}

/** @returns its folder of programs */
export const findMoon = () => findInNpm("moon", `@moonrepo/cli@${TESTED.moonrepo[0]}`);
/** @returns its folder of programs */
export const findTurbo = () => findInNpm("turbo", `turbo@${TESTED.turbo[0]}`);

async function findInNpm(name: string, wanted: string): Promise<string | null> {
  const version = wanted.slice(wanted.lastIndexOf("@") + 1);
  const folder = await installFromNpm(`${name}-${version}`, [wanted]);
  return folder && join(folder, "node_modules/.bin");
}

/** @returns its folder of programs */
export async function findPants(): Promise<string | null> {
  const [version] = TESTED.pants;
  const packages = [`pantsbuild.pants==${version}`];
  const folder = await installFromPip(`pants-${version}`, { python: findOldPython(), packages });
  return folder && join(folder, "bin");
}

/** @returns its folder of programs */
export async function findSccache(): Promise<string | null> {
  const [version] = TESTED.sccache;
  const packages = [`sccache==${version}`];
  const folder = await installFromPip(`sccache-${version}`, { python: "python3", packages });
  return folder && join(folder, "bin");
}

/** This version of Pants runs on nothing newer. */
function findOldPython(): string {
  const folder = join(homedir(), ".pyenv/versions");
  const versions = existsSync(folder) ? readdirSync(folder) : [];
  const found = versions.find((version) => version.startsWith("3.9."));
  return found === undefined ? "python3.9" : join(folder, found, "bin/python3.9");
}
