/**
 * Docker's own configuration: the credentials for each registry.
 *
 *   { "auths": { "ghcr.io": { "auth": "<base64 of name:password>" } },
 *     "credHelpers": { "build.acme.example": "millrace" }, "credsStore": "desktop" }
 */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { CliError, errorCode } from "../errors.ts";
import { MAX_ANSWER_BYTES, MAX_HELPER_MS } from "./limits.ts";

export interface RegistryLogin {
  username: string;
  /** A password, or with `username` "<token>" a refresh token. */
  password: string;
}

type Fields = { [name: string]: unknown };

const HELPER = /^[a-zA-Z0-9._-]{1,100}$/;
const HUB_ADDRESS = "https://index.docker.io/v1/";

export const findDockerFolder = (env: NodeJS.ProcessEnv): string =>
  env["DOCKER_CONFIG"] || join(homedir(), ".docker");

/** @returns {} if there is no file. @throws CliError if it is damaged */
export async function readDockerConfig(folder: string): Promise<Fields> {
  const path = join(folder, "config.json");
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") return {};
    throw new CliError(`${path} cannot be read (${errorCode(error)})`, undefined, error);
  }
  try {
    const value: unknown = JSON.parse(text.trim() === "" ? "{}" : text);
    if (isFields(value)) return value;
  } catch {
    // Reported below: the parser's message would quote the file.
  }
  throw new CliError(
    `${path} is not a JSON object: repair it, or remove it and log in to your registries again`,
  );
}

export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The credentials that `docker login` stored for the host, if any. @throws CliError if a helper fails */
export async function findLogin(env: NodeJS.ProcessEnv, host: string): Promise<RegistryLogin | undefined> {
  const config = await readDockerConfig(findDockerFolder(env));
  const addresses =
    host === "docker.io" ? [HUB_ADDRESS, "docker.io", "index.docker.io"] : [host, `https://${host}`];
  const { credHelpers, credsStore, auths } = config;
  for (const address of addresses) {
    const helper = isFields(credHelpers) ? credHelpers[address] : undefined;
    if (typeof helper === "string") return askHelper(env, helper, address);
  }
  if (typeof credsStore === "string" && credsStore !== "") {
    const stored = await askHelper(env, credsStore, addresses[0]!);
    if (stored) return stored;
  }
  for (const address of addresses) {
    const login = isFields(auths) ? readAuth(auths[address]) : undefined;
    if (login) return login;
  }
  return undefined;
}

function readAuth(entry: unknown): RegistryLogin | undefined {
  if (!isFields(entry)) return undefined;
  const { auth, identitytoken } = entry;
  if (typeof identitytoken === "string" && identitytoken !== "")
    return { username: "<token>", password: identitytoken };
  if (typeof auth !== "string" || auth === "") return undefined;
  const text = Buffer.from(auth, "base64").toString("utf8");
  const colon = text.indexOf(":");
  // Docker pads with zero bytes.
  return colon < 1
    ? undefined
    : { username: text.slice(0, colon), password: text.slice(colon + 1).replace(/\0+$/, "") };
}

/** https://github.com/docker/docker-credential-helpers */
async function askHelper(
  env: NodeJS.ProcessEnv,
  helper: string,
  address: string,
): Promise<RegistryLogin | undefined> {
  if (!HELPER.test(helper)) throw new CliError(`Docker's configuration names an invalid credential helper`);
  const program = `docker-credential-${helper}`;
  const { output, error } = await runHelper(env, program, address);
  if (error !== undefined) {
    if (/credentials not found/i.test(output)) return undefined;
    const advice = error === "ENOENT" ? "is not installed" : "could not provide the credentials";
    throw new CliError(
      `${program} ${advice} for ${address}: run docker login ${address}, or repair the helper`,
    );
  }
  try {
    const value: unknown = JSON.parse(output);
    if (isFields(value) && typeof value["Username"] === "string" && typeof value["Secret"] === "string")
      return { username: value["Username"], password: value["Secret"] };
  } catch {
    // The output may contain a secret.
  }
  throw new CliError(`${program} returned no credentials for ${address}`);
}

/** The output must never be shown: it is a secret. */
function runHelper(
  env: NodeJS.ProcessEnv,
  program: string,
  input: string,
): Promise<{ output: string; error: string | undefined }> {
  return new Promise((resolve) => {
    const options = { env, timeout: MAX_HELPER_MS, maxBuffer: MAX_ANSWER_BYTES };
    const child = execFile(program, ["get"], options, (error, stdout) =>
      resolve({ output: stdout, error: error ? errorCode(error) || "failed" : undefined }),
    );
    // A helper may not start, or not read its input.
    child.stdin?.on("error", () => {});
    child.stdin?.end(input);
  });
}
