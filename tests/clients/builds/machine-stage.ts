/** Builders without a server, and builds that a stock `buildctl` asks them for. */
import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findBuildKit } from "../registry/tools.ts";
import { type BaseImage, writeBaseImage } from "./base-image.ts";

export const BUILD_MS = 120_000;

export interface BuildTools {
  /** The folder of `buildkitd` and `buildctl`. */
  programs: string;
  base: BaseImage;
  /** Everything that a test file makes; removed at the end. */
  folder: string;
}

/** @returns null, with a message, when they cannot be had */
export async function findBuildTools(): Promise<BuildTools | null> {
  const programs = await findBuildKit();
  if (programs === null) return null;
  const folder = await realpath(await mkdtemp(join(tmpdir(), "builds-")));
  const base = await writeBaseImage(join(folder, "base"));
  return base && { programs, base, folder };
}

export interface Built {
  code: number;
  output: string;
}

/**
 * @param dockerfile in which `base` is the base image
 * @param config folder with the client's credentials
 */
export async function build(
  { programs, base, folder }: BuildTools,
  socket: string,
  dockerfile: string,
  ...[more = [], config]: [more?: readonly string[], config?: string]
): Promise<Built> {
  const context = await mkdtemp(join(folder, "context-"));
  await writeFile(join(context, "Dockerfile"), dockerfile);
  const home = join(context, "home");
  await mkdir(home);
  const command = [
    ["--addr", `unix://${socket}`, "build", "--progress=plain", "--frontend", "dockerfile.v0"],
    ["--local", `context=${context}`, "--local", `dockerfile=${context}`],
    ["--oci-layout", `base=${base.folder}`, "--opt", `context:base=oci-layout://base@${base.digest}`],
    more,
  ].flat();
  const env = { PATH: process.env["PATH"] ?? "", HOME: home, DOCKER_CONFIG: config ?? home };
  return new Promise((resolve) =>
    execFile(join(programs, "buildctl"), command, { env, timeout: BUILD_MS }, (error, out, told) => {
      void rm(context, { recursive: true, force: true });
      resolve({ code: error ? Number(error.code) || 1 : 0, output: `${out}${told}` });
    }),
  );
}

/** Ids of processes that have all these texts in their command lines. */
export function findProcesses(...texts: readonly string[]): number[] {
  const ids = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  return ids.map(Number).filter((id) => {
    const command = readOr(`/proc/${id}/cmdline`).replaceAll("\0", " ");
    return texts.every((text) => command.includes(text));
  });
}

/** Processes and mounts, in any namespace, that have one of the folders in their command line or path. */
export function findTraces(folders: readonly string[]): string[] {
  const processes = folders.flatMap((folder) => findProcesses(folder)).map((id) => `process ${id}`);
  const ids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const mounts = new Set(ids.flatMap((id) => readOr(`/proc/${id}/mountinfo`).split("\n")));
  return [...processes, ...[...mounts].filter((line) => folders.some((folder) => line.includes(folder)))];
}

export function findGroups(name: string): string[] {
  const trees = readOr("/proc/self/mountinfo")
    .split("\n")
    .filter((line) => / - cgroup2? /.test(line))
    .map((line) => line.split(" ")[4] ?? "");
  return trees.flatMap((tree) => readdirSync(tree).filter((each) => each === name));
}

function readOr(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

/** A server on this machine. @returns its port */
export async function answerAt(host: string, text: string): Promise<{ server: Server; port: number }> {
  const server = createServer((_, response) => response.end(text));
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const address = server.address();
  return { server, port: typeof address === "object" && address ? address.port : 0 };
}
