/**
 * Builders as pods, with a real API server of Kubernetes: admission, rights, validation of fields, versions of objects. The
 * server has the service account of deploy/kubernetes-builders and its rights alone. Nothing schedules or runs pods there: a
 * stand-in for the node does, with a stand-in for buildkitd, and once with a real one.
 *
 * All of src/builds/testing/builders.ts, and:
 *
 * 8. The rights of the manifests are enough, and end there: no pods elsewhere, no secrets of the server, no commands in pods.
 * 9. A namespace that admits only restricted pods, and one whose quota is used up: each is reported with what to do.
 * 10. A real buildkitd in the pod's place builds, through this server's socket, with a warm layer cache after its restart.
 */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { openApi } from "#builds/index.ts";
import { proveBuilders } from "#builds/testing/builders.ts";
import type { PodFiles, RunningProgram } from "#builds/testing/pod-buildkitd.ts";
import { startNode } from "#builds/testing/node.ts";
import { nextProject, openPods, wantPod } from "#builds/testing/pods.ts";
import { findKubernetes, openRealCluster } from "./kubernetes-cluster.ts";
import { build, BUILD_MS, findBuildTools } from "./machine-stage.ts";

const programs = await findKubernetes();
const tools = programs && (await findBuildTools());
const cluster = programs && openRealCluster(programs);

const volume = mkdtempSync(join(tools?.folder ?? tmpdir(), "pod-volume-"));

describe.skipIf(!cluster)("builders of a cluster", { timeout: BUILD_MS }, () => {
  afterAll(() => {
    for (const folder of [volume, ...(tools ? [tools.folder] : [])])
      rmSync(folder, { recursive: true, force: true });
  });

  test("8. rights", async () => {
    const { ask } = await cluster!;
    const statusOf = async (method: string, path: string, body?: object) =>
      (await ask("server", method, path, body)).status;
    const inside = "/api/v1/namespaces/millrace-builders";
    expect(await statusOf("GET", `${inside}/pods`)).toBe(200);
    for (const [method, path] of [
      ["GET", "/api/v1/namespaces/millrace/pods"],
      ["GET", "/api/v1/namespaces/millrace/secrets/millrace-secrets"],
      ["GET", `${inside}/secrets`],
      ["DELETE", `${inside}/secrets/other`],
      ["POST", `${inside}/pods/other/exec?command=sh`],
      ["GET", "/api/v1/nodes"],
      ["GET", "/api/v1/namespaces"],
    ] as const)
      expect([path, await statusOf(method, path)]).toEqual([path, 403]);
  });

  test("9. admission", async () => {
    const opened = await cluster!;
    const { ask } = opened;
    const node = startNode(opened);
    const restricted = "pod-security.kubernetes.io/enforce";
    const make = (path: string, object: object) =>
      ask("admin", "POST", path, { apiVersion: "v1", ...object });
    for (const [name, labels] of [
      ["strict", { [restricted]: "restricted" }],
      ["full", {}],
    ] as const) {
      await make("/api/v1/namespaces", { kind: "Namespace", metadata: { name, labels } });
      await make(`/api/v1/namespaces/${name}/serviceaccounts`, {
        kind: "ServiceAccount",
        metadata: { name: "default" },
      });
    }
    const quota = { kind: "ResourceQuota", metadata: { name: "builders" }, spec: { hard: { pods: "0" } } };
    await make("/api/v1/namespaces/full/resourcequotas", quota);
    // In a cluster, a controller counts.
    await ask("admin", "PUT", "/api/v1/namespaces/full/resourcequotas/builders/status", {
      apiVersion: "v1",
      ...quota,
      status: { hard: { pods: "0" }, used: { pods: "0" } },
    });
    const openIn = async (namespace: string) => {
      const builders = await openPods(opened, node, { api: openApi(opened.admin, namespace), namespace });
      const refused = await builders.open(wantPod(nextProject())).catch(String);
      await builders.close();
      return refused;
    };
    expect(await openIn("strict")).toMatch(/namespace strict does not admit builders: .*PodSecurity/);
    expect(await openIn("full")).toMatch(/namespace full has no room for another builder: .*exceeded quota/);
    expect(await openIn("nowhere")).toMatch(/no namespace nowhere for builders/);
    await node.close();
  });

  test.skipIf(!tools)("10. a real buildkitd", async () => {
    const opened = await cluster!;
    const node = startNode(opened, (files, address) => runBuildkitd(tools!.programs, files, address));
    const builders = await openPods(opened, node, { isolation: "privileged", idleMs: 100 });
    const want = wantPod(nextProject());
    const dockerfile = "FROM base\nRUN echo built > /file\n";
    const first = await builders.open(want);
    const { code, output } = await build(tools!, first.socket, dockerfile);
    expect(code, output).toBe(0);
    first.release();
    await first.ended;
    const [usage] = await builders.usage(want.projectId);
    expect(usage?.bytes).toBeGreaterThan(100_000);
    const again = await builders.open(want);
    expect(again.isNew).toBe(true);
    expect((await build(tools!, again.socket, dockerfile)).output).toContain("CACHED");
    await builders.close();
    await node.close();
  });

  // Has a node of its own, and closes the cluster at its end.
  describe("as with a stand-in", { timeout: BUILD_MS }, () => proveBuilders(() => cluster!));
});

/** As in the pod, except for the paths, the address and the network. */
async function runBuildkitd(folder: string, files: PodFiles, address: string): Promise<RunningProgram> {
  const mounted = mkdtempSync(join(volume, "files-"));
  const root = join(volume, "cache");
  mkdirSync(root, { recursive: true });
  for (const [name, content] of Object.entries(files))
    writeFileSync(
      join(mounted, name),
      content
        .replaceAll("/etc/millrace", mounted)
        .replace('"/var/lib/buildkit"', JSON.stringify(root))
        .replace("tcp://0.0.0.0:", `tcp://${address}:`)
        .replace('networkMode = "bridge"', 'networkMode = "host"'),
    );
  const config = join(mounted, "buildkitd.toml");
  const otel = ["--otel-socket-path", join(mounted, "otel.sock")];
  const child = spawn(join(folder, "buildkitd"), ["--config", config, ...otel], { stdio: "ignore" });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  return {
    port: 8372,
    async stop() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
