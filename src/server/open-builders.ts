/** Builders where the operator wants them: on this machine, or in the cluster that this server runs in. */
import {
  type BuildersOptions,
  createBuilders,
  createKubernetesBuilders,
  findBuildkitd,
  findCluster,
  openApi,
  openRegistryDoor,
  type openBuildAuthority,
} from "#builds/index.ts";
import type { Log } from "#platform/log/log.ts";
import type { Environment } from "./environment.ts";

/** Of the same version, so that both kinds of builders do the same. */
const IMAGE = "moby/buildkit:v0.33.0";

interface OpenBuildersOptions {
  dataFolder: string;
  /** Of layer caches on this machine. */
  folder: string;
  authority: Awaited<ReturnType<typeof openBuildAuthority>>;
  listen: BuildersOptions["listen"];
  noteSpoiled: BuildersOptions["noteSpoiled"];
  mirrored: readonly string[];
  log: Log;
}

type OpenedBuilders = Awaited<ReturnType<typeof createBuilders>>;

export function openBuilders(env: Environment, options: OpenBuildersOptions): Promise<OpenedBuilders> {
  if (env.MILLRACE_BUILDERS === "kubernetes") return openPods(env, options);
  const { dataFolder, folder, listen, mirrored, noteSpoiled, log } = options;
  const docker = { image: env.MILLRACE_BUILDER_IMAGE ?? IMAGE, host: process.env["DOCKER_HOST"] };
  return createBuilders({
    dataFolder,
    noteSpoiled,
    findBuildkitd: () =>
      findBuildkitd({ env: process.env, folder, download: env.MILLRACE_BUILDKIT_URL, docker }),
    idleMs: env.MILLRACE_BUILDER_IDLE,
    registryHost: new URL(env.SITE_ORIGIN).host,
    mirrored,
    entitlements: env.MILLRACE_BUILDER_ENTITLEMENTS,
    listen,
    log,
  });
}

/** @throws Error where the server is in no cluster, or the port for its registry is taken: nothing could be built */
async function openPods(
  env: Environment,
  { dataFolder, authority, listen, mirrored, log }: OpenBuildersOptions,
): Promise<OpenedBuilders> {
  const namespace = env.MILLRACE_BUILDER_NAMESPACE;
  const isolation = env.MILLRACE_BUILDER_ISOLATION;
  const api = openApi(await findCluster(), namespace);
  const inside = env.MILLRACE_BUILDER_REGISTRY ?? null;
  const door = inside && (await openRegistryDoor({ authority, inside, host: env.HOST, listen, log }));
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
  });
  await builders.sweep();
  return {
    ...builders,
    async close() {
      await builders.close();
      if (door) await door.close();
    },
  };
}
