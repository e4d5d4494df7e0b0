/**
 * Every landed migration with a hash of its effect: `landed-migrations.json`. A database stores the same hash in the migration's
 * row, so that a server refuses a database that was made differently (decision 047).
 */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hashMigrations } from "#platform/database/migration-hashes.ts";
import { catalogMigrations } from "#search-server/index.ts";
import { root } from "#server/pages/build-folders.ts";
import { recordMigrations } from "#server/database/record-migrations.ts";
import { telemetryMigrations } from "#telemetry/index.ts";

export const LEDGER_FILE = "src/server/database/landed-migrations.json";

/** `accounts-1 (sqlite)` → its hash. */
export type MigrationLedger = Readonly<Record<string, string>>;

export function readLedger(): MigrationLedger {
  return JSON.parse(readFileSync(join(root, LEDGER_FILE), "utf8")) as MigrationLedger;
}

/** One migration per line, sorted, so that branches that add some can be merged. */
export function saveLedger(ledger: MigrationLedger): void {
  const sorted = Object.entries(ledger).toSorted(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(join(root, LEDGER_FILE), `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
}

/** Hashes of today's code. */
export async function hashAllMigrations(): Promise<MigrationLedger> {
  const hashes: Record<string, string> = {};
  for (const kind of ["sqlite", "postgres"] as const)
    for (const [name, hash] of await hashMigrations(recordMigrations, kind))
      hashes[`${name} (${kind})`] = hash;
  for (const [store, texts] of [
    ["telemetry.sqlite", telemetryMigrations],
    ["search catalog", catalogMigrations],
  ] as const)
    texts.forEach((text, at) => {
      hashes[`${store} ${at + 1}`] = createHash("sha256").update(text).digest("hex");
    });
  return hashes;
}

export interface LedgerProblems {
  /** Landed, but now different or missing. */
  changed: string[];
  /** Not in the ledger. */
  added: string[];
}

export function compareLedger(ledger: MigrationLedger, today: MigrationLedger): LedgerProblems {
  return {
    changed: Object.keys(ledger).filter((name) => today[name] !== ledger[name]),
    added: Object.keys(today).filter((name) => !(name in ledger)),
  };
}
