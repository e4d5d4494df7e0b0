/**
 * Writes the builder that `buildx create` would write, a fifteenth of a second faster. buildx has read this file since it got the
 * driver `remote`, and will continue to: users do not recreate their builders after an update.
 *
 *   BUILDX_CONFIG/instances/millrace
 *   {"Name":"millrace","Driver":"remote","Nodes":[{"Name":"linux-amd64","Endpoint":"tcp://…","DriverOpts":{"cacert":"/…"}}]}
 *
 * https://github.com/docker/buildx/blob/master/store/nodegroup.go
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { BuilderServiceGetEndpointResponse } from "../client.ts";

/** The only builder in its configuration. */
export const BUILDER = "millrace";

export interface BuilderNode {
  /** `linux/arm64`; each has a builder of its own. */
  platform: string;
  endpoint: BuilderServiceGetEndpointResponse;
  /** The builder's address for buildx: `tcp://…`, `unix://…`. */
  address: string;
}

/** @param buildx `BUILDX_CONFIG` @param path of an empty folder for certificates */
export async function writeBuilder(
  nodes: readonly BuilderNode[],
  { buildx, path }: { buildx: string; path: string },
): Promise<void> {
  const instances = join(buildx, "instances");
  const [written] = await Promise.all([
    Promise.all(nodes.map((node) => writeNode(node, path, nodes.length === 1))),
    mkdir(instances, { mode: 0o700 }),
  ]);
  const builder = { Name: BUILDER, Driver: "remote", Nodes: written, Dynamic: false };
  await writeFile(join(instances, BUILDER), JSON.stringify(builder), { mode: 0o600, flag: "wx" });
}

async function writeNode(
  { platform, endpoint, address }: BuilderNode,
  path: string,
  isOnly: boolean,
): Promise<{ [name: string]: unknown }> {
  const [os = "", architecture = "", variant] = platform.split("/");
  const name = platform.replace(/\W/g, "-");
  const certificates = {
    cacert: endpoint.caCertificate,
    cert: endpoint.clientCertificate,
    key: endpoint.clientKey,
  };
  const files = await Promise.all(
    Object.entries(certificates).map(async ([option, text]) => {
      const file = join(path, `${name}-${option}.pem`);
      await writeFile(file, text, { mode: 0o600, flag: "wx" });
      return [option, file];
    }),
  );
  return {
    Name: name,
    Endpoint: address,
    // A single builder builds every platform.
    Platforms: isOnly ? null : [{ architecture, os, ...(variant === undefined ? {} : { variant }) }],
    DriverOpts: { ...Object.fromEntries(files), servername: endpoint.serverName },
    Flags: null,
    Files: null,
  };
}
