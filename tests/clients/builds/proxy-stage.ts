/** A buildkitd without isolation, with the proxy of builders in front of it, and clients that have a certificate. */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openTestPort, type TestPort } from "#builds/testing/port.ts";
import { startBuildkitd } from "./start-buildkitd.ts";

/** Not in memory: a builder mounts layers on it. */
const ON_DISK = "/var/tmp";
export const BUILD = "bld_client";

export interface ProxyStage extends Omit<TestPort, "files"> {
  folder: string;
  /** Folder of the Dockerfile and its context. */
  context: string;
  socket: string;
  /** The address for a client; `tcp://`. */
  address: string;
  /** buildctl's flags. */
  flags: readonly string[];
  /** Driver options for `docker buildx create`. */
  driverOptions: string;
  /** Has the plugin, and credential helpers for registries. */
  dockerConfig: string;
  close: () => Promise<void>;
}

/**
 * @param programs of `buildkitd`, and of buildx where it is there
 * @param insecureRegistry the registry with which buildkitd speaks plain HTTP
 */
export async function openProxyStage(
  programs: { buildkit: string; buildx: string | null },
  insecureRegistry?: string,
): Promise<ProxyStage> {
  const folder = mkdtempSync(join(ON_DISK, "proxy-stage-"));
  const socket = join(folder, "b.sock");
  const config = insecureRegistry === undefined ? "" : `[registry."${insecureRegistry}"]\n  http = true\n`;
  const daemon = await startBuildkitd(programs.buildkit, folder, config);
  const { files, ...port } = await openTestPort(socket, BUILD);
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const [ca, cert, key] = [
    file("ca.pem", files.ca),
    file("cert.pem", files.cert),
    file("key.pem", files.key),
  ];
  const address = `tcp://127.0.0.1:${port.proxy.port}`;
  const dockerConfig = join(folder, "docker");
  mkdirSync(join(dockerConfig, "cli-plugins"), { recursive: true });
  if (programs.buildx) symlinkSync(programs.buildx, join(dockerConfig, "cli-plugins/docker-buildx"));
  const context = join(folder, "context");
  mkdirSync(context);
  copyFileSync("/usr/bin/busybox", join(context, "busybox"));
  return {
    folder,
    context,
    socket,
    ...port,
    address,
    flags: [
      `--addr=${address}`,
      "--tlsservername=localhost",
      `--tlscacert=${ca}`,
      `--tlscert=${cert}`,
      `--tlskey=${key}`,
    ],
    driverOptions: `cacert=${ca},cert=${cert},key=${key},servername=localhost`,
    dockerConfig,
    async close() {
      await port.proxy.close();
      await daemon.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
