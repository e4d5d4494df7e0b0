/** Clients of other registries: one for each host, and one for each organization that has credentials of its own there. */
import { isDeepStrictEqual } from "node:util";
import type { RegistryParts } from "../../contract/parts.ts";
import type { Grant } from "../../contract/registry.ts";
import { RegistryError } from "../../contract/registry-error.ts";
import type { Resolve } from "#platform/http/addresses/public-lookup.ts";
import type { Credentials, CredentialsByHost } from "../credentials/credentials.ts";
import type { MirrorHost } from "../names/hosts.ts";
import { MAX_UPSTREAMS } from "../limits.ts";
import type { OrganizationCredentials } from "../credentials/organization-credentials.ts";
import { sourceOf } from "../names/repositories.ts";
import type { Reach } from "./send-request.ts";
import { createUpstream, type Upstream } from "./upstream.ts";

export interface Upstreams {
  of(grant: Grant): Promise<Upstream>;
  close(): void;
}

export interface UpstreamsOptions {
  /** The operator's: content that they open is for everyone. */
  credentials?: CredentialsByHost;
  /** For tests. */
  resolve?: Resolve;
  silentMs?: number;
}

interface Used {
  hosts: ReadonlyMap<string, MirrorHost>;
  options: UpstreamsOptions;
  credentials: Pick<OrganizationCredentials, "find">;
}

export function createUpstreams({ clock }: RegistryParts, { hosts, options, credentials }: Used): Upstreams {
  const listed = [...hosts.values()].filter(({ isListed }) => isListed).map(({ origin }) => origin);
  const reach: Reach = { listed: new Set(listed), resolve: options.resolve, silentMs: options.silentMs };
  const known = new Map<string, { upstream: Upstream; used: Credentials | null }>();
  const isClosed = new AbortController();

  async function credentialsFor(organizationId: string, host: string): Promise<Credentials | null> {
    if (organizationId === "") return options.credentials?.get(host) ?? null;
    const own = await credentials.find(organizationId, host);
    // Without them, other credentials would open the organization's content.
    if (!own)
      throw new RegistryError(
        "DENIED",
        `the credentials for ${host} were deleted in the meantime; pull again`,
      );
    return own;
  }

  return {
    async of({ repository }) {
      const { organizationId } = repository;
      const { host: name } = sourceOf(repository);
      const used = await credentialsFor(organizationId, name);
      const key = `${organizationId} ${name}`;
      const found = known.get(key);
      // New credentials get a new client, without the tokens of the old ones.
      if (found && isDeepStrictEqual(found.used, used)) return found.upstream;
      // Other hosts are never granted.
      const host = hosts.get(name)!;
      const upstream = createUpstream({ host, reach, clock, credentials: used, closing: isClosed.signal });
      known.delete(key);
      known.set(key, { upstream, used });
      // A Map iterates in insertion order.
      if (known.size > MAX_UPSTREAMS) known.delete(known.keys().next().value!);
      return upstream;
    },
    close: () => isClosed.abort(),
  };
}
