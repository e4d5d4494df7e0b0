import type { Accounts } from "#accounts/index.ts";
import type { Blobs } from "#platform/blobs/blobs.ts";
import type { ByteStore } from "#platform/blobs/byte-store.ts";
import type { Log } from "#platform/log/log.ts";
import { createGranting } from "./access/grant.ts";
import { createImages } from "./images/images.ts";
import { DEFAULT_QUOTA_BYTES, DEFAULT_RETENTION_MS } from "./contract/limits.ts";
import { createManifests } from "./manifests/manifests.ts";
import { DEFAULT_MIRROR_QUOTA_BYTES } from "./mirror/limits.ts";
import { createMirror, type MirrorOptions } from "./mirror/mirror.ts";
import type { RegistryParts } from "./contract/parts.ts";
import { createQuota, payerOf } from "./blobs/quota.ts";
import type { Registry } from "./contract/registry.ts";
import { createRepositoryBlobs } from "./blobs/repository-blobs.ts";
import type { RegistryDatabase } from "./contract/schema.ts";
import { startSweeping } from "./sweep/sweep.ts";
import { createUploads } from "./uploads/uploads.ts";

export interface RegistryOptions {
  accounts: Accounts;
  database: RegistryDatabase;
  blobs: Blobs;
  /** Holds parts of uploads until they are blobs. */
  store: ByteStore;
  log: Log;
  /** Per organization. */
  quotaBytes?: number;
  /** For saved builds without a tag of their own. */
  retentionMs?: number;
  /** For images pulled through from other registries; absent: none. */
  mirror?: MirrorOptions;
  /** Whether clients fetch blobs from the store itself, where it has addresses for them. Default: no. */
  redirectBlobs?: boolean;
  clock?: () => number;
}

/** A registry whose background work a test can run immediately. */
export interface RunningRegistry extends Registry {
  /** Removes content that nothing refers to, and content that is too old. */
  sweep(): Promise<void>;
}

export function createRegistry(options: RegistryOptions): RunningRegistry {
  const { clock = Date.now, quotaBytes = DEFAULT_QUOTA_BYTES, retentionMs = DEFAULT_RETENTION_MS } = options;
  const mirrorBytes = options.mirror?.quotaBytes ?? DEFAULT_MIRROR_QUOTA_BYTES;
  const quota = createQuota({ ...options, clock, quotaBytes, mirrorBytes });
  const { redirectBlobs = false } = options;
  const parts: RegistryParts = { ...options, clock, quotaBytes, quota, retentionMs, redirectBlobs };
  const mirror = options.mirror && createMirror(parts, options.mirror);
  const grant = createGranting({ ...parts, ...(mirror && { grantMirror: mirror.grant }) });
  const repositoryBlobs = createRepositoryBlobs(parts, grant);
  const uploads = createUploads(parts);
  const manifests = createManifests(parts);
  const kept = { uploads, repositoryBlobs, manifests };
  const sweeping = startSweeping({
    ...parts,
    forget: manifests.forget,
    ...(mirror && { sweepMirrors: mirror.sweep }),
  });
  return {
    accounts: options.accounts,
    blobs: options.blobs,
    grant,
    ...kept,
    ...mirror?.through(kept),
    ...(mirror && { mirrors: mirror.credentials }),
    warning: ({ repository }) => quota.warning(payerOf(repository)),
    images: createImages(parts, { grant, manifests }),
    sweep: async () => void (await sweeping.sweep()),
    async close() {
      await sweeping.stop();
      await mirror?.close();
      await manifests.close();
    },
  };
}
