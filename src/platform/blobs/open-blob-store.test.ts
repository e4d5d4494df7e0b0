/**
 * 1. With an S3 address, blobs are in its bucket.
 * 2. A missing bucket, a wrong endpoint and a folder that cannot be created are reported with the remedy.
 */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startTestS3 } from "#platform/testing/s3.ts";
import { parseEnvironment } from "#server/environment.ts";
import { openBlobStore } from "./open-blob-store.ts";

const open = (env: Record<string, string>) => openBlobStore(parseEnvironment(env));

test("1. and 2. S3", async () => {
  const s3 = await startTestS3();
  onTestFinished(s3.close);
  const store = await open({ MILLRACE_BLOB_URL: s3.url });
  const writer = await store.create();
  await writer.write([Buffer.from("bytes")]);
  await writer.finish();
  expect((await store.open(writer.place)).size).toBe(5);
  await store.close();
  const elsewhere = s3.url.replace("s3://blobs/", "s3://others/");
  await expect(open({ MILLRACE_BLOB_URL: elsewhere })).rejects.toThrow(
    /^Blobs cannot be stored in the bucket others \(status 404\): create the bucket/,
  );
  await expect(open({ MILLRACE_BLOB_URL: "s3://blobs?endpoint=http://127.0.0.1:1" })).rejects.toThrow(
    /ECONNREFUSED.*correct MILLRACE_BLOB_URL/,
  );
});

test("2. a folder", async () => {
  const DATA_DIR = mkdtempSync(join(tmpdir(), "blob-store-"));
  writeFileSync(join(DATA_DIR, "blobs"), "not a folder");
  await expect(open({ DATA_DIR })).rejects.toThrow(/blobs \(.+\): set DATA_DIR to a folder/);
});
