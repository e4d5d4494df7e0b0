/**
 * The migrations that make the tables of `schema.ts`. Landed migrations are never changed: `accounts-1` once was, which
 * `carry-over.ts` repairs, and the ledger `src/server/database/landed-migrations.json` now refuses that.
 */
import type { Kysely } from "kysely";
import { columnTypes, type DatabaseKind } from "#platform/database/columns.ts";
import type { Migration } from "#platform/database/migrate.ts";
import { carryOver } from "./carry-over.ts";
import { eventMigration, type EventTables } from "../records/event-migration.ts";
import type { AccountTables } from "../records/schema.ts";
import { type CountTables, signInFloodsMigration } from "../records/sign-in-floods-migration.ts";
import { twoStepMigration, type TwoStepTables } from "../records/two-step-migration.ts";

/** Name → type, with `?` after the type where null is allowed. */
type Columns<Row> = { [Name in keyof Row]-?: null extends Row[Name] ? "text?" | "int?" : "text" | "int" };

type Table = Exclude<keyof AccountTables, keyof EventTables | keyof CountTables | keyof TwoStepTables>;

/** Columns that later migrations added. */
type TextColumn = "job_claims" | "immutable_tags" | "spoiled_cache";
type LaterColumn = TextColumn | "browsers_known_since" | "network" | "confirmed_until" | "verifies_user";

const TABLES: { [Name in Table]: Columns<Omit<AccountTables[Name], LaterColumn>> } = {
  organizations: { id: "text", name: "text", is_first: "int?", created_at: "int" },
  users: {
    id: "text",
    name: "text",
    mail: "text?",
    mail_verified_at: "int?",
    created_at: "int",
    last_seen_at: "int?",
  },
  members: { organization_id: "text", user_id: "text", role: "text", created_at: "int" },
  invitations: {
    id: "text",
    organization_id: "text",
    mail: "text?",
    role: "text",
    key_hash: "text",
    invited_by: "text",
    created_at: "int",
    expires_at: "int",
  },
  projects: {
    id: "text",
    organization_id: "text",
    name: "text",
    builder_size: "int",
    cache_size_bytes: "int",
    retention_days: "int",
    created_at: "int",
    revision: "int",
    changed_at: "int?",
    changed_by: "text?",
  },
  trust_relationships: { project_id: "text", position: "int", issuer: "text", claims: "text", cache: "text" },
  tokens: {
    id: "text",
    type: "text",
    hash: "text",
    name: "text",
    organization_id: "text?",
    user_id: "text?",
    project_id: "text?",
    read_only: "int",
    cache: "text?",
    created_by: "text?",
    created_at: "int",
    last_used_at: "int?",
    last_used_from: "text?",
    expires_at: "int?",
    revoked_at: "int?",
    revoked_by: "text?",
  },
  sign_ins: {
    id: "text",
    user_id: "text",
    key_hash: "text",
    browser: "text",
    address: "text",
    created_at: "int",
    last_used_at: "int",
    expires_at: "int",
  },
  sign_in_links: {
    key_hash: "text",
    kind: "text",
    user_id: "text?",
    browser_hash: "text?",
    created_at: "int",
    expires_at: "int",
    used_at: "int?",
    used_from: "text?",
  },
  passkeys: {
    id: "text",
    user_id: "text",
    credential_id: "text",
    public_key: "text",
    counter: "int",
    transports: "text",
    name: "text",
    created_at: "int",
    last_used_at: "int?",
  },
  identities: { issuer: "text", subject: "text", user_id: "text", created_at: "int" },
  device_codes: {
    code_hash: "text",
    user_code: "text",
    state: "text",
    client: "text",
    address: "text",
    user_id: "text?",
    organization_id: "text?",
    created_at: "int",
    expires_at: "int",
    polled_at: "int?",
    interval_seconds: "int",
  },
  audit_events: {
    id: "text",
    organization_id: "text?",
    time: "int",
    action: "text",
    actor: "text",
    actor_id: "text",
    target: "text",
    target_id: "text",
    address: "text",
    details: "text",
    words: "text",
  },
  exchanges: {
    id: "text",
    organization_id: "text",
    project_id: "text",
    time: "int",
    issuer: "text",
    subject: "text",
    claims: "text",
    is_refused: "int",
    refused_because: "text",
    differences: "text",
    token_id: "text?",
    address: "text",
  },
  usage_counts: { organization_id: "text", project_id: "text", day: "int", kind: "text", count: "int" },
};

