/**
 * The objects of one builder in the cluster:
 *
 *   persistentvolumeclaim  builder-3f9a1c20b7           its layer cache, kept; its last size in an annotation
 *   pod                    builder-3f9a1c20b7           while it is in use or warm
 *   secret                 builder-3f9a1c20b7-5kq2…     belongs to the pod, and is removed with it
 */
import { createHash } from "node:crypto";
import { CPU_MEMORY_BYTES } from "../machine/limits.ts";
import type { BuilderWant } from "../machine/machine.ts";
import { namesOf } from "../machine/places.ts";
import { GRACE_SECONDS, POD_PORT } from "./limits.ts";
import type { KubernetesBuildersOptions } from "./options.ts";
import { FILES, mountOf } from "./pod-config.ts";

const PREFIX = "millrace.dev";
const NAME_LENGTH = 16;
const CPU_STEPS = 2;
const DAY_SECONDS = 24 * 60 * 60;
/** Layers that a build makes until the next size check, and what BuildKit leaves free. */
const VOLUME_FACTOR = 1.25;
const ROOTLESS_USER = 1000;
const GIBIBYTE = 1024 ** 3;

/** Until when a pod stays warm, and, for each server, until when it uses the pod: milliseconds since 1970. */
export const WARM_UNTIL = `${PREFIX}/warm-until`;
export const USED_BY = `used-by.${PREFIX}/`;
export const USAGE = `${PREFIX}/usage`;
export const PROJECT = `${PREFIX}/project`;
export const PLATFORM = `${PREFIX}/platform`;

/** The label of all objects of this installation. */
export const serverLabel = (registryHost: string): string =>
  `${PREFIX}/server=${createHash("sha256").update(registryHost).digest("hex").slice(0, NAME_LENGTH)}`;

export const projectLabels = (registryHost: string, projectId: string): string =>
  `${serverLabel(registryHost)},${PROJECT}=${projectId}`;

export function nameBuilder(registryHost: string, { projectId, platform }: BuilderIs): string {
  const { key } = namesOf(projectId, platform);
  const digest = createHash("sha256").update(`${registryHost} ${key}`).digest("hex");
  return `builder-${digest.slice(0, NAME_LENGTH)}`;
}

export type BuilderIs = Pick<BuilderWant, "projectId" | "platform">;

function labelsOf(registryHost: string, { projectId, platform }: BuilderIs): Record<string, string> {
  const [label = "", server = ""] = serverLabel(registryHost).split("=");
  return {
    "app.kubernetes.io/name": "millrace-builder",
    "app.kubernetes.io/managed-by": "millrace",
    [label]: server,
    [PROJECT]: projectId,
    [PLATFORM]: platform.replaceAll("/", "-"),
  };
}

export function makeClaim(options: KubernetesBuildersOptions, want: BuilderWant): object {
  const { registryHost, storageClass } = options;
  const gibibytes = Math.max(1, Math.ceil((want.cacheBytes * VOLUME_FACTOR) / GIBIBYTE));
  return {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name: nameBuilder(registryHost, want), labels: labelsOf(registryHost, want) },
    spec: {
      accessModes: ["ReadWriteOnce"],
      ...(storageClass !== undefined && { storageClassName: storageClass }),
      resources: { requests: { storage: `${gibibytes}Gi` } },
    },
  };
}

export interface PodParts {
  secretName: string;
  /** The initial annotations: until when it is in use. */
  annotations: Readonly<Record<string, string>>;
}

