import type { Kysely } from "kysely";
import { columnTypes, type DatabaseKind } from "#platform/database/columns.ts";
import type { Migration } from "#platform/database/migrate.ts";

export interface TwoStepTables {
  /** People who sign in in two steps. A row outlives the other two tables: without a way left, one step is not enough. */
  two_steps: { user_id: string; created_at: number };
  /** Secrets of apps that show codes. Those sealed with a lost secret key are deleted. */
  totp_secrets: {
    user_id: string;
    /** 20 bytes in Base32, sealed for the person. */
    sealed: string;
    created_at: number;
    /** The last accepted code's half minute, counted from 1970. */
    last_step: number;
  };
  /** Each code works once. */
  recovery_codes: { user_id: string; code_hash: string };
}

export const twoStepMigration: Migration = { name: "accounts-two-step", release: 5, up };

async function up(db: Kysely<unknown>, kind: DatabaseKind): Promise<void> {
  const { text } = columnTypes(kind);
  await db.schema.alterTable("passkeys").addColumn("verifies_user", "bigint").execute();
  await db.schema.alterTable("sign_ins").addColumn("confirmed_until", "bigint").execute();
  await db.schema
    .createTable("two_steps")
    .addColumn("user_id", text, (column) => column.primaryKey().references("users.id").onDelete("cascade"))
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .execute();
  await db.schema
    .createTable("totp_secrets")
    .addColumn("user_id", text, (column) => column.primaryKey().references("users.id").onDelete("cascade"))
    .addColumn("sealed", text, (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("last_step", "bigint", (column) => column.notNull())
    .execute();
  await db.schema
    .createTable("recovery_codes")
    .addColumn("user_id", text, (column) => column.notNull().references("users.id").onDelete("cascade"))
    .addColumn("code_hash", text, (column) => column.notNull())
    .addPrimaryKeyConstraint("recovery_codes_key", ["user_id", "code_hash"])
    .execute();
}
