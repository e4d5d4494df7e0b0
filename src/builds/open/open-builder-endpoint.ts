/** The builder endpoint as the environment configures it: the ways to it, and its addresses for clients and other servers. */
import { isIPv6 } from "node:net";
import { hostname as systemName, networkInterfaces } from "node:os";
import type { Accounts } from "#accounts/index.ts";
import type { ServerEnvironment } from "#platform/house/server-variables.ts";
import { BUILDER_SERVER_NAME, type BuilderEndpoint } from "../contract/builder-endpoint.ts";
import { type BuildProxy, createBuildProxy } from "../proxy/create-build-proxy.ts";
import { createTunnelTokens } from "../certificates/tunnel-tokens.ts";
import type { BuildEnvironment } from "./variables.ts";

type Environment = BuildEnvironment & ServerEnvironment;
type ProxyOptions = Parameters<typeof createBuildProxy>[0];

interface OpenBuilderEndpointOptions extends Pick<
  ProxyOptions,
  "authority" | "findBuild" | "findElsewhere" | "log"
> {
  accounts: Pick<Accounts, "secretKey" | "clock">;
}

/** If its own port is taken, clients can still use the other ways in. */
export async function openBuilderEndpoint(
  env: Environment,
  { accounts, ...parts }: OpenBuilderEndpointOptions,
): Promise<BuilderEndpoint> {
  const { hostname } = new URL(env.SITE_ORIGIN);
  // Without the brackets of IPv6 addresses.
  const siteName = hostname.replace(/^\[(.*)\]$/, "$1");
  const tunnelTokens = createTunnelTokens(accounts.secretKey, accounts.clock);
  const options = { ...parts, tunnelTokens, hosts: [siteName] };
  const port = ownPort(env);
  let problem = "";
  const proxy = await createBuildProxy({
    ...options,
    ...(port !== null && { listen: { host: env.HOST, port } }),
  }).catch((error: unknown) => {
    if (port === null) throw error;
    problem = describeTaken(`${env.HOST}:${port}`, error);
    parts.log.warn(problem);
    return createBuildProxy(options);
  });
  return {
    ...proxy,
    // Its own port needs no name to recognize connections. Its certificate has the same name as in earlier releases.
    serverName: proxy.port === null ? BUILDER_SERVER_NAME : siteName,
    address() {
      if (problem !== "") throw new Error(problem);
      return proxy.port === null ? sharedAddress(env) : `tcp://${hostname}:${proxy.port}`;
    },
    inside: addressInside(env, proxy),
    signTunnel: tunnelTokens.sign,
  };
}

const describeTaken = (where: string, error: unknown): string =>
  `Clients without a tunnel cannot reach builders: the server cannot listen on ${where} (${error instanceof Error ? error.message : String(error)}). Free the port or set MILLRACE_BUILDER_PORT to a different one, and restart the server.`;

/** In releases that always had the port, the address for other servers also set the port. */
function ownPort({ MILLRACE_BUILDER_PORT: port, MILLRACE_BUILDER_ADDRESS: address, PORT }: Environment) {
  const named = Number(address?.split(":").at(-1) ?? PORT);
  return port ?? (named === PORT ? null : named);
}

/** "" behind a proxy, which ends connections. */
function sharedAddress({ SITE_ORIGIN, TLS_CERT, TRUSTED_PROXIES }: Environment): string {
  const { protocol, hostname, port } = new URL(SITE_ORIGIN);
  const isDirect = TRUSTED_PROXIES.length === 0 && (protocol === "http:" || TLS_CERT !== undefined);
  return isDirect ? `tcp://${hostname}:${port || (protocol === "http:" ? 80 : 443)}` : "";
}

function addressInside(
  { HOST, PORT, MILLRACE_BUILDER_ADDRESS: address }: Environment,
  proxy: BuildProxy,
): string {
  return address ?? `${hostInside(HOST)}:${proxy.port ?? PORT}`;
}

/** This machine's host, for the other servers of the installation. */
function hostInside(host: string): string {
  if (host !== "0.0.0.0" && host !== "::") return isIPv6(host) ? `[${host}]` : host;
  const all = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  const found = all.find(({ internal, family }) => !internal && family === "IPv4");
  return found?.address ?? systemName();
}
