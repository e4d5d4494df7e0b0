/**
 * 1. An upload that is too large, before or after decoding, has the wrong digest or is not zstd is refused with the reason, and
 *    leaves nothing.
 * 2. A disk that fills up midway causes the system's error, and leaves nothing.
 * 3. Compressed bytes that were changed on the disk, at the start, in the middle or at the end, are never returned whole.
 * 4. Bytes stored in one form are read correctly whatever form arrives second: plain or compressed, in a file or in the database.
 * 5. The memory of chunks that were written together is free afterwards, however the blob is stored.
 */
import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { inTransaction, openDatabase } from "../database/database.ts";
import { openTestDatabase, testDatabaseKinds } from "../testing/database.ts";
import { createBlobs } from "./blobs.ts";
import type { ByteStore } from "./byte-store.ts";
import { openDiskStore } from "./disk-store.ts";
import { DamagedBlobError } from "./open-blob.ts";
import { blobMigrations, type BlobTables } from "./schema.ts";
import { Upload, type UploadOptions } from "./upload.ts";

async function openFolder() {
  const folder = mkdtempSync(join(tmpdir(), "upload-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const store = await openDiskStore(folder);
  const files = () =>
    readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return { store, files };
}

async function receive(
  store: ByteStore,
  options: UploadOptions,
  { content, digest }: { content: Buffer; digest?: string },
) {
  const upload = new Upload(store, options);
  try {
    for (let start = 0; start < content.length; start += 1000)
      await upload.write(content.subarray(start, start + 1000));
    return await upload.finish(digest);
  } finally {
    await upload.abort();
  }
}

const digestOf = (bytes: Buffer) => `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
const zeros = Buffer.alloc(100_000);
/** A skippable zstd frame: 8 bytes that announce 1,000 more. */
const skippable = Buffer.concat([Buffer.from([0x50, 0x2a, 0x4d, 0x18, 0xe8, 3, 0, 0]), Buffer.alloc(1000)]);
const padded = Buffer.concat([zstdCompressSync(zeros), ...Array.from({ length: 200 }, () => skippable)]);

test.each([
  ["too large", { maxBytes: 99_999 }, zeros, undefined],
  ["too large", { maxBytes: 99_999, encoding: "zstd" as const }, zstdCompressSync(zeros), undefined],
  ["too large", { maxBytes: 100_000, encoding: "zstd" as const }, padded, undefined],
  ["digest", { maxBytes: 100_000 }, zeros, `sha256:${"0".repeat(64)}`],
  ["digest", { maxBytes: 1e9, size: 99_999 }, zeros, undefined],
  ["digest", { maxBytes: 1e9, size: 99_999, encoding: "zstd" as const }, zstdCompressSync(zeros), undefined],
  ["too large", { maxBytes: 1e9, size: 100_000, encoding: "zstd" as const }, padded, undefined],
  ["encoding", { maxBytes: 100_000, encoding: "zstd" as const }, zeros, undefined],
  [
    "encoding",
    { maxBytes: 100_000, encoding: "zstd" as const },
    zstdCompressSync(zeros).subarray(0, -3),
    undefined,
  ],
])("1. %s", async (reason, options, content, digest) => {
  const { store, files } = await openFolder();
  const refused = receive(store, options, { content, ...(digest && { digest }) });
  await expect(refused).rejects.toMatchObject({ reason });
  expect(files()).toEqual([]);
});

test("2. a full disk", async () => {
  const { store, files } = await openFolder();
  const full: ByteStore = {
    ...store,
    async create() {
      const writer = await store.create();
      let written = 0;
      return {
        ...writer,
        async write(chunks) {
          for (const { length } of chunks) written += length;
          if (written > 50_000) throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
          await writer.write(chunks);
        },
      };
    },
  };
  await expect(receive(full, { maxBytes: 100_000 }, { content: zeros })).rejects.toMatchObject({
    code: "ENOSPC",
  });
  expect(files()).toEqual([]);
  await receive(store, { maxBytes: 100_000 }, { content: zeros });
  expect(files()).toHaveLength(1);
});

test.each([2, 0.5, 0.95, -1])("3. damaged at %d", async (where) => {
  const { store, files } = await openFolder();
  const place = await openTestDatabase("sqlite");
  const database = await openDatabase<BlobTables>({ at: place.at, migrations: blobMigrations });
  const blobs = createBlobs({ database, store });
  const content = zstdCompressSync(randomBytes(900_000));
  const received = await receive(store, { maxBytes: 900_000, encoding: "zstd" }, { content });
  await inTransaction(database, (transaction) => blobs.keep(transaction, received));
  const [file] = files();
  const path = join(file!.parentPath, file!.name);
  const at = where < 0 ? content.length - 1 : where < 1 ? Math.floor(content.length * where) : where;
  content[at]! ^= 0xff;
  writeFileSync(path, content);
  const blob = (await blobs.find(received.digest))!;
  for (const form of ["bytes", "encodedBytes"] as const) {
    const reader = await blobs.open(blob);
    let bytes = 0;
    const reading = async () => {
      for await (const chunk of reader[form]()) bytes += chunk.length;
    };
    await expect(reading()).rejects.toThrow(DamagedBlobError);
    await reader.close();
    expect(bytes).toBeLessThan(form === "bytes" ? 900_000 : content.length);
  }
  expect(await blobs.find(received.digest)).toBeUndefined();
  await database.close();
  await place.remove();
});

const forms = {
  plain: { content: zeros, options: { maxBytes: 100_000 } },
  // Small enough to be stored in the database.
  compressed: { content: zstdCompressSync(zeros), options: { maxBytes: 100_000, encoding: "zstd" as const } },
};

test.each(
  testDatabaseKinds.flatMap((kind) => [
    [kind, "plain", "compressed"] as const,
    [kind, "compressed", "plain"] as const,
  ]),
)("4. on %s %s, then %s", async (kind, first, second) => {
  const { store } = await openFolder();
  const place = await openTestDatabase(kind);
  const database = await openDatabase<BlobTables>({ at: place.at, migrations: blobMigrations });
  const blobs = createBlobs({ database, store });
  for (const form of [first, second]) {
    const { options, content } = forms[form];
    const received = await receive(store, options, { content });
    await inTransaction(database, (transaction) => blobs.keep(transaction, received));
    await blobs.settle(received);
    const reader = await blobs.open((await blobs.find(received.digest))!);
    const chunks: Uint8Array[] = [];
    for await (const chunk of reader.bytes()) chunks.push(chunk);
    expect(Buffer.concat(chunks).equals(zeros)).toBe(true);
    // Stops before the end of the decoded bytes.
    for await (const chunk of reader.bytes(10, 20)) expect(chunk).toHaveLength(10);
    await reader.close();
  }
  await database.close();
  await place.remove();
});

test.each([
  ["in the database", 4_000, "identity"],
  ["in a file", 300_000, "identity"],
  ["decoded", 300_000, "zstd"],
] as const)("5. %s", async (_, size, encoding) => {
  const { store } = await openFolder();
  const content = randomBytes(size);
  const sent = encoding === "zstd" ? zstdCompressSync(content) : content;
  const upload = new Upload(store, { maxBytes: size, encoding });
  for (let start = 0; start < sent.length; start += 3_000) {
    const memory = Buffer.from(sent.subarray(start, start + 3_000));
    await upload.writeAll([memory.subarray(0, 1_000), memory.subarray(1_000)]);
    memory.fill(0);
  }
  const { place, content: held } = await upload.finish(digestOf(content));
  if (held) return expect(content.equals(held)).toBe(true);
  const reader = await store.open(place ?? "");
  const chunks: Buffer[] = [];
  for await (const chunk of reader.chunks(0, reader.size)) chunks.push(chunk);
  await reader.close();
  const kept = Buffer.concat(chunks);
  expect(content.equals(encoding === "zstd" ? zstdDecompressSync(kept) : kept)).toBe(true);
});
