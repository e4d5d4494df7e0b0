/** The operator's settings for builders in a cluster. */
import type { Log } from "#platform/log/log.ts";
import type { Authority } from "../certificates/certificates.ts";
import type { KubernetesApi } from "./api.ts";

export type Isolation = "user-namespace" | "rootless" | "privileged";

export interface KubernetesBuildersOptions {
  api: KubernetesApi;
  /** For messages. */
  namespace: string;
  /** For sockets of this process. */
  dataFolder: string;
  image: string;
  isolation: Isolation;
  /** Absent: the cluster's default. */
  storageClass?: string | undefined;
  /** In addition to the architecture: `pool=builds`. */
  nodeLabels: Readonly<Record<string, string>>;
  platforms: readonly string[];
  idleMs: number;
  /** The host in image names: `millrace.example.com`. */
  registryHost: string;
  /** The address at which builders reach this server's registry: `millrace-registry.millrace.svc:8373`; null: its public address. */
  registryInside: string | null;
  /** Signs the certificates that builders show to the registry. */
  authority: Pick<Authority, "certificate" | "signBuilder">;
  mirrored: readonly string[];
  entitlements: readonly string[];
  cpuMemoryBytes?: number;
  log: Log;
  /** The clock of all servers that use the cluster, in milliseconds since 1970. */
  clock: () => number;
  /** Sets `clock` by the database's; absent: it is the machine's clock, and no other server uses it. */
  lookAtClock?: (() => Promise<void>) | undefined;
  /** Milliseconds from any origin, by a clock that is never set. */
  elapsed?: () => number;
  /** For tests: how this server reaches a pod. */
  portOf?: (address: string) => number;
}
