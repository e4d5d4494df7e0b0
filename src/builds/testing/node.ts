/** For tests: the parts of a cluster's scheduler, node and controllers that builders depend on. */
import { Agent, request } from "node:https";
import { json } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import type { TestCluster } from "./cluster.ts";
import { type PodFiles, type RunningProgram, runStandIn } from "./pod-buildkitd.ts";

const LOOK_MS = 25;

const seen = z.looseObject({
  metadata: z.looseObject({
    name: z.string(),
    uid: z.string().optional(),
    deletionTimestamp: z.string().optional(),
    annotations: z.record(z.string(), z.string()).optional(),
  }),
  spec: z.looseObject({
    nodeName: z.string().optional(),
    volumes: z
      .array(
        z.looseObject({
          secret: z
            .looseObject({ secretName: z.string(), items: z.array(z.looseObject({ key: z.string() })) })
            .optional(),
        }),
      )
      .optional(),
  }),
});
export type SeenObject = z.infer<typeof seen>;
const list = z.object({ items: z.array(seen) });
const secret = z.looseObject({ data: z.record(z.string(), z.string()).optional() });

/** Runs a pod's program, which listens at the pod's address. */
type RunPod = (files: PodFiles, address: string) => Promise<RunningProgram>;

export const startNode = (cluster: TestCluster, run: RunPod = runStandIn): TestNode =>
  new TestNode(cluster, run);

export class TestNode {
  readonly #cluster: TestCluster;
  readonly #run: RunPod;
  readonly #agent: Agent;
  /** By the pod's uid: another pod may have the same name. */
  readonly #programs = new Map<string, RunningProgram & { name: string }>();
  readonly #ports = new Map<string, number>();
  readonly #looking: Promise<void>;
  #planned: object | null = null;
  #addresses = 0;
  #isClosed = false;
  /** Files of the last started pod: those that it mounts from its Secret. */
  files: PodFiles = {};

  constructor(cluster: TestCluster, run: RunPod) {
    this.#cluster = cluster;
    this.#run = run;
    this.#agent = new Agent({ ca: cluster.admin.ca, keepAlive: true });
    this.#looking = this.#lookAgain();
  }

  /** An option for builders. */
  portOf = (address: string): number => this.#ports.get(address) ?? 1;

  list = async (kind: "pods" | "persistentvolumeclaims"): Promise<readonly SeenObject[]> =>
    list.parse(await this.#ask("GET", kind)).items;

  /** Changes the pod's status; its program continues. */
  async tell(name: string, status: object): Promise<void> {
    await this.#ask("PATCH", `pods/${name}/status`, { status });
  }

  async annotate(name: string, annotations: object): Promise<void> {
    await this.#ask("PATCH", `pods/${name}`, { metadata: { annotations } });
  }

  /** Pods get this status from now on; null: they run. */
  plan(status: object | null): void {
    this.#planned = status;
  }

  /** Stops the pod's program; its status stays. */
  async stop(name: string): Promise<void> {
    for (const program of this.#programs.values()) if (program.name === name) await program.stop();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#looking;
    await Promise.all([...this.#programs.values()].map(({ stop }) => stop()));
    this.#agent.destroy();
  }

  async #lookAgain(): Promise<void> {
    for (; !this.#isClosed; await wait(LOOK_MS))
      // The next look handles what has changed meanwhile.
      await this.#look().catch(() => {});
  }

  async #look(): Promise<void> {
    const pods = await this.list("pods");
    for (const [uid, program] of this.#programs) {
      const pod = pods.find(({ metadata }) => metadata.uid === uid);
      if (pod && pod.metadata.deletionTimestamp === undefined) continue;
      await program.stop();
      this.#programs.delete(uid);
    }
    for (const pod of pods) {
      const { name, uid = "", deletionTimestamp } = pod.metadata;
      if (deletionTimestamp !== undefined)
        await this.#ask("DELETE", `pods/${name}`, { gracePeriodSeconds: 0 });
      else if (!this.#programs.has(uid)) await this.#start(pod);
    }
    for (const { metadata } of await this.list("persistentvolumeclaims"))
      if (metadata.deletionTimestamp !== undefined)
        await this.#ask("PATCH", `persistentvolumeclaims/${metadata.name}`, {
          metadata: { finalizers: null },
        });
  }

  async #start(pod: SeenObject): Promise<void> {
    const { name, uid = "" } = pod.metadata;
    const target = { kind: "Node", name: "node-1" };
    if (pod.spec.nodeName === undefined)
      await this.#ask("POST", `pods/${name}/binding`, {
        apiVersion: "v1",
        kind: "Binding",
        metadata: { name },
        target,
      });
    if (this.#planned) return this.tell(name, this.#planned);
    const mount = pod.spec.volumes?.find((each) => each.secret)?.secret;
    const { data } = secret.parse(await this.#ask("GET", `secrets/${mount?.secretName}`));
    // A node retries until the Secret exists.
    if (!data || !mount) return;
    const decode = (key: string) => Buffer.from(data[key] ?? "", "base64").toString();
    this.files = Object.fromEntries(mount.items.map(({ key }) => [key, decode(key)]));
    const address = `127.0.1.${(this.#addresses += 1)}`;
    const program = await this.#run(this.files, address);
    this.#programs.set(uid, { ...program, name });
    this.#ports.set(address, program.port);
    await this.tell(name, describeRunning(address));
  }

  async #ask(method: string, path: string, body?: object): Promise<unknown> {
    const { admin, namespace } = this.#cluster;
    const token = await admin.readToken();
    const type = method === "PATCH" ? "application/merge-patch+json" : "application/json";
    const content = body && JSON.stringify(body);
    const headers = {
      authorization: `Bearer ${token}`,
      ...(content && { "content-type": type, "content-length": Buffer.byteLength(content) }),
    };
    return new Promise<unknown>((resolve, reject) => {
      const url = `${admin.url}/api/v1/namespaces/${namespace}/${path}`;
      const asked = request(url, { agent: this.#agent, method, headers }, (response) =>
        json(response).then(resolve, reject),
      );
      asked.once("error", reject);
      asked.end(content);
    });
  }
}

const describeRunning = (address: string) => ({
  phase: "Running",
  podIP: address,
  podIPs: [{ ip: address }],
  containerStatuses: [
    {
      name: "buildkitd",
      state: { running: { startedAt: new Date().toISOString() } },
      ready: true,
      restartCount: 0,
      image: "buildkit",
      imageID: "buildkit",
    },
  ],
});
