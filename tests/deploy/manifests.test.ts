/**
 * 1. The Compose files follow the schema of the Compose specification; their containers cannot write outside their data
 *    and have time enough to stop. The one with builders has only the rights that builders need, the slim one has none.
 * 2. systemd accepts the unit, which has nothing that would stop rootless builders, and starts the server as the image
 *    does.
 * 3. The Kubernetes manifests name each other correctly: ports, probes, volumes, settings; the pod is "restricted" and
 *    has time enough to stop.
 * 4. The server reads every variable that these files set.
 * 5. Port and data folder are the same everywhere.
 * 6. With builders in the cluster: every manifest is applied; the server has only the rights that it asks for, in the
 *    builders' namespace alone, and a token for them; services lead to ports that it listens on; only the server
 *    reaches a builder, and a builder reaches no private address.
 * 7. No manifest has braces that Helm would read: rendered, they can be a chart's templates, as the page says.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Ajv } from "ajv";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { root } from "#server/pages/build-folders.ts";
import { CLOSE_MS } from "#platform/house/open-or-close.ts";
import { environmentVariables } from "#server/environment.ts";
import { DRAIN_MS } from "#server/limits.ts";
import { SERVER_ENVIRONMENT } from "../../scripts/server-flags.mjs";
import { readSlim, readStages } from "./dockerfile.ts";
import { type AppliedObject, findManifests, manifestFiles, manifestOf, overlayFolder } from "./kubernetes.ts";

const read = (file: string) => readFileSync(join(root, "deploy", file), "utf8");
const readCompose = (file: string) => parse(read(file)) as Compose;
const compose = readCompose("compose.yaml");
const unit = readUnit();
const image = readSlim().instructions;
/** Variables of both images. */
const imageVariables = readStages()
  .flatMap(({ instructions }) => instructions)
  .flatMap(({ keyword, args }) => (keyword === "ENV" ? args : []));
/** Seconds that a server may take to stop. */
const STOP_SECONDS = (DRAIN_MS + CLOSE_MS) / 1000;

interface Compose {
  volumes?: object;
  services: {
    server: { [key: string]: unknown; environment: { [name: string]: string }; stop_grace_period: string };
  };
}

/** Key → its values, without sections. */
function readUnit(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const line of read("systemd/millrace.service").split("\n")) {
    const [, key, value] = /^([A-Za-z]+)=(.*)$/.exec(line) ?? [];
    if (key !== undefined) found.set(key, [...(found.get(key) ?? []), value ?? ""]);
  }
  return found;
}

const COMPOSE_FILES = ["compose.yaml", "compose.slim.yaml", "compose.privileged.yaml"];

test("1. Compose", () => {
  const linter = dirname(createRequire(import.meta.url).resolve("dclint/package.json"));
  const schema = JSON.parse(readFileSync(join(linter, "schemas/compose.schema.json"), "utf8")) as object;
  const validate = new Ajv({ strict: false, validateSchema: false, validateFormats: false }).compile(schema);
  for (const file of COMPOSE_FILES)
    expect(validate(readCompose(file)), `${file}: ${JSON.stringify(validate.errors)}`).toBe(true);
  for (const { services } of COMPOSE_FILES.slice(0, 2).map(readCompose)) {
    expect(services.server).toMatchObject({ read_only: true, cap_drop: ["ALL"] });
    expect(parseInt(services.server.stop_grace_period, 10)).toBeGreaterThan(STOP_SECONDS);
  }
});

/** Keys that change the rights of a container from Docker's defaults. */
const RIGHTS = ["cap_add", "devices", "security_opt", "privileged", "user", "pid", "network_mode", "ipc"];

test("1. rights", () => {
  const rightsOf = (file: string) =>
    Object.fromEntries(
      Object.entries(readCompose(file).services.server).filter(([key]) => RIGHTS.includes(key)),
    );
  expect(rightsOf("compose.yaml")).toEqual({
    cap_add: ["SETUID", "SETGID"],
    devices: ["/dev/net/tun"],
    security_opt: ["seccomp:./seccomp.json", "apparmor:unconfined", "systempaths=unconfined"],
  });
  expect(rightsOf("compose.slim.yaml")).toEqual({ security_opt: ["no-new-privileges:true"] });
  expect(rightsOf("compose.privileged.yaml")).toEqual({ user: "0:0", privileged: true });
});

test("1. the slim one is the other one without builders", () => {
  const settingsOf = (file: string) => {
    const { services, volumes } = readCompose(file);
    const { ports, environment, volumes: mounts, restart, init } = services.server;
    return { ports, environment, mounts, restart, init, volumes };
  };
  expect(settingsOf("compose.slim.yaml")).toEqual(settingsOf("compose.yaml"));
  expect(readCompose("compose.slim.yaml").services.server["build"]).toMatchObject({ target: "slim" });
  // Without a target, Docker builds the last stage.
  expect(readStages().at(-1)?.name).toBe("builders");
});

const hasSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0;

test.skipIf(!hasSystemd)("2. systemd takes the unit (skipped where systemd-analyze is not installed)", () => {
  const folder = mkdtempSync(join(tmpdir(), "unit-"));
  const file = join(folder, "millrace.service");
  // systemd looks for the program, which is elsewhere on this machine.
  writeFileSync(file, read("systemd/millrace.service").replace("/usr/bin/node", process.execPath));
  const { status, stderr } = spawnSync("systemd-analyze", ["verify", "--man=no", file], { encoding: "utf8" });
  rmSync(folder, { recursive: true });
  expect([status, stderr.split("\n").filter((line) => line.includes("millrace"))]).toEqual([0, []]);
});

/** For a user other than root, they imply NoNewPrivileges (systemd.exec, "NoNewPrivileges="). */
const IMPLY_NO_NEW_PRIVILEGES =
  /^(?:SystemCall(?:Architectures|Filter|Log)|Restrict(?:AddressFamilies|Namespaces|Realtime|SUIDSGID)|PrivateDevices|Protect(?:KernelTunables|KernelModules|KernelLogs|Clock|Hostname|ControlGroups)|MemoryDenyWriteExecute|LockPersonality|DynamicUser)$/;

test("2. the unit leaves room for rootless builders and starts as the image does", () => {
  expect([...unit.keys()].filter((key) => IMPLY_NO_NEW_PRIVILEGES.test(key))).toEqual([]);
  expect([unit.get("Delegate"), unit.get("User"), unit.get("NoNewPrivileges")]).toEqual([
    ["yes"],
    ["millrace"],
    ["no"],
  ]);
  const command = image.find(({ keyword }) => keyword === "CMD")?.args.slice(1);
  const inUnit = unit.get("Environment")?.join(" ").split(" ") ?? [];
  expect(inUnit).toEqual(
    expect.arrayContaining(Object.entries(SERVER_ENVIRONMENT).map((pair) => pair.join("="))),
  );
  expect(unit.get("ExecStart")).toEqual([["/usr/bin/node", ...(command ?? [])].join(" ")]);
  expect(parseInt(unit.get("TimeoutStopSec")?.[0] ?? "", 10)).toBeGreaterThan(STOP_SECONDS);
});

test("3. Kubernetes", () => {
  const { spec } = manifestOf("StatefulSet");
  const pod = spec.template.spec;
  const [container] = pod.containers;
  expect(spec.selector.matchLabels).toEqual(spec.template.metadata.labels);
  const service = manifestOf("Service");
  expect([spec.serviceName, service.spec.selector]).toEqual([
    service.metadata.name,
    spec.selector.matchLabels,
  ]);
  const port = container.ports[0]!.name;
  expect(service.spec.ports.map(({ targetPort }) => targetPort)).toEqual([port, port]);
  expect(container.startupProbe.httpGet).toEqual({ path: "/readyz", port });
  expect(container.readinessProbe.httpGet).toEqual({ path: "/readyz", port });
  expect(container.livenessProbe.httpGet).toEqual({ path: "/healthz", port });
  const volumes = [...pod.volumes, ...spec.volumeClaimTemplates.map(({ metadata }) => metadata)];
  const namesOf = (list: readonly { name: string }[]) => list.map(({ name }) => name).sort();
  expect(namesOf(container.volumeMounts)).toEqual(namesOf(volumes));
  expect(container.envFrom[0].configMapRef.name).toBe(manifestOf("ConfigMap").metadata.name);
  const { resources, images } = manifestOf("Kustomization");
  expect(["kustomization.yaml", ...resources].sort()).toEqual(manifestFiles);
  expect(namesOf(images)).toEqual([container.image]);
  expect(spec.replicas).toBe(1);
});

test("3. the pod is restricted and has time to stop", () => {
  const pod = manifestOf("StatefulSet").spec.template.spec;
  const [container] = pod.containers;
  const preStopSeconds = container.lifecycle.preStop.sleep.seconds;
  expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(preStopSeconds + STOP_SECONDS);
  const [user, group] = image
    .find(({ keyword }) => keyword === "USER")!
    .args[0]!.split(":")
    .map(Number);
  expect(pod.securityContext).toMatchObject({
    runAsNonRoot: true,
    seccompProfile: { type: "RuntimeDefault" },
    runAsUser: user,
    runAsGroup: group,
  });
  expect(container.securityContext).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ["ALL"] },
  });
});

