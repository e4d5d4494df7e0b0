/** The manifests of `deploy/kubernetes/`, in the shapes that the tests check. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import * as z from "zod";
import { root } from "#server/pages/build-folders.ts";

const folder = join(root, "deploy/kubernetes");
const named = z.looseObject({ name: z.string() });
const probe = z.strictObject({
  httpGet: z.strictObject({ path: z.string(), port: z.string() }),
  periodSeconds: z.int(),
  timeoutSeconds: z.int().optional(),
  failureThreshold: z.int().optional(),
});

const container = z.looseObject({
  name: z.string(),
  image: z.string(),
  ports: z.array(z.strictObject({ name: z.string(), containerPort: z.int() })).length(1),
  envFrom: z.tuple([z.looseObject({ configMapRef: named }), z.looseObject({ secretRef: named })]),
  startupProbe: probe,
  readinessProbe: probe,
  livenessProbe: probe,
  lifecycle: z.object({ preStop: z.object({ sleep: z.object({ seconds: z.int() }) }) }),
  securityContext: z.unknown(),
  volumeMounts: z.array(z.strictObject({ name: z.string(), mountPath: z.string() })),
});

const labels = z.record(z.string(), z.string());

const shapes = {
  StatefulSet: z.object({
    spec: z.strictObject({
      serviceName: z.string(),
      replicas: z.int(),
      selector: z.strictObject({ matchLabels: labels }),
      template: z.strictObject({
        metadata: z.object({ labels }),
        spec: z.looseObject({
          terminationGracePeriodSeconds: z.int(),
          securityContext: z.looseObject({ runAsUser: z.int(), runAsGroup: z.int() }),
          containers: z.tuple([container]),
          volumes: z.array(named),
        }),
      }),
      volumeClaimTemplates: z.array(z.looseObject({ metadata: named })),
    }),
  }),
  Service: z.object({
    metadata: named,
    spec: z.object({
      selector: labels,
      ports: z.array(z.looseObject({ name: z.string(), port: z.int(), targetPort: z.string() })),
    }),
  }),
  ConfigMap: z.object({ metadata: named, data: labels }),
  Kustomization: z.looseObject({ resources: z.array(z.string()), images: z.array(named) }),
};

/** With builders as pods: on top of the server's manifests. */
export const overlayFolder = join(root, "deploy/kubernetes-builders");

const readAll = (path: string): unknown[] =>
  parseAllDocuments(readFileSync(path, "utf8")).map((document): unknown => document.toJS());

const overlay = z.strictObject({
  apiVersion: z.string(),
  kind: z.literal("Kustomization"),
  resources: z.array(z.string()),
  patches: z.array(z.strictObject({ path: z.string() })),
});
const applied = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string(), namespace: z.string().optional() }),
});
export type AppliedObject = z.infer<typeof applied>;

/**
 * The objects that `kubectl apply --kustomize deploy/kubernetes-builders` sends, as far as these manifests need it: the
 * server's in their namespace, patched map by map, and those of builders; namespaces first.
 */
export function findManifests(): { path: string; object: AppliedObject }[] {
  const { resources, patches } = overlay.parse(readAll(join(overlayFolder, "kustomization.yaml"))[0]);
  const base = z
    .looseObject({ namespace: z.string(), resources: z.array(z.string()) })
    .parse(readAll(join(folder, "kustomization.yaml"))[0]);
  const ofServer = base.resources
    .flatMap((file) => readAll(join(folder, file)))
    .map((each) => applied.parse(each))
    .map((each) =>
      each.kind === "Namespace"
        ? each
        : { ...each, metadata: { ...each.metadata, namespace: base.namespace } },
    );
  const ofBuilders = resources
    .filter((file) => file !== "../kubernetes")
    .flatMap((file) => readAll(join(overlayFolder, file)))
    .map((each) => applied.parse(each));
  const changes = patches.flatMap(({ path }) => readAll(join(overlayFolder, path)));
  const objects = changes.reduce<AppliedObject[]>(
    (before, change) => patchOne(before, applied.parse(change)),
    [...ofServer, ...ofBuilders],
  );
  const order = ({ kind }: AppliedObject) => (kind === "Namespace" ? 0 : 1);
  return objects
    .toSorted((one, other) => order(one) - order(other))
    .map((object) => ({ path: pathOf(object), object }));
}

/** @throws Error for a patch without an object */
function patchOne(objects: readonly AppliedObject[], change: AppliedObject): AppliedObject[] {
  const nameOf = ({ kind, metadata }: AppliedObject) => `${kind} ${metadata.namespace} ${metadata.name}`;
  if (!objects.some((each) => nameOf(each) === nameOf(change)))
    throw new Error(`${nameOf(change)} is patched, and is not there`);
  return objects.map((each) => (nameOf(each) === nameOf(change) ? applied.parse(merge(each, change)) : each));
}

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** @throws Error for a list, which Kubernetes merges by its own rules */
function merge(target: unknown, change: unknown): unknown {
  if (Array.isArray(change)) throw new Error("These patches change no lists");
  if (!isMap(change)) return change;
  const merged = isMap(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(change)) merged[name] = merge(merged[name], value);
  return merged;
}

function pathOf({ apiVersion, kind, metadata: { namespace } }: AppliedObject): string {
  const group = apiVersion === "v1" ? "/api/v1" : `/apis/${apiVersion}`;
  const inside = namespace === undefined ? "" : `/namespaces/${namespace}`;
  const plural = kind.endsWith("y") ? `${kind.slice(0, -1)}ies` : `${kind}s`;
  return `${group}${inside}/${plural.toLowerCase()}`;
}

export const manifestFiles = readdirSync(folder).sort();

const objects = manifestFiles.flatMap((file) =>
  parseAllDocuments(readFileSync(join(folder, file), "utf8")).map((document) =>
    z.looseObject({ kind: z.string() }).parse(document.toJS()),
  ),
);

/** @throws ZodError when it is missing or has a different shape */
export function manifestOf<Kind extends keyof typeof shapes>(kind: Kind): z.infer<(typeof shapes)[Kind]> {
  // The schema of this kind gives the type of this kind.
  return shapes[kind].parse(objects.find((object) => object.kind === kind)) as z.infer<(typeof shapes)[Kind]>;
}
