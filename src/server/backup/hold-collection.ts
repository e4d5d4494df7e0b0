/**
 * Keeps a running server from removing blobs until a backup has copied the records and then the files that they name: it
 * holds the collector's lease, which expires if the backup is killed.
 */
import { existsSync } from "node:fs";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { COLLECT_LEASE } from "#platform/blobs/collect.ts";
import { COLLECT_LEASE_MS } from "#platform/blobs/limits.ts";

const BUSY_MS = 10_000;
const PAUSE_MS = 100;

export interface HeldCollection {
  /** A sentence that says why it could not be held; null: it is held. */
  warning: string | null;
  release: () => void;
}

/** @param file the database of the records; a missing one, or one older than blobs, has nothing to hold; null: there is none */
export async function holdCollection(file: string | null): Promise<HeldCollection> {
  const nothing = { warning: null, release: () => {} };
  if (file === null || !existsSync(file)) return nothing;
  let db: DatabaseSync | null = null;
  try {
    db = new DatabaseSync(file, { timeout: BUSY_MS });
    if (!hasLeases(db)) {
      db.close();
      return nothing;
    }
    return await takeLease(db);
  } catch (error) {
    db?.close();
    const reason = error instanceof Error ? error.message : String(error);
    const warning = `A running server may remove blobs during the backup, because ${file} cannot be written (${reason}).`;
    return { ...nothing, warning };
  }
}

const hasLeases = (db: DatabaseSync) =>
  db.prepare("select 1 from sqlite_schema where name in ('leases', 'blobs')").all().length === 2;

async function takeLease(db: DatabaseSync): Promise<HeldCollection> {
  const holder = `backup ${process.pid}`;
  const take = db.prepare(`insert into leases (name, holder, expires_at) values (?, ?, ?)
    on conflict (name) do update set holder = excluded.holder, expires_at = excluded.expires_at
    where leases.holder = excluded.holder or leases.expires_at <= ? returning 1`);
  const until = performance.now() + COLLECT_LEASE_MS * 2;
  while (!takeNow(take, holder)) {
    if (performance.now() > until) throw new Error("another backup is being written");
    await sleep(PAUSE_MS);
  }
  const renewing = setInterval(() => takeNow(take, holder), COLLECT_LEASE_MS / 4).unref();
  return {
    warning: null,
    release() {
      clearInterval(renewing);
      db.prepare("delete from leases where name = ? and holder = ?").run(COLLECT_LEASE, holder);
      db.close();
    },
  };
}

function takeNow(take: StatementSync, holder: string): boolean {
  const now = Date.now();
  return take.all(COLLECT_LEASE, holder, now + COLLECT_LEASE_MS, now).length > 0;
}
