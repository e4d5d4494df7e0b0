/** OIDC tokens that a CI provider gives to its jobs. The audience is the server's origin. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { CliError, EXIT_NOT_AUTHENTICATED } from "./errors.ts";

const AGENT_TIMEOUT_MS = 30_000;
const MAX_TOKEN_BYTES = 64 * 1024;

/** @returns undefined if no provider offers a token. @throws CliError with exit code 3 if a provider offers one, but gives none */
export async function findOidcToken(env: NodeJS.ProcessEnv, origin: string): Promise<string | undefined> {
  const given = env["MILLRACE_OIDC_TOKEN"]?.trim();
  if (given) return given;
  const address = env["ACTIONS_ID_TOKEN_REQUEST_URL"];
  const secret = env["ACTIONS_ID_TOKEN_REQUEST_TOKEN"];
  if (address && secret) return askGitHub(env, address, { secret, origin });
  // Both are set in every Buildkite job; elsewhere, a program of that name may be anything.
  if (env["BUILDKITE"] === "true" && env["BUILDKITE_AGENT_ACCESS_TOKEN"]) return askBuildkite(origin);
  return undefined;
}

async function askGitHub(
  env: NodeJS.ProcessEnv,
  address: string,
  { secret, origin }: { secret: string; origin: string },
): Promise<string> {
  const { createFetch } = await import("./network.ts");
  const url = new URL(address);
  url.searchParams.set("audience", origin);
  const answer = await createFetch(env, { repeatsRefused: true })(url, {
    headers: { authorization: `Bearer ${secret}` },
  });
  const { value } = ((await answer.json().catch(() => undefined)) ?? {}) as { value?: unknown };
  if (answer.ok && typeof value === "string") return value;
  throw noToken(`GitHub Actions responded with ${answer.status}`);
}

async function askBuildkite(origin: string): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(
      "buildkite-agent",
      ["oidc", "request-token", "--audience", origin],
      {
        timeout: AGENT_TIMEOUT_MS,
        maxBuffer: MAX_TOKEN_BYTES,
      },
    );
    return stdout.trim();
  } catch {
    // Its output may contain a secret.
    throw noToken("buildkite-agent oidc request-token failed");
  }
}

const noToken = (reason: string): CliError =>
  new CliError(`unauthenticated: no OIDC token: ${reason}`, EXIT_NOT_AUTHENTICATED);
