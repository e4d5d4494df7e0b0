import type { Accounts } from "#accounts/index.ts";
import type { Blobs } from "#platform/blobs/blobs.ts";
import type { ByteStore } from "#platform/blobs/byte-store.ts";
import type { Log } from "#platform/log/log.ts";
import type { Quota } from "./quota.ts";
import type { RegistryDatabase } from "./schema.ts";

/** Shared dependencies of the registry's parts. */
export interface RegistryParts {
  accounts: Accounts;
  database: RegistryDatabase;
  blobs: Blobs;
  store: ByteStore;
  log: Log;
  quotaBytes: number;
  quota: Quota;
  retentionMs: number;
  /** Whether clients fetch blobs from the store itself, where it has addresses for them. */
  redirectBlobs: boolean;
  clock: () => number;
}
