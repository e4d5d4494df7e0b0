/** For tests: servers that create builders in a cluster, and a node for their pods. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, afterEach, beforeAll } from "vitest";
import type { Log } from "#platform/log/log.ts";
import { makeAuthority, openAuthority } from "../certificates/certificates.ts";
import type { BuilderWant } from "../machine/machine.ts";
import { openApi } from "../kubernetes/api.ts";
import { createKubernetesBuilders, type KubernetesBuilders } from "../kubernetes/builders.ts";
import type { KubernetesBuildersOptions } from "../kubernetes/options.ts";
import type { TestCluster } from "./cluster.ts";
import { type SeenObject, startNode, type TestNode } from "./node.ts";

const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {}, writes: () => false, flush() {} };
const MOST_MS = 20_000;

export const wantPod = (projectId: string, more: Partial<BuilderWant> = {}): BuilderWant => ({
  organizationId: "org_7q4hx2n9ds",
  projectId,
  platform: "linux/amd64",
  cpus: 2,
  cacheBytes: 10 * 1024 ** 3,
  cacheDays: 14,
  ...more,
});

export async function comesTrue(ask: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + MOST_MS;
  while (!(await ask())) {
    if (Date.now() > end) throw new Error("It has not come true");
    await wait(20);
  }
}

export async function openPods(
  cluster: TestCluster,
  node: TestNode,
  more: Partial<KubernetesBuildersOptions> = {},
): Promise<KubernetesBuilders> {
  return createKubernetesBuilders({
    api: openApi(cluster.access, cluster.namespace),
    namespace: cluster.namespace,
    dataFolder: mkdtempSync(join(tmpdir(), "pods-")),
    image: "moby/buildkit:v0.33.0",
    isolation: "user-namespace",
    nodeLabels: { pool: "builds" },
    platforms: ["linux/amd64"],
    idleMs: 60_000,
    registryHost: "millrace.example.com",
    registryInside: "millrace-registry.millrace.svc:8373",
    authority: await openAuthority(await makeAuthority(new Date())),
    mirrored: ["docker.io"],
    entitlements: [],
    log: silentLog,
    clock: Date.now,
    portOf: node.portOf,
    ...more,
  });
}

let projects = 0;
/** The tests of a file share a cluster. */
export const nextProject = (): string => `prj_${process.pid}x${(projects += 1)}`;

export interface Stage {
  start: (more?: Partial<KubernetesBuildersOptions>) => Promise<{
    cluster: TestCluster;
    node: TestNode;
    builders: KubernetesBuilders;
    ofProject: (kind: "pods" | "persistentvolumeclaims", projectId: string) => Promise<SeenObject[]>;
  }>;
}

/** @param open called once for all tests of a file */
export function makeStage(open: () => Promise<TestCluster>): Stage {
  const { promise: opened, resolve } = Promise.withResolvers<{ cluster: TestCluster; node: TestNode }>();
  beforeAll(async () => {
    const cluster = await open();
    resolve({ cluster, node: startNode(cluster) });
  });
  const servers: KubernetesBuilders[] = [];
  afterEach(async () => {
    const { node } = await opened;
    node.plan(null);
    await Promise.all(servers.splice(0).map((each) => each.close()));
  });
  afterAll(async () => {
    const { cluster, node } = await opened;
    await node.close();
    await cluster.close();
  });
  return {
    async start(more) {
      const { cluster, node } = await opened;
      const builders = await openPods(cluster, node, more);
      servers.push(builders);
      return {
        cluster,
        node,
        builders,
        ofProject: async (kind, projectId) =>
          (await node.list(kind)).filter(({ metadata }) => JSON.stringify(metadata).includes(projectId)),
      };
    },
  };
}
