/** The environment's settings for images that are pulled through. */
import { open } from "node:fs/promises";
import { UserError } from "#platform/environment/user-error.ts";
import type { RegistryEnvironment } from "./variables.ts";
import { type CredentialsByHost, parseDockerConfig } from "./mirror/credentials/credentials.ts";
import { MAX_CREDENTIALS_BYTES } from "./mirror/limits.ts";

/** @throws UserError for a file that cannot be used */
export async function readMirrorOptions(
  env: Pick<
    RegistryEnvironment,
    "MILLRACE_MIRROR_HOSTS" | "MILLRACE_MIRROR_CREDENTIALS" | "MILLRACE_MIRROR_QUOTA"
  >,
) {
  const { MILLRACE_MIRROR_HOSTS: hosts, MILLRACE_MIRROR_CREDENTIALS: path } = env;
  return {
    quotaBytes: env.MILLRACE_MIRROR_QUOTA,
    ...(hosts && { hosts }),
    ...(path !== undefined && { credentials: await readCredentials(path) }),
  };
}

async function readCredentials(path: string): Promise<CredentialsByHost> {
  try {
    const file = await open(path);
    try {
      const { size } = await file.stat();
      if (size > MAX_CREDENTIALS_BYTES) throw new Error(`it has more than ${MAX_CREDENTIALS_BYTES} bytes`);
      return parseDockerConfig(await file.readFile("utf8"));
    } finally {
      await file.close();
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UserError(`MILLRACE_MIRROR_CREDENTIALS: ${path} cannot be used: ${reason}.`, { cause: error });
  }
}
