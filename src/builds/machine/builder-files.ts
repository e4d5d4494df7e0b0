/**
 * Writes the files of a builder.
 *
 *   folder/      cache/   layers, snapshots and cache mounts: kept
 *                tmp/     made anew at each start, as is all of runFolder
 *   runFolder/   socket, configuration, plugins, addresses of steps
 *                tmp     where the builder sees the other tmp: a step's way to an SSH agent is a socket below it, whose
 *                        path must be short. A mount, because BuildKit follows no link to a file that a step mounts
 */
import { chmod, lstat, mkdir, readFile, writeFile } from "node:fs/promises";
import type { Server } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type BuildkitdConfig, writeConfig } from "./buildkitd-config.ts";
import { NAME_SERVER } from "./uplink.ts";
import { isRoot, removeFolder } from "./user-namespace.ts";

const PLUGIN = fileURLToPath(new URL("step-network.sh", import.meta.url));
const SCRIPT = fileURLToPath(new URL("start-builder.sh", import.meta.url));
/** The kernel cuts longer socket paths. */
const MOST_PATH_BYTES = 107;

export interface BuilderOptions extends Pick<
  BuildkitdConfig,
  "registryHost" | "mirrored" | "cache" | "parallelism" | "entitlements"
> {
  buildkitd: string;
  /** Holds the cache, which is kept. */
  folder: string;
  /** Holds what is made anew at each start. Short: a socket's path has 107 characters at most. */
  runFolder: string;
  /** Its control group in each tree; none without control groups. */
  groupFolders: readonly string[];
  /** Handles connections to the registry from inside. */
  listen: (server: Server) => void;
}

export interface BuilderFiles {
  /** Path of buildkitd's configuration. */
  config: string;
  /** Folder for the addresses of steps. */
  steps: string;
  socket: string;
  script: string;
  /** On the disk of the cache. */
  temporary: string;
  /** For `TMPDIR`: where the script mounts it. */
  seenTemporary: string;
}

/** @throws Error when the disk is full, or the folder is unusable */
export async function writeFiles(options: BuilderOptions): Promise<BuilderFiles> {
  const { folder, runFolder } = options;
  const inside = (name: string) => join(runFolder, name);
  const socket = inside("buildkitd.sock");
  if (Buffer.byteLength(socket) > MOST_PATH_BYTES)
    throw new Error(
      `${socket} is too long for a socket: the folder for temporary files needs a shorter path.`,
    );
  const [plugins, steps] = [inside("plugins"), inside("steps")];
  const [cache, temporary] = [join(folder, "cache"), join(folder, "tmp")];
  for (const each of [runFolder, temporary]) await removeFolder(each);
  await removeOthers(cache);
  const seenTemporary = inside("tmp");
  for (const each of [plugins, steps, cache, temporary, seenTemporary])
    await mkdir(each, { recursive: true, mode: 0o700 });
  // If the data folder has setgid, every folder of every image would inherit its group.
  for (const each of [cache, temporary]) await chmod(each, 0o700);
  for (const name of ["millrace-steps", "loopback"]) await copyPlugin(join(plugins, name));
  const network = { cniVersion: "1.0.0", name: "steps", type: "millrace-steps" };
  await writeFile(inside("network.json"), JSON.stringify(network));
  await writeFile(inside("hosts"), hostsFor(options.registryHost));
  await writeFile(
    inside("resolv.conf"),
    resolversFor(await readFile("/etc/resolv.conf", "utf8").catch(() => "")),
  );
  const config = inside("buildkitd.toml");
  const text = writeConfig({
    ...options,
    root: cache,
    isRootless: !isRoot(),
    socket,
    otelSocket: inside("otel.sock"),
    plugin: { config: inside("network.json"), folder: plugins },
    devices: inside("no-devices"),
    nameServer: NAME_SERVER,
    // Inside, its own group is the root.
    controlGroup: options.groupFolders.length === 0 ? null : "/steps",
  });
  await writeFile(config, text);
  return { config, steps, socket, script: SCRIPT, temporary, seenTemporary };
}

/** Owners of files in a cache match those of images only for the user who made it: root and other users map ids differently. */
async function removeOthers(cache: string): Promise<void> {
  const found = await lstat(cache).catch(() => null);
  if (found && found.uid !== process.getuid?.()) await removeFolder(cache);
}

async function copyPlugin(to: string): Promise<void> {
  await writeFile(to, await readFile(PLUGIN), { mode: 0o700 });
}

/** Inside, the registry's own name leads to this process's listener. */
export function hostsFor(registryHost: string): string {
  const { hostname } = new URL(`http://${registryHost}`);
  const names = ["localhost", ...(hostname === "localhost" ? [] : [hostname])];
  return `127.0.0.1 ${names.join(" ")}\n`;
}

/** The machine's resolver, queried by the uplink, which also reaches one on the machine's loopback. */
export function resolversFor(machine: string): string {
  const kept = machine.split("\n").filter((line) => /^(search|domain|options)\b/.test(line));
  return [`nameserver ${NAME_SERVER}`, ...kept, ""].join("\n");
}
