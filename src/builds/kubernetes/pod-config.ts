/** buildkitd's configuration file in its pod. Source: BuildKit's description of its configuration, 0.33. */
import { type BuildkitdConfig, keepLines } from "../machine/buildkitd-config.ts";
import type { Isolation } from "./options.ts";

export interface PodConfig extends Pick<
  BuildkitdConfig,
  "mirrored" | "cache" | "parallelism" | "entitlements" | "registryHost"
> {
  isolation: Isolation;
  port: number;
  /** `millrace-registry.millrace.svc:8373`, where this server serves builders; null: builders use its public address. */
  registryInside: string | null;
}

/** Where the pod's Secret is mounted. */
export const FILES = "/etc/millrace";

/** Where the volume of the layer cache is mounted. */
export const mountOf = (isolation: Isolation): string =>
  isolation === "rootless" ? "/home/user/.local/share/buildkit" : "/var/lib/buildkit";

/** buildkitd's root. The volume of a rootless buildkitd passes its group on to everything made directly in it; a folder inside does not. */
const rootOf = (isolation: Isolation): string =>
  isolation === "rootless" ? `${mountOf(isolation)}/cache` : mountOf(isolation);

/** @returns TOML. Untrusted text is in it only as quoted strings */
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
    // As on a machine: there are no devices.
    `specDirs = [${text(`${FILES}/no-devices`)}]`,
    "[worker.containerd]",
    "enabled = false",
    "[worker.oci]",
    "enabled = true",
    `rootless = ${isRootless}`,
    // Without root, steps have only the pod's network, and no process sandbox.
    `networkMode = ${text(isRootless ? "host" : "bridge")}`,
    `noProcessSandbox = ${isRootless}`,
    `max-parallelism = ${config.parallelism}`,
    ...keepLines(config.cache),
    ...registryLines(config),
  ];
  return `${lines.join("\n")}\n`;
}

/** Pulls try this server first, and then the registry in their name. */
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
