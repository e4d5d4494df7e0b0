/**
 * How a pod and this server recognize each other. An authority is made for each pod and forgotten immediately: its buildkitd
 * accepts the one client that it signed. Everything is in one Secret, of which the pod sees only its own part.
 */
import { randomBytes } from "node:crypto";
import { z } from "zod";
import { makeAuthority, openAuthority } from "../certificates/certificates.ts";
import type { BuilderWant } from "../machine/machine.ts";
import type { PodDial } from "./bridge.ts";
import { CERTIFICATE_MS, POD_PORT } from "./limits.ts";
import type { KubernetesBuildersOptions } from "./options.ts";
import { limitsOf } from "./pod.ts";
import { writePodConfig } from "./pod-config.ts";
import type { Pod } from "./pod-state.ts";

/** The name in every pod's certificate, because its address is known only once it runs. */
const POD_NAME = "builder";

export const nameSecret = (builder: string): string => `${builder}-${randomBytes(5).toString("hex")}`;

/** The cluster removes it with its pod. */
export async function makeSecret(
  options: KubernetesBuildersOptions,
  want: BuilderWant,
  { name, pod }: { name: string; pod: Pod },
): Promise<object> {
  const until = new Date(Date.now() + CERTIFICATE_MS);
  const authority = await openAuthority(await makeAuthority(new Date()));
  const server = await authority.signServer([POD_NAME], until);
  const client = await authority.signBuilder(want.organizationId, want.projectId, until);
  // A step of a rootless builder could read the key.
  const hasRegistry = options.registryInside !== null && options.isolation !== "rootless";
  const registry = hasRegistry
    ? await options.authority.signBuilder(want.organizationId, want.projectId, until)
    : { certificate: "", key: "" };
  const { name: podName, uid } = pod.metadata;
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: {
      name,
      labels: pod.metadata.labels ?? {},
      ownerReferences: [{ apiVersion: "v1", kind: "Pod", name: podName, uid }],
    },
    stringData: {
      "buildkitd.toml": writePodConfig({
        ...options,
        ...limitsOf(want),
        port: POD_PORT,
        registryInside: hasRegistry ? options.registryInside : null,
      }),
      "server-ca.pem": authority.certificate,
      "server-cert.pem": server.certificate,
      "server-key.pem": server.key,
      "registry-ca.pem": hasRegistry ? options.authority.certificate : "",
      "registry-cert.pem": registry.certificate,
      "registry-key.pem": registry.key,
      "client-cert.pem": client.certificate,
      "client-key.pem": client.key,
    },
  };
}

const secretShape = z.object({
  data: z.object({
    "server-ca.pem": z.string(),
    "client-cert.pem": z.string(),
    "client-key.pem": z.string(),
  }),
});

/** @param secret as the API returns it */
export function readDial(secret: unknown, address: string, port: number): PodDial {
  const { data } = secretShape.parse(secret);
  const decode = (base64: string) => Buffer.from(base64, "base64").toString("utf8");
  return {
    address,
    port,
    name: POD_NAME,
    ca: decode(data["server-ca.pem"]),
    certificate: decode(data["client-cert.pem"]),
    key: decode(data["client-key.pem"]),
  };
}
