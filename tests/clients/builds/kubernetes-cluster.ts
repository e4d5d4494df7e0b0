/**
 * A real API server of Kubernetes with its etcd, and the manifests of deploy/kubernetes-builders in it. Nothing schedules or
 * runs pods there: src/builds/testing/node.ts does.
 */
import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { Agent, request } from "node:https";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { z } from "zod";
import type { TestCluster } from "#builds/testing/cluster.ts";
import { findManifests } from "../../deploy/kubernetes.ts";
import { cannotHave, installOnce, toolFolder } from "../cache/install-tool.ts";

const run = promisify(execFile);
const ADMIN = "admin-of-tests";
const START_MS = 120_000;
const NAMESPACE = "millrace-builders";

const KUBERNETES = "v1.34.4";
const BUILD_MS = 60 * 60_000;
/** Whether an API server may be built: that needs eight minutes of processor time. */
const MAY_BUILD = process.env["MILLRACE_TEST_KUBERNETES"] === "build";

/** @returns null, with a message, where they are missing */
export async function findKubernetes(): Promise<{ apiServer: string; etcd: string } | null> {
  const name = `kube-apiserver-${KUBERNETES}`;
  const program = join(toolFolder(name), "kube-apiserver");
  if (!MAY_BUILD && !existsSync(program))
    return cannotHave("Kubernetes' API server", "MILLRACE_TEST_KUBERNETES=build builds it, in ten minutes");
  if ((await installOnce(name, buildApiServer)) === null) return null;
  const etcd = await installOnce("etcd", unpackEtcd);
  return etcd === null ? null : { apiServer: program, etcd: join(etcd, "usr/bin/etcd") };
}

/** An installed one would start a service of the machine. */
async function unpackEtcd(into: string): Promise<void> {
  const limits = { cwd: into, timeout: BUILD_MS };
  await run("apt-get", ["-o", "APT::Sandbox::User=root", "download", "etcd-server"], limits);
  const archive = readdirSync(into).find((file) => file.endsWith(".deb"));
  if (archive === undefined) throw new Error("apt-get downloaded no package etcd-server");
  await run("dpkg", ["-x", archive, into], limits);
}

/** Its libraries have versions of their own, which a module that names them has to repeat. */
async function buildApiServer(into: string): Promise<void> {
  const module = `k8s.io/kubernetes@${KUBERNETES}`;
  const { stdout } = await run("go", ["mod", "download", "-json", module]);
  const { Dir: folder } = z.object({ Dir: z.string() }).parse(JSON.parse(stdout));
  const named = readFileSync(join(folder, "go.mod"), "utf8").matchAll(/^\s*(k8s\.io\/\S+) v0\.0\.0$/gm);
  const libraries = KUBERNETES.replace("v1.", "v0.");
  const lines = [
    "module apiserver",
    "go 1.24.0",
    `require k8s.io/kubernetes ${KUBERNETES}`,
    ...[...named].map(([, name]) => `replace ${name} => ${name} ${libraries}`),
  ];
  writeFileSync(join(into, "go.mod"), `${lines.join("\n")}\n`);
  writeFileSync(
    join(into, "main.go"),
    'package main\n\nimport _ "k8s.io/kubernetes/cmd/kube-apiserver/app"\n\nfunc main() {}\n',
  );
  const limits = { cwd: into, timeout: BUILD_MS };
  await run("go", ["mod", "tidy"], limits);
  const target = "k8s.io/kubernetes/cmd/kube-apiserver";
  await run(
    "go",
    ["build", "-p", "2", "-ldflags", "-s -w", "-o", join(into, "kube-apiserver"), target],
    limits,
  );
}

export interface RealCluster extends TestCluster {
  /** Sends as the administrator, or as the server's service account with its rights alone. */
  ask: (as: "admin" | "server", method: string, path: string, body?: object) => Promise<RealAnswer>;
}

export interface RealAnswer {
  status: number;
  body: string;
}