const PRIMARY_KEYS: Partial<Record<Table, string[]>> = {
  members: ["organization_id", "user_id"],
  trust_relationships: ["project_id", "position"],
  identities: ["issuer", "subject"],
  sign_in_links: ["key_hash"],
  device_codes: ["code_hash"],
  usage_counts: ["organization_id", "project_id", "day", "kind"],
};

/** Column → table whose row must exist; deleting that row deletes this one. The audit log outlives the objects it names. */
const OWNERS: Partial<Record<Table, Record<string, Table>>> = {
  members: { organization_id: "organizations", user_id: "users" },
  invitations: { organization_id: "organizations" },
  projects: { organization_id: "organizations" },
  trust_relationships: { project_id: "projects" },
  tokens: { organization_id: "organizations", user_id: "users", project_id: "projects" },
  sign_ins: { user_id: "users" },
  sign_in_links: { user_id: "users" },
  passkeys: { user_id: "users" },
  identities: { user_id: "users" },
  device_codes: { user_id: "users", organization_id: "organizations" },
  exchanges: { organization_id: "organizations", project_id: "projects" },
  usage_counts: { organization_id: "organizations" },
};

const UNIQUE: readonly [Table, string[]][] = [
  ["organizations", ["name"]],
  ["organizations", ["is_first"]],
  ["users", ["mail"]],
  ["invitations", ["key_hash"]],
  ["projects", ["organization_id", "name"]],
  ["tokens", ["hash"]],
  ["sign_ins", ["key_hash"]],
  ["passkeys", ["credential_id"]],
  ["device_codes", ["user_code"]],
];

const INDEXES: readonly [Table, string[]][] = [
  ["members", ["user_id"]],
  ["invitations", ["organization_id", "created_at"]],
  ["tokens", ["organization_id", "type", "created_at"]],
  ["tokens", ["user_id", "created_at"]],
  ["tokens", ["project_id"]],
  ["tokens", ["expires_at"]],
  ["sign_ins", ["user_id", "last_used_at"]],
  ["sign_ins", ["expires_at"]],
  ["sign_in_links", ["expires_at"]],
  ["passkeys", ["user_id"]],
  ["identities", ["user_id"]],
  ["device_codes", ["expires_at"]],
  ["audit_events", ["organization_id", "id"]],
  ["exchanges", ["organization_id", "id"]],
  ["exchanges", ["organization_id", "is_refused", "id"]],
  ["exchanges", ["project_id", "id"]],
];

export const accountMigrations: readonly Migration[] = [
  { name: "accounts-1", release: 1, up: createTables },
  eventMigration,
  { name: "accounts-2", release: 2, up: addText("tokens", "job_claims") },
  { name: "accounts-3", release: 2, up: addText("projects", "immutable_tags") },
  {
    name: "accounts-carried-over",
    release: 3,
    up: (db, kind) =>
      carryOver(db, kind, async (table) => {
        await createTable(db, kind, table);
        await createIndexes(db, (other) => other === table);
      }),
  },
  { name: "accounts-spoiled-cache", release: 3, up: addText("projects", "spoiled_cache") },
  signInFloodsMigration,
  twoStepMigration,
];

function addText(table: Table, column: TextColumn): Migration["up"] {
  return (db, kind) => db.schema.alterTable(table).addColumn(column, columnTypes(kind).text).execute();
}

async function createTables(db: Kysely<unknown>, kind: DatabaseKind): Promise<void> {
  for (const table of Object.keys(TABLES) as Table[]) await createTable(db, kind, table);
  await createIndexes(db, () => true);
}

async function createTable(db: Kysely<unknown>, kind: DatabaseKind, table: Table): Promise<void> {
  const { text } = columnTypes(kind);
  let builder = db.schema.createTable(table);
  for (const [name, type] of Object.entries<string>(TABLES[table]))
    builder = builder.addColumn(name, type.startsWith("text") ? text : "bigint", (column) => {
      const owner = OWNERS[table]?.[name];
      const owned = owner ? column.references(`${owner}.id`).onDelete("cascade") : column;
      return type.endsWith("?") ? owned : owned.notNull();
    });
  await builder.addPrimaryKeyConstraint(`${table}_key`, (PRIMARY_KEYS[table] ?? ["id"]) as never[]).execute();
}

async function createIndexes(db: Kysely<unknown>, isWanted: (table: Table) => boolean): Promise<void> {
  for (const [table, columns] of [...UNIQUE, ...INDEXES]) {
    if (!isWanted(table)) continue;
    const index = db.schema
      .createIndex(`${table}_${columns.join("_")}`)
      .on(table)
      .columns(columns);
    await (
      UNIQUE.some(([other, names]) => other === table && names === columns) ? index.unique() : index
    ).execute();
  }
}
