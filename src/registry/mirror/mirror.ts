/**
 * Images of other registries, pulled through and stored: `/v2/mirror/docker.io/library/alpine/…`. For clients it is one more
 * repository that they may pull from.
 */
import type { Blobs } from "#platform/blobs/blobs.ts";
import { createJob } from "#platform/jobs/job.ts";
import type { RegistryParts } from "../contract/parts.ts";
import type { Grant, Manifests } from "../contract/registry.ts";
import { DEFAULT_MIRROR_HOSTS, type MirrorHost } from "./names/hosts.ts";
import { AWAY_MS, DEFAULT_MIRROR_QUOTA_BYTES, ROOM_SHARE } from "./limits.ts";
import type { Mirrors } from "../contract/mirrors.ts";
import { createOrganizationCredentials } from "./credentials/organization-credentials.ts";
import { createMirrorGranting, type GrantMirror } from "./names/repositories.ts";
import { createPullThrough, type KeptContent } from "./pull-through/pull-through.ts";
import { makeRoom, sweepMirrors } from "./storage/sweep.ts";
import { createUpstreams, type UpstreamsOptions } from "./upstream/upstreams.ts";

export interface MirrorOptions extends UpstreamsOptions {
  hosts?: readonly MirrorHost[];
  /** Bytes of all pulled-through content. */
  quotaBytes?: number;
  /** For tests. */
  staleAfterMs?: number;
}

export interface Mirror {
  /** Organizations' own names and passwords. */
  credentials: Mirrors;
  grant: GrantMirror;
  /** The same parts, which first fetch what is missing. */
  through<Kept extends KeptContent>(
    kept: Kept,
  ): { manifests: Kept["manifests"]; repositoryBlobs: Kept["repositoryBlobs"]; blobs: Blobs };
  /** Removes content that no one pulls. Call it hourly, in one process of a cluster. */
  sweep(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

export function createMirror(parts: RegistryParts, options: MirrorOptions = {}): Mirror {
  const { hosts = DEFAULT_MIRROR_HOSTS, quotaBytes = DEFAULT_MIRROR_QUOTA_BYTES } = options;
  const byName = new Map(hosts.map((host) => [host.name, host]));
  const credentials = createOrganizationCredentials({ ...parts, hosts: byName });
  const upstreams = createUpstreams(parts, { hosts: byName, options, credentials });
  let forget: Manifests["forget"] = () => {};
  let settled = () => Promise.resolve();
  const sweeping = { parts, quotaBytes, forget: (id: string) => forget(id) };
  let keptBytes = 0;
  const room = createJob({
    name: "registry.mirror-room",
    retry: { againMs: AWAY_MS },
    onError: (error) =>
      parts.log.warn("Could not make room for images pulled from other registries.", { error }),
    run: (signal) => makeRoom(sweeping, signal),
  });
  return {
    credentials,
    grant: createMirrorGranting(byName, credentials.ownersOf),
    through(kept) {
      const fetching = createPullThrough({
        parts,
        kept,
        blobs: parts.blobs,
        upstreamOf: (grant) => upstreams.of(grant),
        staleAfterMs: options.staleAfterMs,
        onKept(bytes) {
          keptBytes += bytes;
          if (keptBytes < quotaBytes * ROOM_SHARE) return;
          keptBytes = 0;
          room.wake();
        },
      });
      ({ settled } = fetching);
      forget = kept.manifests.forget;
      return {
        blobs: fetching.blobs,
        manifests: {
          ...kept.manifests,
          find: (grant: Grant, reference: string) =>
            isMirror(grant) ? fetching.findManifest(grant, reference) : kept.manifests.find(grant, reference),
        },
        repositoryBlobs: {
          ...kept.repositoryBlobs,
          find: (grant: Grant, digest: string) =>
            isMirror(grant) ? fetching.findBlob(grant, digest) : kept.repositoryBlobs.find(grant, digest),
        },
      };
    },
    sweep: (signal) => sweepMirrors(sweeping, signal),
    async close() {
      upstreams.close();
      await settled();
      await room.stop();
    },
  };
}

const isMirror = ({ repository }: Grant) => repository.projectId === null;
