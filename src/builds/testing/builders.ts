/**
 * What builders guarantee in any cluster: with a stand-in for Kubernetes' API (builders.test.ts), and with a real one
 * (tests/clients/builds/kubernetes.test.ts).
 *
 * 1. Simultaneous callers share one pod; it stays warm, is removed when no build comes, and its volume stays.
 * 2. A pod's buildkitd answers this server, and no one with another pod's certificate.
 * 3. Several servers share a pod; another server removes what a killed server has left, and nothing too early: not a server that
 *    slept, whose time is behind, and not when the clock was set.
 * 4. A pod that is evicted during use ends the place with the reason; the next build gets another pod and the volume.
 * 5. The reason why a pod does not start is reported: image, node's refusal, its program's last words; nothing of the pod is left.
 * 6. The size of a cache is known while no pod runs; a reset removes the volume, but not while another server uses it.
 * 7. The pod has a size, an architecture and no key of this server; a project's name cannot break out of its label.
 */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeAuthority, openAuthority } from "../certificates/certificates.ts";
import { answers } from "../machine/ask-buildkitd.ts";
import { openApi } from "../kubernetes/api.ts";
import { openBridge } from "../kubernetes/bridge.ts";
import { proveClocks } from "./builder-clocks.ts";
import { readDial } from "../kubernetes/pod-secret.ts";
import type { TestCluster } from "./cluster.ts";
import { comesTrue, makeStage, nextProject, type Stage, wantPod } from "./pods.ts";

/** @param open called once for all tests */
export function proveBuilders(open: () => Promise<TestCluster>): void {
  const stage = makeStage(open);
  proveSharing(stage);
  proveClocks(stage);
  proveFailures(stage);
  proveStarts(stage);
  proveCaches(stage);
}

function proveSharing({ start }: Stage): void {
  test("1. one pod for all, warm, removed", async () => {
    const projectId = nextProject();
    const { builders, ofProject } = await start({ idleMs: 200 });
    const want = wantPod(projectId);
    const [one, other] = await Promise.all([builders.open(want), builders.open(want)]);
    expect([one.isNew, other.isNew].toSorted()).toEqual([false, true]);
    expect(other.socket).toBe(one.socket);
    expect(await answers(one.socket)).toBe(true);
    one.release();
    one.release();
    expect(await answers(other.socket)).toBe(true);
    other.release();
    const warm = await builders.open(want);
    expect(warm.isNew).toBe(false);
    warm.release();
    await warm.ended;
    await comesTrue(async () => (await ofProject("pods", projectId)).length === 0);
    expect(await ofProject("persistentvolumeclaims", projectId)).toHaveLength(1);
    expect((await builders.open(want)).isNew).toBe(true);
    expect(await ofProject("persistentvolumeclaims", projectId)).toHaveLength(1);
  });

  test("2. only this server", async () => {
    const projectId = nextProject();
    const { cluster, node, builders, ofProject } = await start();
    const place = await builders.open(wantPod(projectId));
    const api = openApi(cluster.admin, cluster.namespace);
    const [pod] = await ofProject("pods", projectId);
    const name = pod?.spec.volumes?.find(({ secret }) => secret)?.secret?.secretName ?? "";
    const secret = await api.get("secrets", name);
    const address = await api.get("pods", pod?.metadata.name ?? "").then((each) => JSON.stringify(each));
    const podIP = /"podIP":"([^"]+)"/.exec(address)?.[1] ?? "";
    const stranger = await openAuthority(await makeAuthority(new Date()));
    const signed = await stranger.signBuilder("org_1", "prj_1", new Date(Date.now() + 60_000));
    const dial = { ...readDial(secret, podIP, node.portOf(podIP)), ...signed };
    const socket = join(mkdtempSync(join(tmpdir(), "bridge-")), "s");
    const bridge = await openBridge(socket, dial, () => {});
    expect(await answers(socket)).toBe(false);
    expect(await answers(place.socket)).toBe(true);
    await bridge.close();
  });

  test("3. several servers, and a killed one", async () => {
    const projectId = nextProject();
    const [one, other] = [await start(), await start()];
    const want = wantPod(projectId);
    const [first, second] = await Promise.all([one.builders.open(want), other.builders.open(want)]);
    expect([first.isNew, second.isNew].filter(Boolean)).toHaveLength(1);
    await one.builders.close();
    expect(await answers(second.socket)).toBe(true);
    await one.builders.sweep();
    const [pod] = await one.ofProject("pods", projectId);
    expect(pod?.metadata.deletionTimestamp).toBeUndefined();
    // As if the other server had been killed: none notes that it uses the pod.
    const past = Object.keys(pod?.metadata.annotations ?? {}).map((name) => [name, "1"]);
    await one.node.annotate(pod?.metadata.name ?? "", Object.fromEntries(past));
    await one.builders.sweep();
    await comesTrue(async () => (await one.ofProject("pods", projectId)).length === 0);
  });
}

