/**
 * A backup of a server whose registry is swept and collected while it is written:
 * 1. Restored, every image that the records name can be read, byte for byte, although the sweep has removed it meanwhile: the
 *    sweep need not pause, since it removes only records and references, and files stay until the backup is written.
 * 2. An unfinished upload must be restarted, however much of it had arrived; nothing that is missing was acknowledged.
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { sql } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readBlob } from "#platform/blobs/read-blob.ts";
import { digestOf } from "#registry/testing/client.ts";
import { addBlob, makeImage, makePusher, OCI_IMAGE } from "#registry/testing/images.ts";
import { openTestRegistry } from "#registry/testing/registry.ts";
import { copyBlobs } from "./copy-blobs.ts";
import { BLOB_FOLDER } from "#platform/blobs/open-blob-store.ts";
import { holdCollection } from "./hold-collection.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const LARGE = Buffer.alloc(100_000, "large");
const chunkOf = (content: Buffer) => ({
  read: (take: (pieces: readonly Uint8Array[]) => Promise<void>) => take([content]),
});

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "backup-registry-"))));
afterEach(() => rmSync(folder, { recursive: true }));

test("1. and 2. a sweep meanwhile, and uploads under way", async () => {
  // A backup's lease expires by the real clock.
  const time = { now: Date.now() - DAY_MS };
  const test = await openTestRegistry("sqlite", { retentionMs: DAY_MS, clock: () => time.now });
  const { grant } = await makePusher(test);
  const { registry, database, collector } = test;
  const layer = await addBlob(test, grant.repository.id, LARGE);
  const image = await makeImage(test, grant.repository.id, { layers: [LARGE.toString(), "small"] });
  const saved = "bld_0000000001";
  await registry.manifests.put(grant, { reference: saved, mediaType: OCI_IMAGE, bytes: image.bytes });
  time.now = Date.now();
  const uploads = [];
  for (const count of [1, 2]) {
    const { id } = await registry.uploads.begin(grant);
    for (let number = 0; number < count; number += 1)
      await registry.uploads.append(grant, id, chunkOf(LARGE));
    uploads.push({ id, digest: digestOf(Buffer.concat(Array.from({ length: count }, () => LARGE))) });
  }

  // The steps of `writeBackup`, with the sweep in between.
  const listed = await sql<{ file: string }>`select file from pragma_database_list`.execute(database.db);
  const { file } = listed.rows[0]!;
  const held = await holdCollection(file);
  expect(held.warning).toBeNull();
  const records = join(folder, "records.db");
  new DatabaseSync(file).exec(`vacuum into '${records}'`);
  await registry.sweep();
  expect(await registry.manifests.find(grant, saved)).toBeUndefined();
  expect(await collector.collect()).toBeNull();
  const source = join(folder, "source");
  mkdirSync(source);
  cpSync(test.folder, join(source, BLOB_FOLDER), { recursive: true });
  const target = join(folder, "target");
  const { warnings } = await copyBlobs({ source, target }, records);
  expect(warnings).toEqual([]);
  held.release();

  // Puts both back into the server.
  const db = new DatabaseSync(file);
  db.exec(`attach '${records}' as backup`);
  const tables = db.prepare("select name from backup.sqlite_schema where type = 'table'").all();
  for (const { name } of tables)
    if (String(name).startsWith("registry_") || String(name).startsWith("blob"))
      db.exec(`delete from main.${name}; insert into main.${name} select * from backup.${name}`);
  db.close();
  rmSync(test.folder, { recursive: true });
  cpSync(join(target, BLOB_FOLDER), test.folder, { recursive: true });
  mkdirSync(join(test.folder, "incoming"), { recursive: true });
  await test.restart();
  const found = await test.registry.manifests.find(grant, saved);
  expect(image.bytes.equals(found!.bytes)).toBe(true);
  for (const { digest } of [layer, image.config, ...image.layers]) {
    const blob = await test.registry.repositoryBlobs.find(grant, digest);
    expect(digestOf((await readBlob(test.blobs, blob!, { maxBytes: 1e6 }))!)).toBe(digest);
  }
  for (const { id, digest } of uploads) {
    const ended = test.registry.uploads.finish(grant, id, { digest });
    await expect(ended).rejects.toMatchObject({ code: "BLOB_UPLOAD_UNKNOWN" });
    await expect(test.registry.uploads.find(grant, id)).rejects.toMatchObject({
      code: "BLOB_UPLOAD_UNKNOWN",
    });
  }
  await test.close();
});
