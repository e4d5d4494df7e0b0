/**
 * With a stand-in for Kubernetes' API: everything in testing/builders.ts, and cases that are hard to cause in a real cluster:
 *
 * 8. An unreachable API, a server without rights, a namespace that does not admit builders or does not exist: each error says what
 *    to do, and a server without a cluster reports it at its start.
 * 9. A cluster without user namespaces would start pods with root's rights: it is refused, and nothing is left.
 * 10. Rootless pods get no key of the registry, and no privileges. Their volume belongs to a group; the layer cache is in a folder
 *    inside that does not pass the group on, and what a former release put into the volume itself is removed.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openApi } from "./api.ts";
import { findCluster } from "./cluster-access.ts";
import { MAKE_FOLDER } from "./pod.ts";
import { judgePod } from "./pod-state.ts";
import { proveBuilders } from "../testing/builders.ts";
import { openStandIn } from "../testing/cluster.ts";
import { nextProject, openPods, wantPod } from "../testing/pods.ts";
import { startNode } from "../testing/node.ts";

proveBuilders(openStandIn);

async function open() {
  const cluster = await openStandIn();
  const node = startNode(cluster);
  onTestFinished(async () => {
    await node.close();
    await cluster.close();
  });
  return { cluster, node };
}

test.each([
  [
    403,
    'pods is forbidden: User "x" cannot create resource "pods"',
    /does not let this server create builders/,
  ],
  [403, "exceeded quota: builders", /has no room for another builder.+raise its quota/],
  [403, 'violates PodSecurity "baseline:latest": privileged', /does not admit builders/],
  [
    404,
    'namespaces "millrace-builders" not found',
    /no namespace millrace-builders.+MILLRACE_BUILDER_NAMESPACE/,
  ],
  [
    422,
    "privileged: Forbidden: disallowed by cluster policy",
    /does not allow privileged pods.+ISOLATION=rootless/,
  ],
  [401, "Unauthorized", /does not recognize this server's service account/],
  [500, "etcdserver: request timed out", /Kubernetes responded with status 500: etcdserver/],
])("8. %i %s", async (status, message, told) => {
  const { cluster, node } = await open();
  cluster.refuse("pods", status, message);
  const builders = await openPods(cluster, node);
  await expect(builders.open(wantPod(nextProject()))).rejects.toThrow(told);
  await builders.close();
});

test("8. away", async () => {
  const { cluster, node } = await open();
  const url = "https://127.0.0.1:9";
  const api = openApi({ ...cluster.access, url }, cluster.namespace);
  const builders = await openPods(cluster, node, { api });
  await builders.sweep();
  await expect(builders.open(wantPod(nextProject()))).rejects.toThrow(
    /The Kubernetes API at https:\/\/127\.0\.0\.1:9 does not respond: .*ECONNREFUSED/,
  );
  await expect(builders.usage("prj_1")).rejects.toThrow("does not respond");
  await builders.close();
});

test("8. no cluster", async () => {
  await expect(findCluster({})).rejects.toThrow("this server does not run in a cluster");
  const folder = mkdtempSync(join(tmpdir(), "account-"));
  const env = { KUBERNETES_SERVICE_HOST: "fd00::1" };
  await expect(findCluster(env, folder)).rejects.toThrow("automountServiceAccountToken: true");
  writeFileSync(join(folder, "ca.crt"), "ca");
  writeFileSync(join(folder, "token"), "one\n");
  const access = await findCluster(env, folder);
  expect([access.url, access.ca, await access.readToken()]).toEqual(["https://[fd00::1]:443", "ca", "one"]);
  writeFileSync(join(folder, "token"), "two\n");
  expect(await access.readToken()).toBe("two");
});

test("9. no user namespaces", async () => {
  const { cluster, node } = await open();
  cluster.drop("hostUsers");
  const builders = await openPods(cluster, node);
  await expect(builders.open(wantPod(nextProject()))).rejects.toThrow(/MILLRACE_BUILDER_ISOLATION=rootless/);
  expect(
    (await node.list("pods")).filter(({ metadata }) => metadata.deletionTimestamp === undefined),
  ).toEqual([]);
  const privileged = await openPods(cluster, node, { isolation: "privileged" });
  expect((await privileged.open(wantPod(nextProject()))).isNew).toBe(true);
  await builders.close();
  await privileged.close();
});

test("10. rootless", async () => {
  const { cluster, node } = await open();
  const builders = await openPods(cluster, node, { isolation: "rootless" });
  await builders.open(wantPod(nextProject()));
  const files = node.files;
  expect([files["registry-key.pem"], files["registry-cert.pem"]]).toEqual(["", ""]);
  expect(files["buildkitd.toml"]).not.toContain("millrace-registry");
  expect(files["buildkitd.toml"]).toContain("noProcessSandbox = true");
  const [pod] = await node.list("pods");
  expect(JSON.stringify(pod?.spec)).not.toContain("privileged");
  expect(pod?.spec).toMatchObject({
    securityContext: { fsGroup: 1000, fsGroupChangePolicy: "OnRootMismatch" },
    initContainers: [{ command: ["sh", "-c", MAKE_FOLDER, "sh", "/home/user/.local/share/buildkit"] }],
    containers: [{ volumeMounts: [{ mountPath: "/home/user/.local/share/buildkit" }, {}] }],
  });
  expect(files["buildkitd.toml"]).toContain('root = "/home/user/.local/share/buildkit/cache"\n');
  await builders.close();
});

test("10. the volume of a rootless pod", () => {
  const volume = mkdtempSync(join(tmpdir(), "volume-"));
  // As a node does when it gives the volume to its group.
  execFileSync("chmod", ["2770", volume]);
  for (const name of ["runc-overlayfs", "lost+found"]) mkdirSync(join(volume, name));
  writeFileSync(join(volume, "cache.db"), "");
  const start = () => execFileSync("sh", ["-c", MAKE_FOLDER, "sh", volume]);
  start();
  const layer = join(volume, "cache", "layer");
  mkdirSync(layer);
  start();
  expect(readdirSync(volume).sort()).toEqual(["cache", "lost+found"]);
  expect(statSync(join(volume, "cache")).mode & 0o7777).toBe(0o700);
  expect(statSync(layer).mode & 0o7000).toBe(0);
});

test("5. words while it waits", () => {
  const metadata = { name: "a", uid: "1", resourceVersion: "1" };
  const conditions = [
    { type: "PodScheduled", status: "False", message: "0/3 nodes are available: 3 Insufficient cpu." },
  ];
  expect(judgePod({ metadata, spec: {}, status: { phase: "Pending", conditions } })).toEqual({
    is: "waits",
    why: "no node has room for it: 0/3 nodes are available: 3 Insufficient cpu.",
  });
  const terminated = { exitCode: 137, reason: "OOMKilled" };
  const status = { phase: "Failed", containerStatuses: [{ state: { terminated } }] };
  expect(judgePod({ metadata, spec: {}, status })).toEqual({
    is: "over",
    why: "the builder exceeded its memory limit",
  });
});