function proveFailures({ start }: Stage): void {
  test("4. evicted", async () => {
    const projectId = nextProject();
    const { builders, node, ofProject } = await start();
    const want = wantPod(projectId);
    const place = await builders.open(want);
    const [pod] = await ofProject("pods", projectId);
    const name = pod?.metadata.name ?? "";
    // As a build has.
    const connection = connect(place.socket);
    onTestFinished(() => void connection.destroy());
    await once(connection, "connect");
    await node.tell(name, { phase: "Failed", reason: "Evicted", message: "The node was low on memory." });
    // The end of a connection is how a server learns of it immediately.
    await node.stop(name);
    expect(await place.ended).toContain("evicted: The node was low on memory.");
    expect((await builders.open(want)).isNew).toBe(true);
    expect(await ofProject("persistentvolumeclaims", projectId)).toHaveLength(1);
  });

  test("4. evicted, and the node says so later", async () => {
    const projectId = nextProject();
    const { cluster } = await start();
    const api = openApi(cluster.access, cluster.namespace);
    const looks: unknown[] = [];
    const get: typeof api.get = async (...asked) => {
      const found = await api.get(...asked);
      looks.push(found);
      return found;
    };
    const { builders, node, ofProject } = await start({ api: { ...api, get } });
    const place = await builders.open(wantPod(projectId));
    const [pod] = await ofProject("pods", projectId);
    const name = pod?.metadata.name ?? "";
    const connection = connect(place.socket);
    onTestFinished(() => void connection.destroy());
    await once(connection, "connect");
    looks.length = 0;
    await node.stop(name);
    // The server looked for the pod, whose status says that it runs.
    await comesTrue(async () => looks.length > 0);
    await node.tell(name, { phase: "Failed", reason: "Evicted", message: "The node was low on memory." });
    expect(await place.ended).toContain("evicted: The node was low on memory.");
    expect(place.isReason).toBe(true);
  });
}

function proveStarts({ start }: Stage): void {
  test.each([
    [
      "image",
      waiting("ImagePullBackOff", 'Back-off pulling image "moby/buildkit:v0"'),
      /its image cannot be pulled \(ImagePullBackOff\): Back-off pulling.+MILLRACE_BUILDER_IMAGE/,
    ],
    [
      "node",
      waiting("CreateContainerError", "the runtime does not support user namespaces"),
      /its node cannot start it \(CreateContainerError\): the runtime/,
    ],
    [
      "program",
      {
        phase: "Failed",
        containerStatuses: [
          container({ terminated: { exitCode: 1, message: "buildkitd: no overlayfs", reason: "Error" } }),
        ],
      },
      /ended with code 1: buildkitd: no overlayfs/,
    ],
  ])("5. %s", async (_, status, message) => {
    const projectId = nextProject();
    const { builders, node, ofProject } = await start();
    node.plan(status);
    await expect(builders.open(wantPod(projectId))).rejects.toThrow(message);
    await comesTrue(async () => (await ofProject("pods", projectId)).length === 0);
  });
}

function proveCaches({ start }: Stage): void {
  test("6. size and reset", async () => {
    const projectId = nextProject();
    const [one, other] = [await start(), await start()];
    const want = wantPod(projectId);
    const place = await one.builders.open(want);
    expect(await one.builders.usage(projectId)).toEqual([
      { platform: "linux/amd64", bytes: 3_000, layers: 3 },
    ]);
    expect(await other.builders.projects()).toContain(projectId);
    await expect(other.builders.reset(projectId)).rejects.toThrow(
      "Builds on another server are using the layer cache",
    );
    expect(await one.builders.reset(projectId)).toEqual({ freedBytes: 3_000 });
    place.release();
    await comesTrue(async () => (await other.builders.usage(projectId))[0]?.bytes === 0);
    const [anew] = await Promise.all([one.builders.open(want), one.builders.reset(projectId, "linux/amd64")]);
    anew.release();
    await one.builders.reset(projectId);
    await comesTrue(async () => (await one.ofProject("persistentvolumeclaims", projectId)).length === 0);
    expect(await one.builders.usage(projectId)).toEqual([]);
    expect(await one.builders.projects()).not.toContain(projectId);
  });

  test("7. what the pod is", async () => {
    const projectId = nextProject();
    const { builders, node, ofProject } = await start();
    await builders.open(wantPod(projectId, { cpus: 8 }));
    const [pod] = await ofProject("pods", projectId);
    expect(pod?.spec).toMatchObject({
      restartPolicy: "Never",
      automountServiceAccountToken: false,
      hostUsers: false,
      nodeSelector: { pool: "builds", "kubernetes.io/arch": "amd64" },
      containers: [{ resources: { requests: { cpu: "8" }, limits: { cpu: "8" } } }],
    });
    expect(Object.keys(node.files)).not.toContain("client-key.pem");
    expect(node.files["buildkitd.toml"]).toContain(
      'mirrors = ["millrace-registry.millrace.svc:8373/mirror/docker.io"]',
    );
    await expect(builders.open(wantPod("prj_1,a=b"))).rejects.toThrow("not a project id");
    await expect(builders.usage("../other")).rejects.toThrow("not a project id");
  });
}

const container = (state: object) => ({
  name: "buildkitd",
  state,
  ready: false,
  restartCount: 0,
  image: "buildkit",
  imageID: "",
});

function waiting(reason: string, message: string): object {
  return { phase: "Pending", containerStatuses: [container({ waiting: { reason, message } })] };
}
