/**
 * 1. A backup has the records and every blob that they name, byte for byte, even one that is itself a database; unnamed blobs are
 *    left out. Restored, all of it can be read.
 * 2. With records in PostgreSQL, the backup has all blobs, whatever an unused `millrace.db` names.
 * 3. While it is written no blob is removed; afterwards removal continues, even if a backup was killed.
 */
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { inTransaction, openDatabase } from "#platform/database/database.ts";
import { createBlobs } from "#platform/blobs/blobs.ts";
import { startCollector } from "#platform/blobs/collect.ts";
import { openDiskStore } from "#platform/blobs/disk-store.ts";
import { COLLECT_LEASE_MS } from "#platform/blobs/limits.ts";
import { consoleLog } from "#platform/log/log.ts";
import type { RecordTables } from "../database/record-tables.ts";
import { recordMigrations } from "../database/record-migrations.ts";
import { holdCollection } from "./hold-collection.ts";
import { restoreBackup } from "./restore-backup.ts";
import { writeBackup } from "./write-backup.ts";

async function openBlobsIn(data: string, clock = Date.now) {
  mkdirSync(data, { recursive: true });
  const database = await openDatabase<RecordTables>({
    at: { file: join(data, "millrace.db") },
    migrations: recordMigrations,
  });
  const store = await openDiskStore(join(data, "blobs"));
  const collector = startCollector({ database, store, log: consoleLog, clock });
  const blobs = createBlobs({ database, store });
  const put = async (content: Buffer) => {
    const upload = blobs.receive({ maxBytes: content.length });
    await upload.write(content);
    const received = await upload.finish();
    await inTransaction(database, (transaction) => blobs.keep(transaction, received));
    return received.digest;
  };
  const drop = (digest: string) =>
    inTransaction(database, (transaction) => blobs.drop(transaction, new Map([[digest, 1]])));
  const close = async () => {
    await collector.stop();
    await database.close();
  };
  return { database, collector, blobs, put, drop, close };
}

/** A file that a build may well keep in its cache. */
function makeDatabaseFile(): Buffer {
  const file = join(mkdtempSync(join(tmpdir(), "blob-")), "some.db");
  const db = new DatabaseSync(file);
  db.exec("create table t (a); insert into t values (zeroblob(20000)); delete from t");
  db.close();
  return readFileSync(file);
}

test("1. all that is named", async () => {
  const folder = mkdtempSync(join(tmpdir(), "backup-blobs-"));
  const data = join(folder, "data");
  const contents = [Buffer.alloc(10, "small"), makeDatabaseFile(), Buffer.alloc(300_000, "large")];
  const { put, close } = await openBlobsIn(data);
  const digests: string[] = [];
  for (const content of contents) digests.push(await put(content));
  const unnamed = join("blobs", "ab", `ab${"0".repeat(30)}`);
  mkdirSync(join(data, "blobs", "ab"), { recursive: true });
  writeFileSync(join(data, unnamed), "of no one");
  writeFileSync(join(data, "blobs", "incoming", "half"), "half");
  const { manifest, warnings } = await writeBackup(data, join(folder, "monday"));
  await close();
  expect(warnings).toEqual([]);
  expect(manifest.files.filter(({ path }) => path.startsWith("blobs/"))).toHaveLength(2);
  await restoreBackup(join(folder, "monday"), join(folder, "restored"));
  const restored = await openBlobsIn(join(folder, "restored"));
  for (const [index, digest] of digests.entries()) {
    const reader = await restored.blobs.open((await restored.blobs.find(digest))!);
    const chunks: Uint8Array[] = [];
    for await (const chunk of reader.bytes()) chunks.push(chunk);
    await reader.close();
    expect(Buffer.concat(chunks).equals(contents[index]!)).toBe(true);
  }
  await restored.close();
});

test("2. records in PostgreSQL", async () => {
  const folder = mkdtempSync(join(tmpdir(), "backup-blobs-"));
  const data = join(folder, "data");
  const { put, close } = await openBlobsIn(data);
  await put(Buffer.alloc(300_000, "old"));
  const later = join("blobs", "ab", `ab${"0".repeat(30)}`);
  mkdirSync(join(data, "blobs", "ab"), { recursive: true });
  writeFileSync(join(data, later), "of a record in PostgreSQL");
  writeFileSync(join(data, "blobs", "incoming", "half"), "half");
  const { manifest } = await writeBackup(data, join(folder, "monday"), { hasRecordsElsewhere: true });
  await close();
  const copied = manifest.files.map(({ path }) => path).filter((path) => path.startsWith("blobs/"));
  expect(copied).toHaveLength(2);
  expect(copied).toContain(later);
});

test("3. nothing is removed meanwhile", async () => {
  const data = mkdtempSync(join(tmpdir(), "backup-blobs-"));
  let now = Date.now();
  const { put, drop, collector, close } = await openBlobsIn(data, () => now);
  await drop(await put(Buffer.alloc(5_000)));
  const held = await holdCollection(join(data, "millrace.db"));
  expect(held.warning).toBeNull();
  expect(await collector.collect()).toBeNull();
  held.release();
  expect(await collector.collect()).toBe(1);

  await drop(await put(Buffer.alloc(5_000)));
  const killed = await holdCollection(join(data, "millrace.db"));
  expect(await collector.collect()).toBeNull();
  now = Date.now() + 2 * COLLECT_LEASE_MS;
  expect(await collector.collect()).toBe(1);
  killed.release();
  await close();
});
