/** The address of this server's cluster, as Kubernetes gives it to every pod with a service account. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";

const ACCOUNT_FOLDER = "/var/run/secrets/kubernetes.io/serviceaccount";

export interface ClusterAccess {
  url: string;
  /** PEM. */
  ca: string;
  /** Kubernetes replaces it every hour. */
  readToken: () => Promise<string>;
}

/** @throws Error that says what to do */
export async function findCluster(
  env: NodeJS.ProcessEnv = process.env,
  folder: string = ACCOUNT_FOLDER,
): Promise<ClusterAccess> {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port = "443" } = env;
  if (!host)
    throw new Error(
      "MILLRACE_BUILDERS=kubernetes, but this server does not run in a cluster: KUBERNETES_SERVICE_HOST is not set. Apply deploy/kubernetes-builders, or unset MILLRACE_BUILDERS.",
    );
  const read = (name: string) =>
    readFile(join(folder, name), "utf8").catch((error: unknown) => {
      throw new Error(
        `The service account is not mounted in the server's pod: ${join(folder, name)} cannot be read. Set automountServiceAccountToken: true, as deploy/kubernetes-builders does.`,
        { cause: error },
      );
    });
  const ca = await read("ca.crt");
  await read("token");
  return {
    url: `https://${host.includes(":") ? `[${host}]` : host}:${port}`,
    ca,
    readToken: async () => (await read("token")).trim(),
  };
}
