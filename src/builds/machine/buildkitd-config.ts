/** The file that buildkitd reads at its start. Source: BuildKit's description of its configuration, 0.33. */
export interface BuildkitdConfig {
  /** Of layers, snapshots and cache mounts. */
  root: string;
  /** In a namespace of users. */
  isRootless: boolean;
  socket: string;
  /** buildkitd of several builders would otherwise share one. */
  otelSocket: string;
  /** Of the plugin that gives a step its network. */
  plugin: { config: string; folder: string };
  /**
   * A folder that is not there: devices of the machine are nobody's business. Not `disabled`, with which `RUN --device` ends
   * buildkitd (0.33), and with it all builds of the project.
   */
  devices: string;
  nameServer: string;
  /** `localhost:3000`. Inside the builder's network it speaks plain HTTP, whatever it speaks outside. */
  registryHost: string;
  /** Other registries that this server keeps images of: `docker.io`. */
  mirrored: readonly string[];
  cache: { maxBytes: number; unusedSeconds: number };
  /** Steps at the same time. */
  parallelism: number;
  /** Of the steps, which limits memory and processor time; null without control groups. */
  controlGroup: string | null;
  /** `network.host`, `security.insecure`: what the operator allows. */
  entitlements: readonly string[];
}

/** Ready networks for steps, so that few wait for one; more would slow the start. */
const READY_STEPS = 2;
/** Records that buildkitd keeps itself: ours are made from them as soon as a build has ended. */
const HISTORY_SECONDS = 2 * 24 * 60 * 60;
const MOST_HISTORY = 200;
/** Of the disk, below which layers go whatever the limit is: the records of this server may be on the same one. */
const FREE_SPACE = "5%";

/** @returns TOML. Text of others is in it only as quoted strings */
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

/** What is kept of layers and of records; the first lines belong to `[worker.oci]`. */
export const keepLines = ({ maxBytes, unusedSeconds }: BuildkitdConfig["cache"]): string[] => [
  "gc = true",
  // What nobody used for so long goes first, then what was used least recently.
  ...gcPolicy(`keepDuration = ${unusedSeconds}`),
  ...gcPolicy(`maxUsedSpace = ${maxBytes}`, `minFreeSpace = ${JSON.stringify(FREE_SPACE)}`),
  "[history]",
  `maxAge = ${HISTORY_SECONDS}`,
  `maxEntries = ${MOST_HISTORY}`,
];

const gcPolicy = (...rules: readonly string[]) => ["[[worker.oci.gcpolicy]]", "all = true", ...rules];
