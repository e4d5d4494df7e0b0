/**
 * Properties of every byte store, a folder or S3:
 * 1. Bytes are read as they were written, whole and in part, whatever their size and pieces, even if the pieces' memory is reused
 *    immediately.
 * 2. Aborted or unfinished bytes do not exist and are not listed; removing missing bytes is not an error.
 * 3. Places are listed in their shard, with the time of writing.
 * 4. An invalid S3 address is rejected with the reason.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { randomBytes } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ByteStore, MissingBytesError, SHARDS } from "./byte-store.ts";
import { openDiskStore } from "./disk-store.ts";
import { parseS3Address, type S3Address } from "./s3-address.ts";
import { openS3Store } from "./s3-store.ts";
import { startTestS3 } from "../testing/s3.ts";

interface Opened {
  store: ByteStore;
  close: () => Promise<void>;
}

const kinds: Record<string, () => Promise<Opened>> = {
  async folder() {
    const folder = mkdtempSync(join(tmpdir(), "store-"));
    const store = await openDiskStore(folder);
    return { store, close: async () => rmSync(folder, { recursive: true }) };
  },
  async S3() {
    const s3 = await startTestS3();
    // Already checked by the caller.
    const store = await openS3Store(parseS3Address(s3.url) as S3Address);
    return {
      store,
      async close() {
        await store.close();
        await s3.close();
      },
    };
  },
};

/** More than a system accepts in one call. */
const WRITTEN_TOGETHER = 1500;

async function write(store: ByteStore, content: Buffer, pieceBytes: number): Promise<string> {
  const writer = await store.create();
  const most = Math.ceil(content.length / pieceBytes / 2);
  const memory = Buffer.alloc(Math.max(1, Math.min(WRITTEN_TOGETHER, most)) * pieceBytes);
  for (let start = 0; start < content.length; start += memory.length) {
    const length = content.copy(memory, 0, start);
    const pieces = Array.from({ length: Math.ceil(length / pieceBytes) }, (_, piece) =>
      memory.subarray(piece * pieceBytes, Math.min(length, (piece + 1) * pieceBytes)),
    );
    await writer.write(pieces);
    memory.fill(0);
  }
  await writer.finish();
  return writer.place;
}

async function read(store: ByteStore, place: string, range?: [number, number]): Promise<Buffer> {
  const reader = await store.open(place);
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of reader.chunks(...(range ?? [0, reader.size]))) chunks.push(chunk);
    return Buffer.concat(chunks);
  } finally {
    await reader.close();
  }
}

async function list(store: ByteStore): Promise<string[]> {
  const all: string[] = [];
  for (const shard of SHARDS) for await (const places of store.places(shard)) all.push(...places);
  return all.sort();
}

const MIB = 1024 * 1024;

describe.each(Object.entries(kinds))("%s", (_, open) => {
  let opened: Opened;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened.close());

  test.each([
    [0, 1],
    [1, 1],
    [5_000, 999],
    [8 * MIB, MIB],
    [20 * MIB + 7, 65_536],
  ])("1. %i bytes in pieces of %i", async (size, pieceBytes) => {
    const { store } = opened;
    const content = randomBytes(size);
    const place = await write(store, content, pieceBytes);
    expect((await read(store, place)).equals(content)).toBe(true);
    const [start, end] = [Math.floor(size / 3), Math.ceil((size * 2) / 3)];
    expect((await read(store, place, [start, end])).equals(content.subarray(start, end))).toBe(true);
    await store.remove(place);
    await expect(store.open(place)).rejects.toThrow(MissingBytesError);
  });

  test("2. and 3. aborted, removed, listed", async () => {
    const { store } = opened;
    const before = Date.now();
    const kept = [await write(store, Buffer.alloc(10), 10), await write(store, Buffer.alloc(9 * MIB), MIB)];
    for (const size of [10, 9 * MIB]) {
      const aborted = await store.create();
      await aborted.write([Buffer.alloc(size)]);
      await aborted.abort();
      await expect(store.open(aborted.place)).rejects.toThrow(MissingBytesError);
      expect(await store.writtenAt(aborted.place)).toBeNull();
      await store.remove(aborted.place);
    }
    expect(await list(store)).toEqual(kept.toSorted());
    // The clock of S3 counts whole seconds.
    expect(await store.writtenAt(kept[0]!)).toBeGreaterThan(before - 2_000);
    await store.removeUnfinished();
    expect((await read(store, kept[1]!)).length).toBe(9 * MIB);
  });
});

test.each([
  ["s3://acme-millrace/blobs", { bucket: "acme-millrace", prefix: "blobs/", endpoint: null, region: null }],
  [
    "s3://acme?endpoint=http://127.0.0.1:4568&region=eu-central-1",
    { bucket: "acme", prefix: "", endpoint: "http://127.0.0.1:4568", region: "eu-central-1" },
  ],
  ["https://acme.s3.amazonaws.com", /s3:\/\//],
  ["s3://key:secret@acme", /AWS_ACCESS_KEY_ID/],
  ["s3://Acme_Bucket", /the name of a bucket/],
  ["s3://acme?zone=a", /zone/],
  ["s3://acme?endpoint=minio:9000", /https:\/\//],
  ["acme", /must be an address/],
])("4. %s", (text, expected) => {
  if (expected instanceof RegExp) expect(parseS3Address(text)).toMatch(expected);
  else expect(parseS3Address(text)).toEqual(expected);
});
