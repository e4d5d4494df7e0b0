/**
 * 1. Old unfinished uploads to S3 are aborted, on all pages of the list, even if one of them cannot be; uploads that another
 *    replica may still be writing stay.
 * 2. The collector does so every hour, in one process of a cluster.
 */
import * as sdk from "@aws-sdk/client-s3";
import { expect, test } from "vitest";
import { openDatabase } from "../database/database.ts";
import { leaseMigrations, type LeaseTables } from "../database/lease.ts";
import { openTestDatabase, testDatabaseKinds } from "../testing/database.ts";
import { consoleLog } from "../log/log.ts";
import type { ByteStore } from "./byte-store.ts";
import { startCollector } from "./collect.ts";
import { ABANDONED_MS } from "./limits.ts";
import type { Bucket } from "./s3-bucket.ts";
import { removeUnfinishedParts } from "./s3-unfinished.ts";
import { blobMigrations, type BlobTables } from "./schema.ts";

const PAGE = 2;

interface Begun {
  Key: string;
  UploadId: string;
  Initiated: Date;
}

/** Answers like S3, with small pages. */
function bucketWith(uploads: readonly Begun[], refused: string): { bucket: Bucket; left: () => string[] } {
  let left = [...uploads];
  const listAfter = ({ Prefix = "", KeyMarker, UploadIdMarker }: sdk.ListMultipartUploadsCommandInput) => {
    const after = uploads.findIndex(({ Key, UploadId }) => Key === KeyMarker && UploadId === UploadIdMarker);
    const all = left.filter((upload) => upload.Key.startsWith(Prefix) && uploads.indexOf(upload) > after);
    const page = all.slice(0, PAGE);
    const { Key: NextKeyMarker, UploadId: NextUploadIdMarker } = page.at(-1) ?? {};
    return { Uploads: page, IsTruncated: all.length > PAGE, NextKeyMarker, NextUploadIdMarker };
  };
  const client = new sdk.S3Client({ region: "us-east-1" });
  client.send = (command: unknown) => {
    if (command instanceof sdk.ListMultipartUploadsCommand) return Promise.resolve(listAfter(command.input));
    if (!(command instanceof sdk.AbortMultipartUploadCommand)) throw new Error("nothing else is asked");
    const { UploadId } = command.input;
    if (UploadId === refused) return Promise.reject(new Error("NoSuchUpload"));
    left = left.filter((upload) => upload.UploadId !== UploadId);
    return Promise.resolve({});
  };
  const bucket: Bucket = { sdk, client, name: "blobs", keyOf: (place) => place };
  return { bucket, left: () => left.map(({ UploadId }) => UploadId) };
}

test("1. uploads of servers that were killed", async () => {
  const begun = (UploadId: string, at: number, Key = "of/tests/00/same"): Begun => ({
    Key,
    UploadId,
    Initiated: new Date(at),
  });
  const { bucket, left } = bucketWith(
    [
      begun("a", 10),
      begun("young", 30),
      begun("refused", 10),
      begun("b", 19),
      begun("others", 10, "other/00/x"),
      begun("c", 5),
      begun("d", 0),
    ],
    "refused",
  );
  await removeUnfinishedParts(bucket, "of/tests/", 20);
  expect(left()).toEqual(["young", "refused", "others"]);
});

test.each(testDatabaseKinds)("2. by one of two replicas: %s", async (kind) => {
  const place = await openTestDatabase(kind);
  const migrations = [...leaseMigrations, ...blobMigrations];
  const database = await openDatabase<BlobTables & LeaseTables>({ at: place.at, migrations });
  const now = 1_000_000_000_000;
  const asked: [replica: string, before: number][] = [];
  const { promise: both, resolve: go } = Promise.withResolvers<void>();
  const begin = (replica: string) => {
    const store: Partial<ByteStore> = {
      async removeAbandoned(before) {
        asked.push([replica, before]);
        await both;
      },
      async *places() {},
    };
    // Only these methods are used.
    return startCollector({ database, store: store as ByteStore, log: consoleLog, clock: () => now });
  };
  const [one, other] = [begin("one"), begin("other")];
  const first = one.removeOrphans();
  await expect.poll(() => asked.length).toBe(1);
  expect(await other.removeOrphans()).toBeNull();
  go();
  expect(await first).toBe(0);
  expect(asked).toEqual([["one", now - ABANDONED_MS]]);
  await Promise.all([one.stop(), other.stop()]);
  await database.close();
  await place.remove();
});