export async function openRealCluster(programs: { apiServer: string; etcd: string }): Promise<RealCluster> {
  const folder = mkdtempSync(join(tmpdir(), "cluster-"));
  const [port, etcdPort, peerPort] = await Promise.all([freePort(), freePort(), freePort()]);
  const children = startPrograms(programs, { folder, port, etcdPort, peerPort });
  const url = `https://127.0.0.1:${port}`;
  const tokens = { admin: ADMIN, server: "" };
  const end = Date.now() + START_MS;
  const readCa = () => readFileSync(join(folder, "certs/apiserver.crt"), "utf8");
  let agent = new Agent();
  const ask: RealCluster["ask"] = (as, method, path, body) =>
    askApi(agent, { method, url: `${url}${path}`, token: tokens[as], body });
  for (;;) {
    try {
      agent = new Agent({ ca: readCa(), keepAlive: true });
      if ((await ask("admin", "GET", "/readyz")).status === 200) break;
    } catch {
      // The API server makes its certificate first.
    }
    if (Date.now() > end)
      throw new Error(
        `The API server is not ready:\n${readFileSync(join(folder, "api.log"), "utf8").slice(-2000)}`,
      );
    await wait(200);
  }
  await applyManifests(ask);
  const asked = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} };
  const token = await ask(
    "admin",
    "POST",
    "/api/v1/namespaces/millrace/serviceaccounts/millrace/token",
    asked,
  );
  tokens.server = z
    .object({ status: z.object({ token: z.string() }) })
    .parse(JSON.parse(token.body)).status.token;
  const accessOf = (as: "admin" | "server") => ({
    url,
    ca: readCa(),
    readToken: () => Promise.resolve(tokens[as]),
  });
  const [access, admin] = [accessOf("server"), accessOf("admin")];
  return {
    access,
    admin,
    namespace: NAMESPACE,
    ask,
    async close() {
      for (const child of children) child.kill("SIGKILL");
      agent.destroy();
      await Promise.all(
        children.map((child) => child.exitCode ?? new Promise((resolve) => child.once("exit", resolve))),
      );
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface Where {
  folder: string;
  port: number;
  etcdPort: number;
  peerPort: number;
}

function startPrograms(
  { apiServer, etcd }: { apiServer: string; etcd: string },
  where: Where,
): ChildProcess[] {
  const { folder, port, etcdPort, peerPort } = where;
  const inside = (name: string) => join(folder, name);
  mkdirSync(inside("certs"));
  execFileSync("openssl", ["genrsa", "-out", inside("accounts.key"), "2048"], { stdio: "ignore" });
  writeFileSync(inside("tokens.csv"), `${ADMIN},admin,1,"system:masters"\n`);
  const etcdUrl = `http://127.0.0.1:${etcdPort}`;
  const start = (program: string, name: string, args: readonly string[]) =>
    // A killed test leaves none of them.
    spawn(
      "setpriv",
      ["--pdeathsig", "KILL", "sh", "-c", `exec "$0" "$@" > ${inside(`${name}.log`)} 2>&1`, program, ...args],
      {
        stdio: "ignore",
      },
    );
  return [
    start(etcd, "etcd", [
      `--data-dir=${inside("etcd")}`,
      `--listen-peer-urls=http://127.0.0.1:${peerPort}`,
      `--listen-client-urls=${etcdUrl}`,
      `--advertise-client-urls=${etcdUrl}`,
    ]),
    start(apiServer, "api", [
      `--etcd-servers=${etcdUrl}`,
      `--cert-dir=${inside("certs")}`,
      `--secure-port=${port}`,
      "--bind-address=127.0.0.1",
      "--service-cluster-ip-range=10.96.0.0/16",
      "--service-account-issuer=https://kubernetes.default.svc",
      `--service-account-key-file=${inside("accounts.key")}`,
      `--service-account-signing-key-file=${inside("accounts.key")}`,
      `--token-auth-file=${inside("tokens.csv")}`,
      "--authorization-mode=RBAC",
      // As in real clusters: admission decides who may.
      "--allow-privileged=true",
    ]),
  ];
}

/** Every field must be known to Kubernetes. */
async function applyManifests(ask: RealCluster["ask"]): Promise<void> {
  for (const { path, object } of findManifests()) {
    const { status, body } = await ask("admin", "POST", `${path}?fieldValidation=Strict`, object);
    if (status >= 300) throw new Error(`${path} answers ${status}: ${body}`);
  }
  // In a cluster, a controller makes it.
  const account = { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "default" } };
  await ask("admin", "POST", `/api/v1/namespaces/${NAMESPACE}/serviceaccounts`, account);
}

interface Asked {
  method: string;
  url: string;
  token: string;
  body: object | undefined;
}

function askApi(agent: Agent, { method, url, token, body }: Asked): Promise<RealAnswer> {
  const content = body && JSON.stringify(body);
  const headers = {
    authorization: `Bearer ${token}`,
    ...(content && { "content-type": "application/json", "content-length": Buffer.byteLength(content) }),
  };
  return new Promise((resolve, reject) => {
    const asked = request(url, { agent, method, headers }, (response) => {
      text(response).then((said) => resolve({ status: response.statusCode ?? 0, body: said }), reject);
    });
    asked.once("error", reject);
    asked.end(content);
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