export function makePod(
  options: KubernetesBuildersOptions,
  want: BuilderWant,
  { secretName, annotations }: PodParts,
): object {
  const { isolation, registryHost, nodeLabels } = options;
  const name = nameBuilder(registryHost, want);
  const isRootless = isolation === "rootless";
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, labels: labelsOf(registryHost, want), annotations },
    spec: {
      restartPolicy: "Never",
      // Builds end with their builder anyway; a build that needs longer than this to stop is killed.
      terminationGracePeriodSeconds: GRACE_SECONDS,
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      ...(isolation === "user-namespace" && { hostUsers: false }),
      ...(isRootless && {
        // By default, a node gives each file of each layer to this group, with other modes, whenever a pod starts.
        securityContext: { fsGroup: ROOTLESS_USER, fsGroupChangePolicy: "OnRootMismatch" },
        initContainers: [makeFolderContainer(options, want)],
      }),
      nodeSelector: {
        ...nodeLabels,
        "kubernetes.io/os": "linux",
        "kubernetes.io/arch": archOf(want.platform),
      },
      // Nodes only for builders have this taint.
      tolerations: [{ key: `${PREFIX}/builders`, operator: "Exists" }],
      containers: [makeContainer(options, want)],
      volumes: [
        { name: "cache", persistentVolumeClaim: { claimName: name } },
        {
          name: "files",
          secret: {
            secretName,
            defaultMode: isRootless ? 0o440 : 0o400,
            // Without the key that authenticates this server.
            items: MOUNTED.map((key) => ({ key, path: key })),
          },
        },
      ],
    },
  };
}

/** Keys of the Secret; without an internal registry, its files are empty. */
const MOUNTED = [
  "buildkitd.toml",
  "server-ca.pem",
  "server-cert.pem",
  "server-key.pem",
  "registry-ca.pem",
  "registry-cert.pem",
  "registry-key.pem",
];

const ROOTLESS_RIGHTS = {
  runAsUser: ROOTLESS_USER,
  runAsGroup: ROOTLESS_USER,
  runAsNonRoot: true,
  seccompProfile: { type: "Unconfined" },
  appArmorProfile: { type: "Unconfined" },
};

/** A former release put the cache directly into the volume, and each start of a pod changed its modes. */
export const MAKE_FOLDER = `umask 077
mkdir -p "$1/cache" && chmod g-s "$1/cache" || exit 1
for each in "$1"/*; do
  case $each in */cache | */lost+found) ;; *) rm -rf "$each" || true ;; esac
done`;

/** Makes the folder of the layer cache, in which modes and groups stay as buildkitd sets them. */
function makeFolderContainer(options: KubernetesBuildersOptions, want: BuilderWant): object {
  const mountPath = mountOf(options.isolation);
  return {
    name: "folder",
    image: options.image,
    command: ["sh", "-c", MAKE_FOLDER, "sh", mountPath],
    resources: resourcesOf(options, want),
    securityContext: ROOTLESS_RIGHTS,
    volumeMounts: [{ name: "cache", mountPath }],
  };
}

/** Init containers also have them: a quota requires limits of every container, and the larger one counts. */
function resourcesOf(options: KubernetesBuildersOptions, want: BuilderWant): object {
  const { cpuMemoryBytes = CPU_MEMORY_BYTES } = options;
  const size = { cpu: String(want.cpus), memory: String(want.cpus * cpuMemoryBytes) };
  return { requests: size, limits: size };
}

function makeContainer(options: KubernetesBuildersOptions, want: BuilderWant): object {
  const { image, isolation } = options;
  return {
    name: "buildkitd",
    image,
    args: ["--config", `${FILES}/buildkitd.toml`],
    env: proxies(),
    ports: [{ name: "buildkit", containerPort: POD_PORT }],
    resources: resourcesOf(options, want),
    // Puts the last log lines into the pod's status.
    terminationMessagePolicy: "FallbackToLogsOnError",
    securityContext: isolation === "rootless" ? ROOTLESS_RIGHTS : { privileged: true },
    volumeMounts: [
      { name: "cache", mountPath: mountOf(isolation) },
      { name: "files", mountPath: FILES, readOnly: true },
    ],
  };
}

const PROXIES = ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"];
const proxies = () =>
  [...PROXIES, ...PROXIES.map((name) => name.toLowerCase())].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [{ name, value }];
  });

/** Kubernetes' names of architectures. */
function archOf(platform: string): string {
  const [, arch = "", variant = ""] = platform.split("/");
  if (arch === "386") return "amd64";
  return arch === "arm" && variant !== "" ? "arm" : arch;
}

/** Simultaneous steps, and the limits of the cache. */
export const limitsOf = (want: BuilderWant) => ({
  parallelism: want.cpus * CPU_STEPS,
  cache: { maxBytes: want.cacheBytes, unusedSeconds: want.cacheDays * DAY_SECONDS },
});
