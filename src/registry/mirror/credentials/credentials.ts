/** A name and a password for a host, as `docker login` stores them. */
import { z } from "zod";

export interface Credentials {
  username: string;
  password: string;
}

/** By host, as images name it. */
export type CredentialsByHost = ReadonlyMap<string, Credentials>;

const configSchema = z.object({
  auths: z.record(
    z.string(),
    z.object({
      auth: z.string().optional(),
      username: z.string().optional(),
      password: z.string().optional(),
      identitytoken: z.string().optional(),
    }),
  ),
});

/** Docker's own registry has several names. */
const DOCKER_NAMES = new Set(["docker.io", "index.docker.io", "registry-1.docker.io"]);

/**
 * @param text a `config.json` of Docker's command line
 * @throws Error that says what is wrong with it, without its secrets
 */
export function parseDockerConfig(text: string): CredentialsByHost {
  const parsed = configSchema.safeParse(readJson(text));
  if (!parsed.success) throw new Error('it is not a Docker config.json with "auths"');
  const found = new Map<string, Credentials>();
  for (const [key, entry] of Object.entries(parsed.data.auths)) {
    const host = hostOf(key);
    const credentials = readEntry(entry);
    if (!credentials)
      throw new Error(
        `"auths" has no name and password for ${host}; log in there without a credential store, with a name and a password`,
      );
    found.set(host, credentials);
  }
  return found;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Its message would quote the file.
    return null;
  }
}

function hostOf(key: string): string {
  const [host = ""] = key
    .toLowerCase()
    .replace(/^https?:\/\//, "")
    .split("/", 1);
  return DOCKER_NAMES.has(host) ? "docker.io" : host;
}

function readEntry({
  auth,
  username,
  password,
}: z.infer<typeof configSchema>["auths"][string]): Credentials | null {
  if (auth !== undefined && auth !== "") {
    const pair = Buffer.from(auth, "base64").toString("utf8");
    const colon = pair.indexOf(":");
    if (colon > 0 && colon < pair.length - 1)
      return { username: pair.slice(0, colon), password: pair.slice(colon + 1) };
    return null;
  }
  return username && password ? { username, password } : null;
}
