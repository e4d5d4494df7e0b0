/** Opens builders where the operator wants them: on this machine, or in the cluster that this server runs in. */
import { type Opened, openOrClose } from "#platform/house/open-or-close.ts";
import type { ServerEnvironment } from "#platform/house/server-variables.ts";
import { UserError } from "#platform/environment/user-error.ts";
import type { Log } from "#platform/log/log.ts";
import type { openBuildAuthority } from "../certificates/authority.ts";
import { openApi } from "../kubernetes/api.ts";
import { createKubernetesBuilders } from "../kubernetes/builders.ts";
import { findCluster } from "../kubernetes/cluster-access.ts";
import { openRegistryEndpoint } from "../kubernetes/registry-endpoint.ts";
import { createBuilders } from "../machine/builders.ts";
import { findBuildkitd, locateBuildkitd } from "../machine/find-buildkitd.ts";
import type { BuildersOptions } from "../machine/machine.ts";
import { BUILDKIT_VERSION } from "../setup/versions.ts";
import { buildxFile, setupCommand } from "./setup-command.ts";
import type { BuildEnvironment } from "./variables.ts";

type Environment = BuildEnvironment & ServerEnvironment;

/** The same version, so that both kinds of builders behave the same. */
const IMAGE = `moby/buildkit:v${BUILDKIT_VERSION}`;

interface OpenBuildersOptions {
  /** The checkout's folder. */
  root: string;
  dataFolder: string;
  /** For layer caches on this machine. */
  folder: string;
  authority: Awaited<ReturnType<typeof openBuildAuthority>>;
  listen: BuildersOptions["listen"];
  noteSpoiled: BuildersOptions["noteSpoiled"];
  mirrored: readonly string[];
  log: Log;
  clock: () => number;
  /** Sets the clock by the database's; absent: it is the machine's clock. */
  lookAtClock: (() => Promise<void>) | undefined;
}

type OpenedBuilders = Awaited<ReturnType<typeof createBuilders>>;

export function openBuilders(env: Environment, options: OpenBuildersOptions): Promise<OpenedBuilders> {
  if (env.MILLRACE_BUILDERS === "kubernetes") return openPods(env, options);
  const { root, dataFolder, folder, listen, mirrored, noteSpoiled, log } = options;
  const sources = buildkitdSources(env, folder);
  return createBuilders({
    dataFolder,
    noteSpoiled,
    findBuildkitd: () => findBuildkitd(sources),
    locateBuildkitd: () => locateBuildkitd(sources),
    setupCommand: setupCommand(root, env),
    buildx: buildxFile(folder),
    idleMs: env.MILLRACE_BUILDER_IDLE,
    registryHost: new URL(env.SITE_ORIGIN).host,
    mirrored,
    entitlements: env.MILLRACE_BUILDER_ENTITLEMENTS,
    listen,
    log,
  });
}

/** Where `buildkitd` can come from. @param folder of layer caches, with the programs in it */
export const buildkitdSources = (
  env: BuildEnvironment,
  folder: string,
): Parameters<typeof findBuildkitd>[0] => ({
  env: process.env,
  folder,
  download: env.MILLRACE_BUILDKIT_URL,
  docker: { image: env.MILLRACE_BUILDER_IMAGE ?? IMAGE, host: process.env["DOCKER_HOST"] },
});

/** @throws UserError when the server is in no cluster; Error when the port of its registry is taken: no build could run */
const openPods = (env: Environment, options: OpenBuildersOptions): Promise<OpenedBuilders> =>
  openOrClose((opened) => open(env, options, opened));

async function open(
  env: Environment,
  { dataFolder, authority, listen, mirrored, log, clock, lookAtClock }: OpenBuildersOptions,
  opened: Opened,
): Promise<OpenedBuilders> {
  const namespace = env.MILLRACE_BUILDER_NAMESPACE;
  const isolation = env.MILLRACE_BUILDER_ISOLATION;
  const cluster = await findCluster().catch((error: unknown) => {
    throw new UserError(error instanceof Error ? error.message : String(error));
  });
  const api = openApi(cluster, namespace);
  const inside = env.MILLRACE_BUILDER_REGISTRY ?? null;
  const endpoint = inside && (await openRegistryEndpoint({ authority, inside, host: env.HOST, listen, log }));
  if (endpoint) opened.add(endpoint.close);
  const builders = await createKubernetesBuilders({
    api,
    namespace,
    dataFolder,
    image: env.MILLRACE_BUILDER_IMAGE ?? (isolation === "rootless" ? `${IMAGE}-rootless` : IMAGE),
    isolation,
    storageClass: env.MILLRACE_BUILDER_STORAGE_CLASS,
    nodeLabels: env.MILLRACE_BUILDER_NODE_LABELS,
    platforms: env.MILLRACE_BUILDER_PLATFORMS,
    idleMs: env.MILLRACE_BUILDER_IDLE,
    registryHost: new URL(env.SITE_ORIGIN).host,
    registryInside: inside,
    authority,
    mirrored,
    entitlements: env.MILLRACE_BUILDER_ENTITLEMENTS,
    log,
    clock,
    lookAtClock,
  });
  opened.add(builders.close);
  await builders.sweep();
  return { ...builders, close: opened.close };
}
