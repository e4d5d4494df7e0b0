/** The Docker of this machine, through its command line. */
import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CliError, errorCode } from "../errors.ts";

export interface LocalDocker {
  /** @throws CliError if Docker fails; Docker has printed the reason by then */
  pull(name: string, options: { host: string; token: string; platform: string | undefined }): Promise<void>;
  tag(name: string, local: string): Promise<void>;
}

const WITHOUT = "pass --output image.tar, which does not need Docker";

/** @throws CliError if no Docker answers */
export async function openLocalDocker(env: NodeJS.ProcessEnv): Promise<LocalDocker> {
  const version = await run(env, ["version", "--format", "{{.Server.Version}}"], "quiet");
  if (version.code !== 0)
    throw new CliError(`Docker is installed but does not respond: start it, or ${WITHOUT}`);
  return {
    pull: (name, options) => pullWithLogin(env, name, options),
    async tag(name, local) {
      const { code } = await run(env, ["tag", "--", name, local], "shown");
      if (code !== 0) throw new CliError(`docker tag exited with code ${code}`);
    },
  };
}

/** Uses a temporary configuration, so that the token is in no permanent file. */
async function pullWithLogin(
  env: NodeJS.ProcessEnv,
  name: string,
  { host, token, platform }: { host: string; token: string; platform: string | undefined },
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "millrace-docker-"));
  try {
    const auth = Buffer.from(`x-token:${token}`).toString("base64");
    await writeFile(join(folder, "config.json"), JSON.stringify({ auths: { [host]: { auth } } }), {
      mode: 0o600,
    });
    const args = ["pull", ...(platform === undefined ? [] : ["--platform", platform]), "--", name];
    // The context chooses the Docker, and is stored in the configuration that is replaced here.
    const endpoint = await findEndpoint(env);
    const { code } = await run({ ...env, ...endpoint, DOCKER_CONFIG: folder }, args, "shown");
    if (code !== 0) throw new CliError(`docker pull exited with code ${code}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function findEndpoint(env: NodeJS.ProcessEnv): Promise<{ DOCKER_HOST?: string }> {
  if (env["DOCKER_HOST"]) return {};
  const { code, output } = await run(
    env,
    ["context", "inspect", "--format", "{{.Endpoints.docker.Host}}"],
    "quiet",
  );
  const host = output.trim();
  return code === 0 && /^[a-z]+:\/\/\S+$/.test(host) ? { DOCKER_HOST: host } : {};
}

/** @param how `shown`: Docker's output is progress, and goes to standard error */
function run(
  env: NodeJS.ProcessEnv,
  args: readonly string[],
  how: "quiet" | "shown",
): Promise<{ code: number; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn("docker", args, {
      env,
      stdio: ["ignore", how === "quiet" ? "pipe" : 2, how === "quiet" ? "ignore" : 2],
    });
    let output = "";
    child.stdout?.setEncoding("utf8").on("data", (chunk: string) => (output += chunk.slice(0, 10_000)));
    child.on("error", (error) =>
      reject(
        errorCode(error) === "ENOENT"
          ? new CliError(`there is no Docker on this machine: install it, or ${WITHOUT}`)
          : new CliError(
              `docker cannot be started (${errorCode(error)}): repair it, or ${WITHOUT}`,
              undefined,
              error,
            ),
      ),
    );
    child.on("close", (code) => resolve({ code: code ?? 1, output }));
  });
}
