import type { AccountTables } from "#accounts/index.ts";
import type { BuildTables } from "#builds/index.ts";
import type { CacheTables } from "#cache/index.ts";
import type { RegistryTables } from "#registry/index.ts";
import type { BlobTables } from "#platform/blobs/schema.ts";
import type { Database } from "#platform/database/database.ts";
import type { LeaseTables } from "#platform/database/lease.ts";
import type { KeyCheckTables } from "#platform/seal/key-check.ts";

/** The tables of all rooms. */
export type RecordTables = AccountTables &
  LeaseTables &
  BlobTables &
  CacheTables &
  RegistryTables &
  BuildTables &
  KeyCheckTables;
export type RecordDatabase = Database<RecordTables>;
