/** `configure-docker`: Docker uses the CLI's login, and builds on the project's builder. */
import { dirname, resolve } from "node:path";
import { installHelper, uninstallHelper } from "../docker/install-helper.ts";
import { installPlugin, uninstallPlugin } from "../docker/install-plugin.ts";
import { findOrigin, type Invocation } from "../session.ts";

export async function configureDocker(call: Invocation): Promise<void> {
  const { env, terminal, flags } = call;
  const origin = await findOrigin(call);
  const { host } = new URL(origin);
  if (flags.isSet("--uninstall")) {
    const wasThere = await uninstallHelper(env, host);
    terminal.out(
      wasThere
        ? `Removed the credential helper for ${host}\n`
        : `No credential helper for ${host} is installed\n`,
    );
    if (await uninstallPlugin(env)) terminal.out("Removed the Docker CLI plugin\n");
    return;
  }
  // Keep the link: an upgrade moves its target.
  const main = resolve(process.argv[1] ?? "");
  const { path, isOnPath } = await installHelper(env, host, main);
  terminal.out(`Installed the credential helper for ${host}\n`);
  if (!isOnPath) terminal.err(`millrace: Docker cannot find ${path}: add ${dirname(path)} to PATH\n`);
  const plugin = await installPlugin(env, { main, origin, project: flags.text("--project") ?? "" });
  if (plugin !== undefined) terminal.out("Installed the Docker CLI plugin\n");
  else
    terminal.err(
      process.platform === "win32"
        ? "millrace: docker build stays unchanged on Windows: use millrace build\n"
        : "millrace: Docker has no buildx here, so docker build stays unchanged: install Docker's buildx plugin and run this command again\n",
    );
}
