/** The file that buildkitd reads in its pod. Source: BuildKit's description of its configuration, 0.33. */
import { type BuildkitdConfig, keepLines } from "../machine/buildkitd-config.ts";
import type { Isolation } from "./options.ts";

export interface PodConfig extends Pick<
  BuildkitdConfig,
  "mirrored" | "cache" | "parallelism" | "entitlements" | "registryHost"
> {
  isolation: Isolation;
  port: number;
  /** `millrace-registry.millrace.svc:8373`, where this server answers builders; null: as everybody else. */
  registryInside: string | null;
}

/** Of the pod's Secret. */
export const FILES = "/etc/millrace";

/** Where the volume of the layer cache is. */
export const mountOf = (isolation: Isolation): string =>
  isolation === "rootless" ? "/home/user/.local/share/buildkit" : "/var/lib/buildkit";

/** Of buildkitd. The volume of a rootless one gives its group to all that is made directly in it, a folder of it does not. */
const rootOf = (isolation: Isolation): string =>
  isolation === "rootless" ? `${mountOf(isolation)}/cache` : mountOf(isolation);

/** @returns TOML. Text of others is in it only as quoted strings */
export function writePodConfig(config: PodConfig): string {
  const text = JSON.stringify;
  const isRootless = config.isolation === "rootless";
  const lines = [
    `root = ${text(rootOf(config.isolation))}`,
    `insecure-entitlements = ${text(config.entitlements)}`,
    "[grpc]",
    `address = [${text(`tcp://0.0.0.0:${config.port}`)}]`,
    "[grpc.tls]",
    ...["ca", "cert", "key"].map((each) => `${each} = ${text(`${FILES}/server-${each}.pem`)}`),
    "[cdi]",
    // As on a machine: there are none.
    `specDirs = [${text(`${FILES}/no-devices`)}]`,
    "[worker.containerd]",
    "enabled = false",
    "[worker.oci]",
    "enabled = true",
    `rootless = ${isRootless}`,
    // Without root there is no other one than the pod's, and no room for processes of steps.
    `networkMode = ${text(isRootless ? "host" : "bridge")}`,
    `noProcessSandbox = ${isRootless}`,
    `max-parallelism = ${config.parallelism}`,
    ...keepLines(config.cache),
    ...registryLines(config),
  ];
  return `${lines.join("\n")}\n`;
}

/** Pulls ask this server first, and then the registry that they name. */
function registryLines({ registryInside: inside, registryHost, mirrored }: PodConfig): string[] {
  if (inside === null) return [];
  const text = JSON.stringify;
  return [
    ...[registryHost, ...mirrored].flatMap((host) => [
      `[registry.${text(host)}]`,
      `mirrors = [${text(host === registryHost ? inside : `${inside}/mirror/${host}`)}]`,
    ]),
    `[registry.${text(inside)}]`,
    `ca = [${text(`${FILES}/registry-ca.pem`)}]`,
    `[[registry.${text(inside)}.keypair]]`,
    ...["cert", "key"].map((each) => `${each} = ${text(`${FILES}/registry-${each}.pem`)}`),
  ];
}
