/**
 * The cost of look-ups in a large cache: entries of one namespace in SQLite, half of them action results in the database, half of
 * them bytes in files.
 *
 *   node bench/cache/many-entries.ts [entries, by default 10,000,000]
 *
 * Rows bypass the cache and are written in key order, so the file is up to a third smaller than one that grew. `miss`, `hit`:
 * keys not requested before, through `find`. `remembered`: a key requested a moment ago.
 */
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { accountMigrations, type AccountTables, type Actor, createAccounts } from "#accounts/index.ts";
import { type Cache, cacheMigrations, type CacheTables, createCache, type Grant } from "#cache/index.ts";
import { createBlobs } from "#platform/blobs/blobs.ts";
import { openDiskStore } from "#platform/blobs/disk-store.ts";
import { blobMigrations, type BlobTables } from "#platform/blobs/schema.ts";
import { openDatabase } from "#platform/database/database.ts";
import { leaseMigrations, type LeaseTables } from "#platform/database/lease.ts";
import { consoleLog } from "#platform/log/log.ts";

const DEFAULT_ENTRIES = 10_000_000;
const ROWS_AT_ONCE = 500_000;
const ASKED = 20_000;
const FIND_MANY = 1_000;
const RESULT_BYTES = 400;
const FILE_BYTES = 40_000;
const GIGABYTE = 1e9;
const MILLISECONDS_PER_SECOND = 1_000;
/** Spreads the numbers evenly over all keys, in order. */
const spread = (number: number, of: number) =>
  Math.floor((number * 0xff_ff_ff_ff) / of)
    .toString(16)
    .padStart(8, "0");
const keyOf = (prefix: string) => `ac/${prefix.padEnd(64, "0")}`;

const organization: Actor = {
  kind: "organization",
  tokenId: "tok_ci",
  name: "ci",
  organizationId: "org_acme",
  organization: "acme",
  expiresAt: null,
  readOnly: false,
};

const entries = Number(process.argv[2] ?? DEFAULT_ENTRIES);
const folder = mkdtempSync(join(tmpdir(), "millrace-many-"));
try {
  await measure(join(folder, "millrace.db"));
} finally {
  rmSync(folder, { recursive: true });
}

async function measure(file: string): Promise<void> {
  const first = await openCache(file);
  const { reads } = await first.cache.grant(organization, "bazel", "write");
  await first.close();
  const begun = performance.now();
  fill(file, reads[0] ?? "");
  const seconds = (performance.now() - begun) / MILLISECONDS_PER_SECOND;
  const bytes = statSync(file).size;
  console.log(
    `${entries.toLocaleString("en")} entries: ${(bytes / GIGABYTE).toFixed(2)} GB, ${Math.round(bytes / entries)} bytes each, written in ${seconds.toFixed(0)} s`,
  );
  const opening = performance.now();
  const { cache, close } = await openCache(file);
  console.log(`opened in ${(performance.now() - opening).toFixed(0)} ms`);
  const grant = await cache.grant(organization, "bazel", "write");
  const random = () => Math.floor(Math.random() * entries);
  // Entries have even numbers; odd numbers never existed.
  const there = Array.from({ length: ASKED }, () => keyOf(spread(2 * random(), 2 * entries)));
  const missing = Array.from({ length: ASKED }, () => keyOf(spread(2 * random() + 1, 2 * entries)));
  await report(cache, grant, { name: "miss", keys: missing, isHit: false });
  await report(cache, grant, { name: "hit", keys: there, isHit: true });
  await report(cache, grant, { name: "remembered", keys: there, isHit: true });
  const asked = performance.now();
  await cache.findMany(grant, [...there.slice(0, FIND_MANY / 2), ...missing.slice(0, FIND_MANY / 2)]);
  console.log(`findMany of ${FIND_MANY}, half of them there: ${(performance.now() - asked).toFixed(1)} ms`);
  for (const name of [
    `usage, with ${(2 * ASKED).toLocaleString("en")} uses at most to be written first`,
    "usage",
  ]) {
    const counting = performance.now();
    await cache.usage(organization, { tool: "bazel" });
    console.log(`${name}: ${(performance.now() - counting).toFixed(1)} ms`);
  }
  await close();
}

