/** buildkitd's configuration file. Source: BuildKit's description of its configuration, 0.33. */
export interface BuildkitdConfig {
  /** Folder of layers, snapshots and cache mounts. */
  root: string;
  /** Whether it runs in a user namespace. */
  isRootless: boolean;
  socket: string;
  /** Separate, because the buildkitd of several builders would otherwise share one. */
  otelSocket: string;
  /** The plugin that gives a step its network. */
  plugin: { config: string; folder: string };
  /**
   * A folder that does not exist, so that builds cannot see the machine's devices. Not `disabled`: with that, `RUN --device` ends
   * buildkitd (0.33), and all builds of the project.
   */
  devices: string;
  nameServer: string;
  /** `localhost:3000`. Plain HTTP inside the builder's network, whatever it is outside. */
  registryHost: string;
  /** Other registries whose images this server caches: `docker.io`. */
  mirrored: readonly string[];
  cache: { maxBytes: number; unusedSeconds: number };
  /** Simultaneous steps. */
  parallelism: number;
  /** Control group of the steps, which limits memory and processor time; null without control groups. */
  controlGroup: string | null;
  /** Entitlements that the operator allows: `network.host`, `security.insecure`. */
  entitlements: readonly string[];
}

/** Networks prepared for steps, so that few steps wait for one; more would slow the start. */
const READY_STEPS = 2;
/** Records that buildkitd keeps itself: the server makes its own from them as soon as a build has ended. */
const HISTORY_SECONDS = 2 * 24 * 60 * 60;
const MOST_HISTORY = 200;
/** Free share of the disk below which layers are removed whatever the limit is: this server's records may be on the same disk. */
const FREE_SPACE = "5%";

/** @returns TOML. Untrusted text is in it only as quoted strings */
export function writeConfig(config: BuildkitdConfig): string {
  const { root, socket, otelSocket, plugin, registryHost, cache, mirrored } = config;
  const text = JSON.stringify;
  const lines = [
    `root = ${text(root)}`,
    `insecure-entitlements = ${text(config.entitlements)}`,
    "[grpc]",
    `address = [${text(`unix://${socket}`)}]`,
    "[otel]",
    `socketPath = ${text(otelSocket)}`,
    "[cdi]",
    `specDirs = [${text(config.devices)}]`,
    "[dns]",
    `nameservers = [${text(config.nameServer)}]`,
    "[worker.containerd]",
    "enabled = false",
    "[worker.oci]",
    "enabled = true",
    `rootless = ${config.isRootless}`,
    `networkMode = "cni"`,
    `cniConfigPath = ${text(plugin.config)}`,
    `cniBinaryPath = ${text(plugin.folder)}`,
    `cniPoolSize = ${READY_STEPS}`,
    `max-parallelism = ${config.parallelism}`,
    ...(config.controlGroup === null ? [] : [`defaultCgroupParent = ${text(config.controlGroup)}`]),
    ...keepLines(cache),
    `[registry.${text(registryHost)}]`,
    "http = true",
    ...mirrored.flatMap((host) => [
      `[registry.${text(host)}]`,
      `mirrors = [${text(`${registryHost}/mirror/${host}`)}]`,
    ]),
  ];
  return `${lines.join("\n")}\n`;
}

/** Limits of layers and records; the first lines belong to `[worker.oci]`. */
export const keepLines = ({ maxBytes, unusedSeconds }: BuildkitdConfig["cache"]): string[] => [
  "gc = true",
  // Layers unused for this long are removed first, then the least recently used.
  ...gcPolicy(`keepDuration = ${unusedSeconds}`),
  ...gcPolicy(`maxUsedSpace = ${maxBytes}`, `minFreeSpace = ${JSON.stringify(FREE_SPACE)}`),
  "[history]",
  `maxAge = ${HISTORY_SECONDS}`,
  `maxEntries = ${MOST_HISTORY}`,
];

const gcPolicy = (...rules: readonly string[]) => ["[[worker.oci.gcpolicy]]", "all = true", ...rules];