/** Variables of Node.js and of the C library. */
const NOT_OURS = ["NODE_ENV", ...Object.keys(SERVER_ENVIRONMENT)];
test("4. variables", () => {
  const inUnit = (unit.get("Environment") ?? []).flatMap((line) => line.split(" "));
  const inFile = read("systemd/millrace.env")
    .split("\n")
    .filter((line) => /^#?[A-Z_]+=/.test(line))
    .map((line) => line.replace("#", ""));
  const set = [
    ...[...imageVariables, ...inUnit, ...inFile].map((pair) => pair.split("=")[0] ?? ""),
    ...Object.keys(compose.services.server.environment),
    ...Object.keys(manifestOf("ConfigMap").data),
    ...Object.keys(appliedOf("ConfigMap", "millrace-settings")["data"] as object),
  ].filter((name) => !NOT_OURS.includes(name));
  expect(set.length).toBeGreaterThan(10);
  expect(set.filter((name) => !(name in environmentVariables))).toEqual([]);
});

test("5. port and data folder", () => {
  const inUnit = unit.get("Environment")?.join(" ").split(" ") ?? [];
  const [volume] = image.find(({ keyword }) => keyword === "VOLUME")!.args;
  for (const pair of ["PORT=3000", `DATA_DIR=${volume}/data`])
    expect([imageVariables.includes(pair), inUnit.includes(pair)], pair).toEqual([true, true]);
  expect(compose.services.server["volumes"]).toEqual([`data:${volume}`]);
  expect(compose.services.server["ports"]).toEqual(["127.0.0.1:3000:3000"]);
  const [container] = manifestOf("StatefulSet").spec.template.spec.containers;
  expect(container.ports[0]?.containerPort).toBe(3000);
  expect(container.volumeMounts[0]).toEqual({ name: "data", mountPath: volume });
});

function appliedOf(kind: string, name: string): AppliedObject {
  const found = findManifests().find(({ object }) => object.kind === kind && object.metadata.name === name);
  if (!found) throw new Error(`There is no ${kind} ${name}`);
  return found.object;
}

test("6. builders in the cluster", () => {
  const named = readFileSync(join(overlayFolder, "kustomization.yaml"), "utf8");
  for (const file of readdirSync(overlayFolder))
    if (file !== "kustomization.yaml") expect(named, file).toContain(` ${file}\n`);
  const roles = findManifests().filter(({ object }) => /Role/.test(object.kind));
  expect(roles.map(({ object }) => [object.kind, object.metadata.namespace])).toEqual([
    ["Role", "millrace-builders"],
    ["RoleBinding", "millrace-builders"],
  ]);
  expect(appliedOf("Role", "millrace-builders")["rules"]).toEqual([
    {
      apiGroups: [""],
      resources: ["pods", "persistentvolumeclaims"],
      verbs: ["get", "list", "create", "patch", "delete"],
    },
    { apiGroups: [""], resources: ["secrets"], verbs: ["get", "create"] },
  ]);
  expect(appliedOf("RoleBinding", "millrace-builders")).toMatchObject({
    roleRef: { kind: "Role", name: "millrace-builders" },
    subjects: [{ kind: "ServiceAccount", name: "millrace", namespace: "millrace" }],
  });
  expect(appliedOf("StatefulSet", "millrace")).toMatchObject({
    spec: {
      replicas: 1,
      template: { spec: { serviceAccountName: "millrace", automountServiceAccountToken: true } },
    },
  });
  const settings = appliedOf("ConfigMap", "millrace-settings")["data"] as Record<string, string>;
  expect(settings["MILLRACE_BUILDERS"]).toBe("kubernetes");
  const [host = "", port = ""] = settings["MILLRACE_BUILDER_REGISTRY"]?.split(":") ?? [];
  const [service = "", namespace = ""] = host.split(".");
  expect(appliedOf("Service", service)).toMatchObject({
    metadata: { namespace },
    spec: { ports: [{ port: Number(port), targetPort: Number(port) }] },
  });
  const { spec } = appliedOf("NetworkPolicy", "builders") as AppliedObject & { spec: NetworkPolicy };
  expect([spec.podSelector, spec.policyTypes]).toEqual([{}, ["Ingress", "Egress"]]);
  // Builders are reached through the server's usual port.
  expect(() => appliedOf("Service", "millrace-builders")).toThrow();
  expect(spec.ingress.map(({ ports }) => ports)).toEqual([[{ port: 8372 }]]);
  const everywhere = spec.egress.flatMap(({ to }) => to).flatMap(({ ipBlock }) => ipBlock ?? []);
  expect(everywhere.map(({ cidr }) => cidr)).toEqual(["0.0.0.0/0", "::/0"]);
  expect(everywhere[0]?.except).toEqual(
    expect.arrayContaining(["10.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.168.0.0/16"]),
  );
});

interface NetworkPolicy {
  podSelector: object;
  policyTypes: string[];
  ingress: { ports: object[] }[];
  egress: { to: { ipBlock?: { cidr: string; except: string[] } }[] }[];
}

test("7. as templates of a chart", () => {
  for (const folder of ["deploy/kubernetes", "deploy/kubernetes-builders"])
    for (const file of readdirSync(join(root, folder)))
      expect(readFileSync(join(root, folder, file), "utf8"), file).not.toContain("{{");
});