async function report(
  cache: Cache,
  grant: Grant,
  { name, keys, isHit }: { name: string; keys: readonly string[]; isHit: boolean },
): Promise<void> {
  const times: number[] = [];
  for (const key of keys) {
    const begun = performance.now();
    const found = await cache.find(grant, key);
    times.push(performance.now() - begun);
    if ((found !== undefined) !== isHit) throw new Error(`${key} should${isHit ? "" : " not"} be there.`);
  }
  times.sort((one, other) => one - other);
  const at = (share: number) => `${(times[Math.floor(times.length * share)] ?? 0).toFixed(3)} ms`;
  console.log(`${name}: p50 ${at(0.5)}, p99 ${at(0.99)}, worst ${at(1 - 1 / times.length)}`);
}

/** Indexes other than the key are built at the end, together. */
function fill(file: string, namespaceId: string): void {
  const db = new DatabaseSync(file);
  db.exec("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -500000");
  db.function("spread", (number) => spread(Number(number), 2 * entries));
  const indexes = db
    .prepare("select name, sql from sqlite_schema where type = 'index' and sql is not null and tbl_name = ?")
    .all("cache_entries");
  for (const { name } of indexes) db.exec(`drop index ${String(name)}`);
  const now = Date.now();
  for (let start = 0; start < entries; start += ROWS_AT_ONCE) {
    const end = Math.min(entries, start + ROWS_AT_ONCE);
    db.exec(`begin;
      create temp table numbers as with recursive n (i) as (select ${start} union all select i + 1 from n where i + 1 < ${end})
        select i, spread(2 * i) || '${"0".repeat(56)}' as hash from n;
      insert into blobs (digest, size, stored_bytes, encoding, place, reference_count, held_until, is_damaged)
        select 'sha256:' || hash, iif(i % 2, ${FILE_BYTES}, ${RESULT_BYTES}), iif(i % 2, ${FILE_BYTES}, ${RESULT_BYTES}),
          'identity', iif(i % 2, substr(hash, 1, 32), null), 1, 0, 0 from numbers;
      insert into blob_contents (digest, content)
        select 'sha256:' || hash, randomblob(${RESULT_BYTES}) from numbers where i % 2 = 0;
      insert into cache_entries (namespace_id, key, digest, size, meta, writer_id, written_at, used_at)
        select '${namespaceId}', 'ac/' || hash, 'sha256:' || hash, iif(i % 2, ${FILE_BYTES}, ${RESULT_BYTES}), '',
          'cwr_${"0".repeat(32)}', ${now} - abs(random() % 1209600000), ${now} - abs(random() % 1209600000) from numbers;
      drop table numbers; commit`);
  }
  for (const { sql } of indexes) db.exec(String(sql));
  db.exec(
    `update cache_namespaces set entries = ${entries}, size_bytes = ${(entries / 2) * (FILE_BYTES + RESULT_BYTES)}`,
  );
  db.close();
}

async function openCache(file: string): Promise<{ cache: Cache; close: () => Promise<void> }> {
  const database = await openDatabase<CacheTables & BlobTables & AccountTables & LeaseTables>({
    at: { file },
    migrations: [...leaseMigrations, ...accountMigrations, ...blobMigrations, ...cacheMigrations],
  });
  const log = { ...consoleLog, info: () => {} };
  const origin = "http://localhost:3000";
  const accounts = createAccounts({ database, origin, version: "0", log, secretKey: new Uint8Array(32) });
  const blobs = createBlobs({ database, store: await openDiskStore(join(file, "..", "blobs")) });
  // A quota that no number of entries reaches, so that nothing is removed.
  const cache = createCache({ accounts, database, blobs, log, quotaBytes: Number.MAX_SAFE_INTEGER });
  return {
    cache,
    async close() {
      await cache.close();
      await accounts.close();
      await database.close();
    },
  };
}
