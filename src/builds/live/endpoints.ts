/**
 * Returns the address of a build's builder:
 *
 *   claim the build for a server ──► wait for a place and its builder ──► sign a certificate
 *
 * Any server answers. The builder runs where the project's layer cache is; another server that a client connects to passes it on
 * (`proxy/relay.ts`). A call that ended too early is repeated: the place, the builder and the queue are the same.
 */
import { askDatabase, type Caller, quoteReference, Refused } from "#accounts/index.ts";
import type { Endpoint, EndpointInput } from "../contract/builds.ts";
import type { Authority } from "../certificates/certificates.ts";
import { type BuilderEndpoint, TUNNEL_PATH } from "../contract/builder-endpoint.ts";
import type { BuildParts } from "../contract/parts.ts";
import { hasEnded } from "../records/follow-build.ts";
import { type BuildRow, requireBuild } from "../records/read-build.ts";
import { adviseMissing } from "./advise-missing.ts";
import { endedAlready } from "./ended-already.ts";
import { unavailable } from "./open-place.ts";
import type { BuilderStarts } from "./builder-starts.ts";
import type { Servers } from "./servers.ts";

export interface EndpointsOptions extends BuildParts {
  builderStarts: BuilderStarts;
  servers: Servers;
  endpoint: BuilderEndpoint;
  authority: Authority;
}

export function createEndpoints(options: EndpointsOptions) {
  return {
    async get(caller: Caller, { buildId, platform, tunnel = false }: EndpointInput): Promise<Endpoint> {
      const { clock, places, builderStarts, timeoutMs } = options;
      const row = await requireBuild(options, caller, { buildId, action: "build.write" });
      if (hasEnded(row.state)) throw endedAlready(row);
      requirePlatform(options.builders.platforms(), platform);
      const address = addressOf(options.endpoint, tunnel);
      await claim(options, row, platform);
      await askDatabase(() => places.ask(row, platform));
      await builderStarts.wait(row.id, platform).catch(async (error: unknown) => {
        throw await adviseMissing(options, caller, error);
      });
      const expiresAt = clock() + timeoutMs;
      const signed = await options.authority.signClient(row.id, platform, new Date(expiresAt));
      return {
        address,
        serverName: options.endpoint.serverName,
        caCertificate: options.authority.certificate,
        clientCertificate: signed.certificate,
        clientKey: signed.key,
        expiresAt,
        tunnelPath: TUNNEL_PATH,
        tunnelToken: options.endpoint.signTunnel(row.id, platform, expiresAt),
      };
    },
  };
}

/** Its builder runs where the project's layer cache is, unless that server is gone. */
async function claim({ database, clock, servers }: EndpointsOptions, row: BuildRow, platform: string) {
  const isHeld = row.holder !== null && (await servers.isAlive(row.holder));
  if (!isHeld && row.state === "running")
    throw new Refused(
      "unavailable",
      `the server that ran build ${row.id} stopped, and the build ended with it; run the build again`,
    );
  const holder = isHeld ? row.holder : (await servers.findHome(row.project_id, platform)).holder;
  await askDatabase(() =>
    database.db
      .updateTable("builds")
      .set((column) => ({ holder, asked_at: clock(), revision: column("revision", "+", 1) }))
      .where("id", "=", row.id)
      // Another server may have claimed it first, or its own server may have started it.
      .where("state", "=", row.state)
      .where((column) =>
        row.holder === null ? column("holder", "is", null) : column("holder", "=", row.holder),
      )
      .execute(),
  );
}

function requirePlatform(platforms: readonly string[], platform: string): void {
  if (platform === "")
    throw new Refused("invalid_argument", "platform is missing: linux/amd64 or linux/arm64", {
      field: "platform",
    });
  if (platforms.includes(platform)) return;
  const known = platforms.length === 0 ? "nothing" : platforms.join(", ");
  throw new Refused(
    "failed_precondition",
    `this server does not build for ${quoteReference(platform)}; it builds for ${known}`,
    { field: "platform" },
  );
}

/** The builders' own port may be taken, which prevents neither the start of the server nor tunnels. */
function addressOf(endpoint: BuilderEndpoint, canTunnel: boolean): string {
  let address = "";
  try {
    address = endpoint.address();
  } catch (error) {
    if (!canTunnel) throw unavailable(error);
  }
  if (address !== "" || canTunnel) return address;
  throw new Refused("failed_precondition", TUNNEL_ONLY);
}

const TUNNEL_ONLY =
  "this server's builders are reached by a tunnel through its proxy, and this client does not open tunnels: install the CLI that this server provides, or ask the operator to set MILLRACE_BUILDER_PORT";
