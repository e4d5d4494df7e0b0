/** What the operator says of builders in a cluster. */
import type { Log } from "#platform/log/log.ts";
import type { Authority } from "../certificates.ts";
import type { KubernetesApi } from "./api.ts";

export type Isolation = "user-namespace" | "rootless" | "privileged";

export interface KubernetesBuildersOptions {
  api: KubernetesApi;
  /** Of messages. */
  namespace: string;
  /** For sockets of this process. */
  dataFolder: string;
  image: string;
  isolation: Isolation;
  /** Absent: the cluster's own rule. */
  storageClass?: string | undefined;
  /** Beside the architecture: `pool=builds`. */
  nodeLabels: Readonly<Record<string, string>>;
  platforms: readonly string[];
  idleMs: number;
  /** As images name it: `millrace.example.com`. */
  registryHost: string;
  /** Where builders reach this server's registry: `millrace-registry.millrace.svc:8373`; null: by its public address. */
  registryInside: string | null;
  /** Signs what builders show to the registry. */
  authority: Pick<Authority, "certificate" | "signBuilder">;
  mirrored: readonly string[];
  entitlements: readonly string[];
  cpuMemoryBytes?: number;
  log: Log;
  /** Of all servers that use the cluster, milliseconds since 1970. */
  clock: () => number;
  /** Sets `clock` right by the database's; absent: it is the machine's, and no other server goes by it. */
  lookAtClock?: (() => Promise<void>) | undefined;
  /** Milliseconds from any origin, by a clock that nobody sets. */
  elapsed?: () => number;
  /** For tests: how this server reaches a pod. */
  portOf?: (address: string) => number;
}
