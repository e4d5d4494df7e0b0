import { accountMigrations } from "#accounts/index.ts";
import { apiMigrations } from "#api/index.ts";
import { buildMigrations } from "#builds/index.ts";
import { cacheMigrations } from "#cache/index.ts";
import { blobMigrations } from "#platform/blobs/schema.ts";
import { leaseMigrations } from "#platform/database/lease.ts";
import { keyCheckMigrations } from "#platform/seal/key-check.ts";
import { registryMigrations } from "#registry/index.ts";
import type { Migration } from "#platform/database/migrate.ts";

/** Those of all rooms, in the order in which they run. */
export const recordMigrations: readonly Migration[] = [
  ...leaseMigrations,
  ...accountMigrations,
  ...apiMigrations,
  ...blobMigrations,
  ...cacheMigrations,
  ...registryMigrations,
  ...buildMigrations,
  ...keyCheckMigrations,
];
