/** The manifests of `deploy/kubernetes/`, in the shapes that the tests look at. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import * as z from "zod";
import { root } from "#server/build-folders.ts";

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

export const manifestFiles = readdirSync(folder).sort();

const objects = manifestFiles.flatMap((file) =>
  parseAllDocuments(readFileSync(join(folder, file), "utf8")).map((document) =>
    z.looseObject({ kind: z.string() }).parse(document.toJS()),
  ),
);

/** @throws ZodError when it is missing or has another shape */
export function manifestOf<Kind extends keyof typeof shapes>(kind: Kind): z.infer<(typeof shapes)[Kind]> {
  // The schema of this kind gives the type of this kind.
  return shapes[kind].parse(objects.find((object) => object.kind === kind)) as z.infer<(typeof shapes)[Kind]>;
}
