/**
 * A file without a row may belong to an upload in progress. It is removed once it is older than a day by both the database's
 * clock and the machine's, because file times come from the machine's.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openDatabase } from "../database/database.ts";
import { leaseMigrations, type LeaseTables } from "../database/lease.ts";
import { openTestDatabase } from "../testing/database.ts";
import { startCollector } from "./collect.ts";
import { openDiskStore } from "./disk-store.ts";
import { ORPHAN_AGE_MS } from "./limits.ts";
import { blobMigrations, type BlobTables } from "./schema.ts";

const log = { debug() {}, info() {}, warn() {}, error() {}, writes: () => true, flush() {} };

test.each([
  [2, 0, 0],
  [0, 2, 0],
  [2, 2, 1],
])("the database's clock is %d days ahead, the machine's %d", async (database, machine, removed) => {
  const place = await openTestDatabase("sqlite");
  const opened = await openDatabase<BlobTables & LeaseTables>({
    at: place.at,
    migrations: [...leaseMigrations, ...blobMigrations],
  });
  const folder = mkdtempSync(join(tmpdir(), "collect-"));
  const ahead = (days: number) => () => Date.now() + days * ORPHAN_AGE_MS;
  const store = await openDiskStore(folder, ahead(machine));
  const writer = await store.create();
  await writer.write([Buffer.from("an upload")]);
  await writer.finish();
  const collector = startCollector({ database: opened, store, log, clock: ahead(database) });
  expect(await collector.removeOrphans()).toBe(removed);
  expect((await store.writtenAt(writer.place)) === null).toBe(removed === 1);
  await collector.stop();
  await opened.close();
  await place.remove();
  rmSync(folder, { recursive: true });
});
