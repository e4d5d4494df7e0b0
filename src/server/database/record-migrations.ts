import { blobMigrations } from "#platform/blobs/schema.ts";
import { leaseMigrations } from "#platform/database/lease.ts";
import type { Migration } from "#platform/database/migrate.ts";
import { keyCheckMigrations } from "#platform/seal/key-check.ts";
import { house } from "../house.ts";

/** Migrations of the ground and of all rooms, in order. */
export const recordMigrations: readonly Migration[] = [
  ...leaseMigrations,
  ...blobMigrations,
  ...house.migrations,
  ...keyCheckMigrations,
];
