import { leaseMigrations } from "#platform/database/lease.ts";
import type { Migration } from "#platform/database/migrate.ts";
import { accountMigrations } from "#accounts/migrations.ts";

/** Those of all rooms, in the order in which they run. */
export const recordMigrations: readonly Migration[] = [...leaseMigrations, ...accountMigrations];
