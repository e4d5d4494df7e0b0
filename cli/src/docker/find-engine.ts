/** Checks before the build that a Docker can take the image: buildx would report it only afterwards, and unclearly. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { isOn, type Token, valuesOf } from "../builds/split-arguments.ts";
import { CliError } from "../errors.ts";
import { findDockerFolder, isFields, readDockerConfig } from "../registry/docker-config.ts";

const ANSWER_MS = 10_000;
const DEFAULT =
  process.platform === "win32" ? "npipe:////./pipe/docker_engine" : "unix:///var/run/docker.sock";

/** Whether an output goes into Docker itself, and not into a file. */
export const isForDocker = (type: string, destination: string | undefined): boolean =>
  type === "docker" && (destination ?? "") === "";

export function wantsDocker(tokens: readonly Token[]): boolean {
  const field = (output: string, name: string) => new RegExp(`(?:^|,)${name}=([^,]*)`).exec(output)?.[1];
  return (
    isOn(tokens, "--load") ||
    valuesOf(tokens, "--output").some((output) =>
      isForDocker(field(output, "type") ?? "", field(output, "dest")),
    )
  );
}

/** @throws CliError if no Docker listens */
export async function requireDocker(env: NodeJS.ProcessEnv): Promise<void> {
  const address = await findAddress(env);
  const to = readAddress(address);
  // For example over SSH: buildx can connect.
  if (!to) return;
  const isThere = await new Promise<boolean>((resolve) => {
    const socket = connect({ ...to, timeout: ANSWER_MS });
    const end = (found: boolean) => {
      socket.destroy();
      resolve(found);
    };
    socket.once("connect", () => end(true));
    socket.once("error", () => end(false));
    socket.once("timeout", () => end(false));
  });
  if (!isThere)
    throw new CliError(
      `Docker does not respond at ${address}, so the image cannot be loaded into it: start Docker, or keep the image with --save or --output type=docker,dest=image.tar`,
    );
}

function readAddress(address: string): { path: string } | { host: string; port: number } | undefined {
  if (!URL.canParse(address)) return undefined;
  const { protocol, hostname, port, pathname } = new URL(address);
  if (protocol === "unix:") return { path: pathname };
  if (protocol === "npipe:") return { path: pathname.replaceAll("/", "\\") };
  if (protocol === "tcp:") return { host: hostname, port: Number(port || 2375) };
  return undefined;
}

/** Searches like Docker: a variable, then the chosen context. */
async function findAddress(env: NodeJS.ProcessEnv): Promise<string> {
  if (env["DOCKER_HOST"]) return env["DOCKER_HOST"];
  const folder = findDockerFolder(env);
  const { currentContext } = await readDockerConfig(folder);
  const name = env["DOCKER_CONTEXT"] || currentContext;
  if (typeof name !== "string" || name === "" || name === "default") return DEFAULT;
  const id = createHash("sha256").update(name).digest("hex");
  const text = await readFile(join(folder, "contexts", "meta", id, "meta.json"), "utf8").catch(() => "{}");
  try {
    const meta: unknown = JSON.parse(text);
    const endpoints = isFields(meta) && isFields(meta["Endpoints"]) ? meta["Endpoints"] : {};
    const docker = endpoints["docker"];
    // buildx reports a missing context.
    return isFields(docker) && typeof docker["Host"] === "string" ? docker["Host"] : "";
  } catch {
    return "";
  }
}
